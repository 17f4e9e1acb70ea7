"""`concilio init`: a new adventure from a few answers."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import click

from concilio.catalogue import LANGUAGES, Language, follow, say, user_language
from concilio.printable import printable

if TYPE_CHECKING:
    from concilio.starting.answers import Answers, Member, Other
    from concilio.starting.asking import Asker
    from rules.ruleset import Ruleset

T = TypeVar("T")


@click.command(name="init", help=say("init.help"), short_help=say("cli.summary.init"))
@click.argument("file", type=click.Path(path_type=Path), required=False, metavar=say("init.arg_file"))
@click.option("--title", metavar=say("init.meta_text"), help=say("init.opt_title"))
@click.option("--language", type=click.Choice(LANGUAGES), help=say("init.opt_language"))
@click.option("--ruleset", metavar=say("init.meta_name"), help=say("init.opt_ruleset"))
@click.option("--level", metavar="N", help=say("init.opt_level"))
@click.option("--party", multiple=True, metavar=say("init.meta_member"), help=say("init.opt_party"))
@click.option("--cast", multiple=True, metavar=say("init.meta_other"), help=say("init.opt_cast"))
@click.option("--item", "items", multiple=True, metavar=say("init.meta_text"), help=say("init.opt_item"))
@click.option("--chapter", metavar=say("init.meta_text"), help=say("init.opt_chapter"))
@click.option("--place", metavar=say("init.meta_text"), help=say("init.opt_place"))
@click.option("--objective", metavar=say("init.meta_text"), help=say("init.opt_objective"))
@click.option("--scenes", metavar="N", help=say("init.opt_scenes"))
@click.option("--yes", is_flag=True, help=say("init.opt_yes"))
def command(
    file: Path | None, yes: bool, language: str | None, **given: "str | tuple[str, ...] | None"
) -> None:
    """Ask what the flags do not say, and write the file."""
    from concilio.starting.answers import WrongAnswerError
    from concilio.starting.asking import Asker
    from concilio.starting.writing import CannotStartError, require_new

    wanted = require_new(file) if file is not None else None
    try:
        answers, ruleset = ask(Asker(silent=yes), language, given, wanted)
    except WrongAnswerError as error:
        raise CannotStartError(str(error)) from None
    _write(answers, ruleset, wanted)


def _write(answers: "Answers", ruleset: "Ruleset", wanted: Path | None) -> None:
    from concilio.adventure.loader import load_adventure
    from concilio.adventure.problems import AdventureErrors
    from concilio.starting.writing import (
        CannotStartError,
        adventure_text,
        file_for,
        require_new,
        write_new,
    )

    file = wanted or require_new(file_for(answers.title))
    write_new(file, adventure_text(answers))
    shown = printable(file)
    try:
        load_adventure(file, ruleset)
    except AdventureErrors as error:  # what was answered is kept all the same
        told = "; ".join(problem.message for problem in error.problems)
        raise CannotStartError(say("init.unreadable", file=shown, problem=told)) from None
    click.echo(say("init.written", file=file))
    click.echo(say("init.next", file=file), err=True)


def ask(
    asker: "Asker", language: str | None, given: "dict[str, str | tuple[str, ...] | None]", file: Path | None
) -> "tuple[Answers, Ruleset]":
    """Return all answers, and the ruleset by which they were read.

    Args:
        asker: asks for what the flags do not say.
        language: of the adventure, by its flag.
        given: the other flags by their names.
        file: where the adventure goes; rulesets beside it can be named, too.

    Raises:
        WrongAnswerError: what a flag says does not do.
    """
    from concilio.starting import answers as read

    questions = _Questions(asker, given)
    own = cast("Language", language or questions.one("language", user_language(), _language))
    follow(own)
    ruleset = questions.one("ruleset", "srd5e", lambda text: _rules(text, file))
    title = questions.one("title", say("init.default.title", own), read.one_line)
    level = questions.one("level", "1", lambda text: read.whole(text, 1, read.HIGHEST_LEVEL))
    party = questions.several("party", lambda text: read.member_of(text, own, ruleset), _name)
    names = frozenset(map(_name, party))
    cast_ = questions.several("cast", lambda text: read.other_of(text, own, ruleset, names), _name)
    items = questions.several("items", read.one_line, str)
    answers = read.Answers(
        language=own,
        ruleset=ruleset.id,
        title=title,
        level=level,
        party=party or read.default_party(own, level, ruleset),
        cast=cast_,
        items=items,
        chapter=questions.one("chapter", say("init.default.chapter", own), read.one_line),
        place=questions.one("place", say("init.default.place", own), read.one_line),
        objective=questions.one("objective", say("init.default.objective", own), read.one_line),
        scenes=questions.one("scenes", "2", lambda text: read.whole(text, 1, read.MOST_SCENES)),
    )
    return answers, ruleset


class _Questions:
    """Each question by its name: its flag answers it, else the designer."""

    def __init__(self, asker: "Asker", given: "dict[str, str | tuple[str, ...] | None]") -> None:
        self._asker, self._given = asker, given

    def one(self, name: str, default: str, read: Callable[[str], T]) -> T:
        stated = self._given.get(name)
        if stated is not None:
            return _of_flag(name, str(stated), read)
        return self._asker.one(say(f"init.ask.{name}"), default, read)

    def several(self, name: str, read: Callable[[str], T], key: Callable[[T], str]) -> tuple[T, ...]:
        from concilio.starting.answers import MOST_ENTRIES, WrongAnswerError

        stated = cast("Sequence[str]", self._given.get(name) or ())
        if len(stated) > MOST_ENTRIES:
            raise WrongAnswerError(say("init.problem.many", option=f"--{name}", most=MOST_ENTRIES))
        if stated:
            answers = (_of_flag(name, text, read) for text in stated)
            return tuple({key(answer): answer for answer in answers}.values())
        return self._asker.several(say(f"init.ask.{name}"), read, key)


def _name(one: "Member | Other") -> str:
    return one.name


def _of_flag(name: str, text: str, read: Callable[[str], T]) -> T:
    from concilio.starting.answers import WrongAnswerError

    try:
        return read(text)
    except WrongAnswerError as error:
        option = "--" + {"items": "item"}.get(name, name)
        raise WrongAnswerError(say("init.problem.flag", option=option, problem=error)) from None


def _language(text: str) -> str:
    from concilio.adventure.words import language_code
    from concilio.starting.answers import WrongAnswerError

    code = language_code(text[:40])
    if code is None:
        raise WrongAnswerError(say("init.problem.language", known=", ".join(LANGUAGES)))
    return code


def _rules(name: str, file: Path | None) -> "Ruleset":
    """Return a ruleset that ships or lies beside the adventure."""
    from concilio.adventure.detect import ruleset_names
    from concilio.starting.answers import WrongAnswerError
    from rules.ruleset import RulesetError, load_ruleset

    beside = file.parent if file else Path()
    known = ruleset_names(beside)
    if name not in known:
        raise WrongAnswerError(say("init.problem.ruleset", found=name[:60], known=", ".join(known)))
    try:
        return load_ruleset(name, beside)
    except RulesetError as error:
        raise WrongAnswerError(error.told(user_language())) from None
