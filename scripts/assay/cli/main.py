"""The command ``assay``: finds the command, and turns errors into a message and an exit code.

Commands are imported when they are called, so that ``assay --help`` costs hardly more than
importing click.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import re
import shlex
import signal
import sys
from pathlib import Path
from typing import NoReturn

import click

from assay import __version__
from assay.cli.streams import open_streams, silence
from assay.errors import AssayError

COMMANDS: dict[str, tuple[str, str]] = {
    # name: (module:attribute, one line of help)
    "check": ("check:check", "Find what is wrong with truth, cases and catalogues."),
    "fmt": ("fmt:fmt", "Finish and format new revision files."),
    "diff": ("diff:diff", "Say what a branch changes in meaning, and in every score."),
    "score": ("score:score", "Score observed runs against the truth that counts."),
    "compare": ("compare:compare", "Say whether one run is better than another."),
    "gate": ("gate:gate", "Say whether a run may replace a baseline."),
    "why": ("why:why", "Say why a case passed or failed."),
    "trace": ("trace:trace", "Trace a result back to truth, clauses, people, run and scorer."),
    "report": ("report:report", "Write the report page."),
    "new": ("new:new", "Add a case, or a first record for one."),
    "revise": ("revise:revise", "Write the next revision of a record."),
    "renew": ("renew:renew", "Extend the life of labels that still hold."),
    "dispute": ("dispute:dispute", "Put a label in doubt; it is then not scored."),
    "retire": ("retire:retire", "Take a case out of use, for ever."),
    "renumber": ("renumber:renumber", "Put your revision on top of one with the same number."),
    "todo": ("todo:todo", "List what waits for somebody."),
    "truth": ("truth:truth", "Show, export, import and draft records; what expires."),
    "campaign": ("campaign:campaign", "Move labels to a new version of a policy."),
    "cases": ("cases:cases", "Import cases from other formats."),
    "runs": ("runs:runs", "Import runs of any framework, and show what an agent did."),
    "telemetry": ("telemetry:telemetry", "Rebuild and verify the tracked data."),
    "doctor": ("doctor:doctor", "Look at this machine and this clone."),
}

_COMMAND = re.compile(r"(^|\n  or    )assay (?!-C )")
"""A command at the beginning of a hint, or of one of several."""

FIRST_PAGE = ("check", "fmt", "diff", "score", "why", "compare", "gate", "report")
"""Commands that the help shows first."""


class Lazy(click.Group):
    """A group whose commands are imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(importlib.import_module(f"assay.cli.{module}"), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One line a command, without importing any."""
        first = [(name, COMMANDS[name][1]) for name in FIRST_PAGE]
        others = [(name, text) for name, (_, text) in COMMANDS.items() if name not in FIRST_PAGE]
        with formatter.section("Every day"):
            formatter.write_dl(first)
        with formatter.section("Records and material"):
            formatter.write_dl(others)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; what an error says to type next names the repository as it was named."""
        try:
            return super().invoke(ctx)
        except AssayError as error:
            if ctx.params.get("root") is not None:
                place = shlex.quote(str(ctx.params["root"]))
                error.hint = _COMMAND.sub(lambda m: f"{m[1]}assay -C {place} ", error.hint)
            raise

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; an unknown one is refused with the nearest names."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in COMMANDS:
            import difflib

            near = difflib.get_close_matches(name, COMMANDS, 2)
            meant = f" Did you mean {' or '.join(f'`{word}`' for word in near)}?" if near else ""
            ctx.fail(f"No command is called `{name}`.{meant}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=Lazy,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 96},
    epilog="Example: assay check --today 2027-04-01 --policy refunds-v8",
)
@click.version_option(__version__, prog_name="assay")
@click.option(
    "-C",
    "--root",
    type=click.Path(path_type=Path),
    help="The benchmark repository; else the nearest one from here upwards.",
)
@click.pass_context
def assay(ctx: click.Context, root: Path | None) -> None:
    """The ground truth of AI agents, kept like code."""
    ctx.obj = root


def main(args: list[str] | None = None) -> None:
    """Run a command and exit with its code.

    0 fine; 1 a file is wrong or the agent fails; 2 wrong use; 3 refuses to judge; 70 our own
    fault.
    """
    open_streams()
    # Plug-ins of pydantic that happen to lie in the environment have no part in what we decide, and
    # to look for them reads the metadata of every package that is installed.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    with contextlib.suppress(ValueError):  # Outside the main thread signals are not ours.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        code = assay.main(args=args, prog_name="assay", standalone_mode=False)
        sys.stdout.flush()
    except AssayError as error:
        from assay.reporting.words import safe_lines

        # Names of files and what stands in them may hold what acts on a terminal.
        click.echo("\n".join(safe_lines(f"assay: {error}")), err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("assay: stopped; no file is half written\n  next  type it again", err=True)
        sys.exit(130)
    except OSError as error:
        if error.errno not in _OF_THE_MACHINE or os.environ.get("ASSAY_TRACEBACK"):
            _our_own_fault(error)
        # What is still buffered cannot be written either, and must not complain at exit.
        silence(sys.stdout)
        where = f"{error.filename}: " if error.filename else "Output cannot be written: "
        click.echo(f"assay: {where}{error.strerror}.\n  next  df -h . && ls -ld .", err=True)
        sys.exit(1)
    except Exception as error:
        _our_own_fault(error)
    sys.exit(code if isinstance(code, int) else 0)


_OF_THE_MACHINE = frozenset(
    {
        errno.EACCES,
        errno.EDQUOT,
        errno.EFBIG,
        errno.EIO,
        errno.ELOOP,
        errno.EMFILE,
        errno.ENAMETOOLONG,
        errno.ENFILE,
        errno.ENOSPC,
        errno.EPERM,
        errno.EROFS,
    }
)
"""What a person must put right, not we."""


def _our_own_fault(error: Exception) -> NoReturn:
    if os.environ.get("ASSAY_TRACEBACK"):
        raise error
    click.echo(
        f"assay: this is our own fault: {type(error).__name__}: {error}\n"
        f"  next  report it with assay {__version__}, Python {sys.version.split()[0]} and what"
        " ASSAY_TRACEBACK=1 prints for the same command",
        err=True,
    )
    sys.exit(70)


if __name__ == "__main__":
    main()
