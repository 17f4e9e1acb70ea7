"""The frame of the command line: commands are found by name and imported only when they are called.

What a command may do to end: return None (0) or an exit status, raise `click.exceptions.Exit`, a
`click.ClickException`, or any exception that carries `exit_code: int` and a message for people. Everything
else is unforeseen: its details go to a crash file and the user reads one line.
"""

import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import click

from concilio import __version__
from concilio.catalogue import LANGUAGES, TEXTS, say, speaking, user_language
from concilio.cli.quick_help import asked_language
from concilio.printable import printable, shown_text

COMMANDS: tuple[str, ...] = (
    "init",
    "run",
    "batch",
    "resume",
    "runs",
    "view",
    "worker",
    "fleet",
    "check",
    "rules",
    "odds",
    "fight",
    "playtest",
    "promises",
    "export",
    "doctor",
    "mcp",
    "schema",
    "completion",
)
"""Names of the commands in the order of the help; each is `concilio.cli.<name>.command`."""

INTERRUPTED = 130
PIPE_CLOSED = 141
"""As a program that SIGPIPE ended: the reader of the output went away."""


WRONG_INPUT = 2
"""What the user or the system gave cannot be used."""
OF_THE_SYSTEM = frozenset(
    getattr(errno, name)
    for name in (
        *("ENOSPC", "EDQUOT", "EFBIG", "EACCES", "EPERM", "EROFS", "ENAMETOOLONG", "ENOTDIR", "ELOOP"),
        *("EMFILE", "ENFILE", "EIO"),
    )
    if hasattr(errno, name)
)
"""Errors of the system that are told in its words: the machine's state is no fault of the program."""
LONGEST_NAME = 120
"""Characters of a file's name that are shown."""


class PipeClosedError(Exception):
    """Nobody reads the output any more."""

    exit_code = PIPE_CLOSED


