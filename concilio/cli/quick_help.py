"""The help of the whole program, without loading the library that renders it.

It is the first thing that people run, and rendering costs more than all the rest of its start. So the
rendered pages are kept as data, `concilio/texts/<language>/help.txt`: `make reference` makes them, a test
compares them.
"""

import os
from collections.abc import Sequence

from concilio.catalogue import LANGUAGES, TEXTS, user_language

COLUMNS = 80
"""Width of the kept pages."""


def asked_language(arguments: Sequence[str]) -> str | None:
    """Return the language of a `--lang` before the command, known already while the help is being made."""
    for position, argument in enumerate(arguments):
        if not argument.startswith("-"):
            return None
        name, equals, value = argument.partition("=")
        if name == "--lang":
            value = value if equals else "".join(arguments[position + 1 : position + 2])
            return value if value in LANGUAGES else None
    return None


def quick_help(arguments: Sequence[str]) -> str | None:
    """Return the page for `--help` alone, after a `--lang` perhaps; None where it must be rendered."""
    if not arguments or arguments[-1] not in ("--help", "-h") or _is_narrow():
        return None
    before = list(arguments[:-1])
    language = asked_language(before)
    if before and before not in ([f"--lang={language}"], ["--lang", language]):
        return None
    page = TEXTS / (language or user_language()) / "help.txt"
    return page.read_text(encoding="utf-8") if page.is_file() else None


def _is_narrow() -> bool:
    try:
        return os.get_terminal_size().columns < COLUMNS
    except OSError:
        return False
