"""A new adventure's file: its text, and the one moment in which it comes to be."""

from contextlib import suppress
from pathlib import Path
from typing import cast

import yaml

from concilio.adventure.source import MARKDOWN_SUFFIXES
from concilio.adventure.words import words_of
from concilio.catalogue import say
from concilio.printable import printable
from concilio.starting.answers import Answers, Member, Other
from concilio.store.errors import from_os_error
from concilio.store.run import slug

_QUOTES = frozenset("«»“”‘’\"'")
"""A title that holds one is written without any around it."""
_LABELS = ("place", "objective", "scenes")


class CannotStartError(Exception):
    """The file cannot be made; the message is one line for people."""

    exit_code = 2


def adventure_text(answers: Answers) -> str:
    """Return the Markdown of a new adventure: front matter, and the outline of its first chapter."""
    front: dict[str, object] = {
        "title": answers.title,
        "language": answers.language,
        "ruleset": answers.ruleset,
        "level": answers.level,
        "party": [_member(one) for one in answers.party],
    }
    front |= {"cast": [_other(one) for one in answers.cast]} if answers.cast else {}
    front |= {"items": list(answers.items)} if answers.items else {}
    return "\n".join(["---", *_yaml(front), "---", "", *_chapter(answers), ""])


def _member(member: Member) -> dict[str, str]:
    return {"name": member.name} | ({"class": member.class_} if member.class_ else {})


def _other(other: Other) -> dict[str, str]:
    told = {"name": other.name, "stat_block": other.stat_block, "note": other.note}
    return {key: value for key, value in told.items() if value}


def _yaml(front: dict[str, object]) -> list[str]:
    """Return the lines of a front matter, one entry of a list a line."""
    lines: list[str] = []
    for key, value in front.items():
        if isinstance(value, list):
            lines.append(f"{key}:")
            lines += [f"  - {_flow(one)}" for one in cast("list[object]", value)]
        else:
            lines.append(f"{key}: {_flow(value)}")
    return lines


def _flow(value: object) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, sort_keys=False, width=10**6)
    return text.removesuffix("...\n").strip()


def _chapter(answers: Answers) -> list[str]:
    labels = words_of(answers.language)["labels"]
    values = {"place": answers.place, "objective": answers.objective, "scenes": str(answers.scenes)}
    title = answers.chapter
    if not _QUOTES & set(title):
        title = say("init.quoted", answers.language, title=title)
    heading = say("init.heading", answers.language, title=title)
    return [heading, "", *(f"- {labels[key][0]}: {values[key]}" for key in _LABELS)]


def file_for(title: str) -> Path:
    """Return the name of a new adventure's file in the current folder."""
    return Path(slug(title).replace("-", "_") + ".md")


def require_new(file: Path) -> Path:
    """Return where the file goes: the name with its suffix.

    Raises:
        CannotStartError: it exists already, its folder does not, or it is no Markdown by its name.
    """
    if not file.suffix:
        file = file.with_name(file.name + ".md") if file.name else file
    if file.suffix.casefold() not in MARKDOWN_SUFFIXES:
        raise CannotStartError(say("init.not_markdown", file=printable(file)))
    if file.exists() or file.is_symlink():
        raise CannotStartError(say("init.exists", file=printable(file)))
    if not file.parent.is_dir():
        raise CannotStartError(say("init.no_folder", file=printable(file), folder=printable(file.parent)))
    return file


def write_new(file: Path, text: str) -> None:
    """Write the file, which does not exist: whole, or not at all.

    Raises:
        CannotStartError: it exists by now.
        StoreError: the system refuses.
    """
    try:
        opened = file.open("x", encoding="utf-8", newline="\n")
    except FileExistsError:
        raise CannotStartError(say("init.exists", file=printable(file))) from None
    except OSError as error:
        raise from_os_error(error, file) from error
    try:
        with opened:
            opened.write(text)
    except OSError as error:
        with suppress(OSError):
            file.unlink()
        raise from_os_error(error, file) from error