class LazyGroup(click.Group):
    """A group that knows its commands by name and their summaries from the catalogue."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of that name; None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"concilio.cli.{cmd_name}").command
        command.options_metavar = say("cli.options_metavar")
        if isinstance(command, click.Group):
            command.subcommand_metavar = say("cli.subcommand_metavar")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their summaries, without importing them."""
        with formatter.section(say("cli.commands")):
            formatter.write_dl([(name, say(f"cli.summary.{name}")) for name in COMMANDS])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Return what may follow, without importing the commands."""
        from click.shell_completion import CompletionItem

        found = [name for name in COMMANDS if name.startswith(incomplete)]
        named = [CompletionItem(name, help=say(f"cli.summary.{name}")) for name in found]
        return [*named, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first argument names.

        Raises:
            click.UsageError: there is none; the message names the nearest.
        """
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise click.UsageError(unknown_command(args[0]), ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command.

        Raises:
            PipeClosedError: the reader of the output went away.
        """
        try:
            status = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            raise PipeClosedError from None
        return status


def unknown_command(name: str) -> str:
    """Return what to say of a command that does not exist: the nearest one, or all of them."""
    from difflib import get_close_matches  # here: it costs a tenth of the time of --help

    near = get_close_matches(name.lower(), COMMANDS, n=1, cutoff=0.5)
    if near:
        return say("cli.unknown_command_near", name=name, near=near[0])
    return say("cli.unknown_command", name=name, names=", ".join(COMMANDS))


def speak(asked: str | None) -> None:
    """Make this process speak: the language that is asked for, else the user's; click's own messages, too."""
    import gettext

    if asked:
        os.environ["CONCILIO_LANG"] = asked
    os.environ["LANGUAGE"] = user_language()
    gettext.bindtextdomain("concilio", str(TEXTS))
    gettext.textdomain("concilio")


def make_group() -> click.Group:
    """Return the whole command line, in the user's language."""
    group = LazyGroup(
        name="concilio",
        help=say("cli.help"),
        epilog=say("cli.epilog"),
        options_metavar=say("cli.options_metavar"),
        subcommand_metavar=say("cli.subcommand_metavar"),
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    group.params.append(
        click.Option(["--lang"], type=click.Choice(LANGUAGES), help=say("cli.lang"), expose_value=False)
    )
    return click.version_option(__version__, message="%(prog)s %(version)s", help=say("cli.version"))(group)


def run_command_line(arguments: Sequence[str]) -> int:
    """Run one command and return the exit status of the process; every end has its own words."""
    with speaking(None):  # what a command comes to speak ends with it
        return _run_command_line(arguments)


def _run_command_line(arguments: Sequence[str]) -> int:
    speak(asked_language(arguments))
    if not _have_streams():
        click.echo(say("cli.error", message=say("cli.output_closed")), err=True)
        return WRONG_INPUT
    _be_able_to_write_anything()
    try:
        status = make_group().main(list(arguments), prog_name="concilio", standalone_mode=False)
        sys.stdout.flush()
    except PipeClosedError as error:
        drop_output()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo(say("cli.interrupted"), err=True)
        return INTERRUPTED
    except click.ClickException as error:
        told = StringIO()
        error.show(told)
        click.echo(shown_text(told.getvalue()), nl=False, err=True)  # it may quote what was typed
        return error.exit_code
    except Exception as error:  # noqa: BLE001 - the last net: no traceback reaches a user
        return end_of_output(error) if _output_fails(error) else _ended_by(error)
    return status if isinstance(status, int) else 0


def _ended_by(error: Exception) -> int:
    """Tell of an error and return its exit status."""
    status = getattr(error, "exit_code", None)
    if isinstance(status, int):
        # Listed problems have their place in front of each line, for editors to jump to.
        listed = hasattr(error, "problems")
        click.echo(shown_text(str(error) if listed else say("cli.error", message=error)), err=True)
        return status
    if os.environ.get("CONCILIO_DEBUG") == "1":
        raise error
    if isinstance(error, OSError) and error.errno in OF_THE_SYSTEM:
        from concilio.store.errors import from_os_error

        told = from_os_error(error, _short(error.filename) or os.curdir)
        click.echo(say("cli.error", message=told), err=True)
        return told.exit_code
    from concilio.cli.crash import write_crash_file

    where = write_crash_file(error) or say("cli.no_crash_file")
    click.echo(say("cli.crash", kind=type(error).__name__, problem=_one_line(error), file=where), err=True)
    return 1


def _one_line(error: Exception) -> str:
    from concilio.store.scrub import scrub

    return " ".join(scrub(str(error)).split())[:200]


def _short(name: object) -> str:
    text = printable(str(name or ""))
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…"


def _have_streams() -> bool:
    """Tell whether there is an output; a closed input is an empty one, closed messages go nowhere."""
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison] - so it is where it was closed
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - as long as the process
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    return sys.stdout is not None  # pyright: ignore[reportUnnecessaryComparison]


def _output_fails(error: Exception) -> bool:
    """Tell whether an error is that the standard output cannot be written: a full device."""
    if not isinstance(error, OSError) or error.filename is not None:
        return False
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        return True
    return _writes_output(error)


def _writes_output(error: Exception) -> bool:
    """Tell whether an error was raised where we write: a large text is lost with it, none left to flush."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_globals.get("__name__") in (click.utils.__name__, __name__)


def end_of_output(error: Exception) -> int:
    """Say that the output cannot be written, see to it that nothing more is tried; return the exit status."""
    if isinstance(error, BrokenPipeError):
        drop_output()
        return PIPE_CLOSED
    problem = getattr(error, "strerror", None) or type(error).__name__
    drop_output()
    click.echo(say("cli.error", message=say("cli.output_fails", problem=problem)), err=True)
    return WRONG_INPUT


def _be_able_to_write_anything() -> None:
    """A terminal that cannot show a character gets an escape for it, not an error."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def drop_output() -> None:
    """Point the standard output at nothing, so that the interpreter's last flush does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
