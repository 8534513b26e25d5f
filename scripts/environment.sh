# Sourced by the launchers, with $root set to the repository's folder.
#
# ensure TIER   .venv is there and holds what the lock says, for base, dev or conformance;
#               otherwise set it up, or say why that is not possible and exit.
#
# When all is well this reads two one-line files and starts no process.

# Text is UTF-8 whatever the locale says, and nothing but .venv is imported.
export PYTHONUTF8=1 PYTHONSAFEPATH=1 DVC_NO_ANALYTICS=1
unset PYTHONHOME PYTHONPATH

ensure() {
    wanted='' have='' tier='' chosen=''
    if [ -r "$root/scripts/requirements/digest" ]; then
        read -r wanted <"$root/scripts/requirements/digest" || :
    fi
    if [ -r "$root/.venv/assay-ready" ]; then
        read -r have tier chosen <"$root/.venv/assay-ready" || :
    fi
    case $1:$tier in
        base:base | base:dev | base:conformance) ;;
        dev:dev | dev:conformance | conformance:conformance) ;;
        *) have='' ;;
    esac
    if [ -n "$wanted" ] && [ "$have" = "$wanted" ] && [ -x "$root/.venv/bin/python" ] &&
        [ "${ASSAY_PYTHON:-$chosen}" = "$chosen" ]; then
        return 0
    fi
    sh "$root/scripts/bootstrap" "$1" || exit
}
