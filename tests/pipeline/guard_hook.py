"""Runs a module as a stage and writes down everything it reads. Started by `stage_guard`.

Arguments: the log, the root, the module, its arguments. One JSON object a line goes to the log:
``{"kind", "path" | "name", "by"}``. Nothing is prevented here; judging is the caller's part.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import threading
from types import FrameType
from typing import Any

CLOCK = {
    ("date", "today"),
    ("datetime", "now"),
    ("datetime", "today"),
    ("datetime", "utcnow"),
    ("time", "gmtime"),
    ("time", "localtime"),
    ("time", "strftime"),
    ("time", "time"),
    ("time", "time_ns"),
}
EVENTS = {
    "open": "open",
    "os.listdir": "list",
    "os.scandir": "list",
    "os.system": "program",
    "os.posix_spawn": "program",
    "os.exec": "program",
    "subprocess.Popen": "program",
    "socket.connect": "network",
    "socket.getaddrinfo": "network",
}
WRITING = os.O_WRONLY | os.O_RDWR


def ours(frame: FrameType | None) -> str:
    """The nearest caller that belongs to the package, as ``module:line``; empty for none."""
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        package = str(frame.f_globals.get("__package__", ""))
        if name == "assay" or name.startswith("assay.") or package.startswith("assay"):
            return f"{frame.f_globals.get('__file__', name)}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


class Hook:
    """Audit hook and profile function with one log."""

    def __init__(self, log: str) -> None:
        self.log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        self.busy = threading.local()

    def note(self, **what: str) -> None:
        """Write one line."""
        os.write(self.log, (json.dumps(what) + "\n").encode())

    def audit(self, event: str, args: tuple[Any, ...]) -> None:
        """Called by Python for every file that is opened or listed."""
        kind = EVENTS.get(event)
        if kind is None or getattr(self.busy, "now", False):
            return
        self.busy.now = True
        try:
            if kind in {"program", "network"}:
                self.note(kind=kind, name=str(args[0]), by=ours(sys._getframe(1)))
                return
            path = args[0] if args else "."
            if path is None:
                path = "."
            if isinstance(path, int):
                return
            if kind == "open" and isinstance(args[2], int) and args[2] & WRITING:
                kind = "write"
            full = os.path.abspath(os.fsdecode(path))  # noqa: PTH100
            self.note(kind=kind, path=full, by=ours(sys._getframe(1)))
        finally:
            self.busy.now = False

    def profile(self, frame: FrameType, event: str, function: Any) -> None:
        """Called for every call of a C function: sees the clock whatever it was imported as."""
        if event != "c_call":
            return
        owner = getattr(function, "__self__", None)
        base = getattr(owner, "__name__", "")
        if (base, getattr(function, "__name__", "")) not in CLOCK:
            return
        # Only direct uses: a library that stamps a log line decides nothing.
        name = str(frame.f_globals.get("__name__", ""))
        package = str(frame.f_globals.get("__package__", ""))
        if name.startswith("assay") or package.startswith("assay"):
            self.note(kind="clock", name=f"{base}.{function.__name__}", by=ours(frame))


def watch_params(hook: Hook) -> None:
    """Note which top-level parameters are looked at, where the package has its model."""
    try:
        from assay.models.params import Params
    except ImportError:
        return
    fields = set(getattr(Params, "model_fields", {}) or getattr(Params, "__annotations__", {}))
    plain = Params.__getattribute__

    def noted(self: Any, name: str) -> Any:
        if name in fields:
            hook.note(kind="param", name=name, by=ours(sys._getframe(1)))
        return plain(self, name)

    Params.__getattribute__ = noted  # type: ignore[method-assign]


def main() -> None:
    """Hook in, then become the stage."""
    log, root, module, *arguments = sys.argv[1:]
    os.chdir(root)
    hook = Hook(log)
    watch_params(hook)
    for loaded in list(sys.modules.values()):
        file = getattr(loaded, "__file__", None)
        if file and loaded.__name__.split(".")[0] == "assay":
            hook.note(kind="open", path=file, by="")
    sys.argv = [module, *arguments]
    sys.addaudithook(hook.audit)
    threading.setprofile(hook.profile)
    sys.setprofile(hook.profile)
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
