"""What a check is made with: skills, abilities and their alternatives."""

from typing import NamedTuple

from rules.claims.grammar.base import closing
from rules.claims.lexicon import Meaning
from rules.claims.model import CheckOption, Joined, Named
from rules.claims.stream import Stream

MOST_OPTIONS = 8
"""Alternatives that are read of one list."""
MOST_UNKNOWN_WORDS = 4
"""Words that an unknown skill may have."""
_SEPARATORS = ("or", "and", "/", ",")
_NO_SKILL = ("tool", "check_note", "t.dc", "ability", "number", "unit", "if")
_SPEAKS_FOR_ABILITY = ("number", "check", "t.saving_throw", "t.ability_check")
_AFTER_ABILITY = ("check", "t.saving_throw", "t.ability_check", "t.dc", "(", "[", ",", "or", "and", "/", ")")
_BEFORE_ABILITY = ("check", "t.saving_throw", "t.ability_check", "of", "(", "/", "or", "and", ",")


class Options(NamedTuple):
    """Alternatives, how they are joined, and the index of the item after them."""

    options: tuple[CheckOption, ...]
    joined: Joined
    after: int


def ability_at(s: Stream, i: int) -> Meaning | None:
    """Return the ability at item `i`; an abbreviation counts only where its case and place speak for it."""
    meaning = s.get(i, "ability")
    if meaning is None or not meaning.short:
        return meaning
    written = s.written(i)
    if written.isupper():
        return meaning
    if s.any(i + 1, ("check", "t.saving_throw", "t.ability_check")):
        return meaning
    placed = s.any(i + 1, _AFTER_ABILITY) and s.any(i - 1, _BEFORE_ABILITY)
    placed = placed or (s.has(i - 1, "of") and s.any(i - 2, _SPEAKS_FOR_ABILITY))
    return meaning if written[0].isupper() and placed else None


def read_options(s: Stream, i: int) -> Options | None:
    """Read alternatives from item `i`: `Juego de Manos o Fuerza`, `Strength (Athletics)`."""
    found: list[CheckOption] = []
    joined: Joined = ""
    after = i
    while len(found) < MOST_OPTIONS:
        read = _read_option(s, i)
        if read is None:
            break
        options, after = read
        found += options
        joined = joined or _inner_join(s, i, after, len(options))
        nxt, how = _separator(s, after)
        if nxt is None or _read_option(s, nxt) is None:
            break
        joined = how or joined or "or"
        i = nxt
    return Options(tuple(found), joined if len(found) > 1 else "", after) if found else None


def _inner_join(s: Stream, i: int, after: int, count: int) -> Joined:
    if count < 2:
        return ""
    return "and" if s.find(i, after - i, ("and",), ()) is not None else "or"


def _separator(s: Stream, i: int) -> tuple[int | None, Joined]:
    """Return where the next alternative begins and how it is joined, or None."""
    if not s.any(i, _SEPARATORS):
        return None, ""
    j = s.skip(i, (",",), 1)
    how: Joined = "or" if s.has(j, "or") else "and" if s.has(j, "and") else ""
    j = s.skip(j, ("or", "and", "/"), 1)
    return s.skip(j, ("of", "article", "check"), 3), how


def _read_option(s: Stream, i: int) -> tuple[tuple[CheckOption, ...], int] | None:
    if (skill := s.get(i, "skill")) is not None:
        return _read_skill(s, i, skill)
    if (ability := ability_at(s, i)) is not None:
        return _read_ability(s, i, ability)
    return None


def _read_skill(s: Stream, i: int, skill: Meaning) -> tuple[tuple[CheckOption, ...], int]:
    """Read a skill, with the ability that may follow in brackets or after a stroke."""
    named = s.named(i, skill)
    if s.any(i + 1, ("(", "[")) and s.any(i + 3, (")", "]")):
        ability = ability_at(s, i + 2)
        if ability is not None:
            return (CheckOption(named, s.named(i + 2, ability)),), i + 4
    ability = ability_at(s, i + 2) if s.has(i + 1, "/") else None
    if ability is not None and _belong(s, skill, ability):
        return (CheckOption(named, s.named(i + 2, ability)),), i + 3
    return (CheckOption(named),), i + 1


def _belong(s: Stream, skill: Meaning, ability: Meaning) -> bool:
    return skill.id is not None and s.lexicon.ruleset.ability_of(skill.id) == ability.id


def _read_ability(s: Stream, i: int, ability: Meaning) -> tuple[tuple[CheckOption, ...], int]:
    """Read an ability, with the skills that may follow in brackets or after a stroke."""
    named = s.named(i, ability)
    if s.any(i + 1, ("(", "[")) and (end := closing(s, i + 1, 14)) is not None:
        skills = _skills_in(s, i + 2, end)
        if skills:
            return tuple(CheckOption(skill, named) for skill in skills), end + 1
        if _is_note(s, i + 2, end):
            return (CheckOption(None, named, s.written(i + 2, end)),), end + 1
    skill = s.get(i + 2, "skill") if s.has(i + 1, "/") else None
    if skill is not None and _belong(s, skill, ability):
        return (CheckOption(s.named(i + 2, skill), named),), i + 3
    return (CheckOption(None, named),), i + 1


def _is_note(s: Stream, i: int, end: int) -> bool:
    """Tell whether a bracket after an ability holds a tool or a remark, and a check or its DC follows."""
    follows = s.skip(end + 1, (",", ":", "("), 2)
    if not s.any(follows, ("check", "t.saving_throw", "t.ability_check", "t.dc")):
        return False
    return s.find(i, end - i, ("t.dc", "skill", "dice"), ()) is None


def _skills_in(s: Stream, i: int, end: int) -> tuple[Named, ...]:
    """Return the skills of a bracket, or the unknown word that stands where one must stand."""
    found: list[Named] = []
    j = i
    while j < end and (skill := s.get(j, "skill")) is not None:
        found.append(s.named(j, skill))
        j = s.skip(j + 1, (*_SEPARATORS, "of", "article"), 3)
    if found:
        return tuple(found) if j >= end or s.any(j, ("t.dc", "number", "sign")) else tuple(found[:1])
    unknown = unknown_skill(s, i, end, named=True)
    return (unknown,) if unknown else ()


def unknown_skill(s: Stream, i: int, end: int, named: bool = False) -> Named | None:
    """Return items `i` to `end` as an unknown skill where they look like the name of one.

    They do when they are words in capitals (small words between aside) that are neither tools nor notes, or
    words in small letters that are nearly the name of a skill. With `named` (they stand where nothing but a
    skill can stand) the first capital is enough (`Alquimia arcana superior`).
    """
    if not 0 < end - i <= MOST_UNKNOWN_WORDS or not all(s.is_word(k) for k in range(i, end)):
        return None
    if any(
        s.any(k, ("tool", "check_note", "t.dc", "ability", "number", "unit", "if")) for k in range(i, end)
    ):
        return None
    nearest = s.lexicon.ruleset.nearest("skill", s.written(i, end), s.lexicon.vocabulary.language)
    capitals = s.is_capital(i) and (s.is_capital(end - 1) or (named and _is_name(s, i + 1, end)))
    if nearest is None and not capitals:
        return None
    return s.named(i, Meaning(None, "unknown"), end)


def _is_name(s: Stream, i: int, end: int) -> bool:
    """Tell whether the items after a capital may belong to a name: no word of grammar among them."""
    return all(s.is_plain(k) or s.any(k, ("skill", "of")) for k in range(i, end))
