"""What a designer says of a new adventure, read answer by answer and held against the ruleset at once."""

from collections.abc import Collection
from dataclasses import dataclass, field

from concilio.adventure.party import class_id, party_of
from concilio.adventure.source import clean
from concilio.catalogue import LANGUAGES, say
from concilio.domain.adventure import Adventure
from concilio.domain.base import Language, fold
from rules.ruleset import Ruleset

LONGEST = 600
"""Characters of one answer; more is an outline of its own and belongs into the file."""
MOST_ENTRIES = 30
"""Characters, others or things that one call or one session of questions takes."""
MOST_SCENES = 40
HIGHEST_LEVEL = 20


class WrongAnswerError(ValueError):
    """An answer that does not do; the message says what would, in the user's language."""


@dataclass(frozen=True, slots=True)
class Member:
    """A player's character."""

    name: str
    class_: str = ""
    """The ruleset's word in the adventure's language; empty where none was given."""


@dataclass(frozen=True, slots=True)
class Other:
    """Somebody who is not a player's character: by a creature of the ruleset, or by a note."""

    name: str
    note: str = ""
    stat_block: str = ""


@dataclass(frozen=True, slots=True)
class Answers:
    """All that a new adventure is made from."""

    language: Language
    ruleset: str
    title: str
    level: int
    party: tuple[Member, ...]
    chapter: str
    """Title of the first chapter."""
    place: str
    objective: str
    scenes: int
    cast: tuple[Other, ...] = field(default=())
    items: tuple[str, ...] = field(default=())


def one_line(text: str) -> str:
    """Return an answer as one printable line.

    Raises:
        WrongAnswerError: nothing is left of it, or it is too long.
    """
    line = fold(clean(text[: LONGEST * 2]))
    if not any(c.isalnum() for c in line):
        raise WrongAnswerError(say("init.problem.empty"))
    if len(line) > LONGEST:
        raise WrongAnswerError(say("init.problem.long", most=LONGEST))
    return line


def whole(text: str, least: int, most: int) -> int:
    """Return a whole number within bounds.

    Raises:
        WrongAnswerError: it is none, or outside.
    """
    figure = text.strip()
    if not (figure.isascii() and figure.isdecimal() and len(figure) < 5 and least <= int(figure) <= most):
        raise WrongAnswerError(say("init.problem.number", least=least, most=most))
    return int(figure)


def member_of(text: str, language: str, ruleset: Ruleset) -> Member:
    """Return the character of `name: class`, of a name, or of a class alone.

    Raises:
        WrongAnswerError: the ruleset has no such class.
    """
    name, class_ = _pair(text)
    if not class_:
        found = class_id(name, ruleset)
        return Member(_capital(name), ruleset.word("class", found, language)) if found else Member(name)
    if not ruleset.classes:
        return Member(name, class_)
    found = class_id(class_, ruleset)
    if found is None:
        raise WrongAnswerError(_no_class(class_, language, ruleset))
    return Member(name, ruleset.word("class", found, language))


def _no_class(text: str, language: str, ruleset: Ruleset) -> str:
    near = ruleset.nearest("class", text[:60], language)
    if near:
        return say("init.problem.class_near", found=text[:60], near=near)
    known = ", ".join(ruleset.word("class", one, language) for one in ruleset.classes)
    return say("init.problem.class", found=text[:60], known=known)


def other_of(text: str, language: str, ruleset: Ruleset, party: Collection[str] = frozenset()) -> Other:
    """Return somebody of `name: who it is`; where that is a creature of the ruleset, with its stat block.

    Raises:
        WrongAnswerError: there is no name, or it is that of a character of the party.
    """
    name, note = _pair(text)
    if name in party:
        raise WrongAnswerError(say("init.problem.in_party", name=name[:60]))
    said = note or name
    for own in dict.fromkeys((language, *LANGUAGES)):
        if ruleset.find_creature(said, own) is not None:
            return Other(name, stat_block=said)
    return Other(name, note)


def default_party(language: Language, level: int, ruleset: Ruleset) -> tuple[Member, ...]:
    """Return the four characters who play where nobody is named."""
    nobody = Adventure(title="-", language=language, level=level)
    return tuple(Member(one.name, one.class_ or "") for one in party_of(nobody, ruleset))


def _pair(text: str) -> tuple[str, str]:
    name, _, rest = one_line(text).partition(":")
    name, rest = name.strip(), rest.strip()
    if not any(c.isalnum() for c in name):
        raise WrongAnswerError(say("init.problem.no_name"))
    return name, rest


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
