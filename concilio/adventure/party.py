"""The party in figures: what the designer states wins, the rest is a default sheet of class and level."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from concilio.adventure.words import words_of
from concilio.catalogue import LANGUAGES
from concilio.domain.adventure import Adventure, PartyMember
from rules.facts import PartySheet
from rules.ruleset import ClassEntry, Ruleset

_MOST_SCORE = 20
_INCREASE = 2
_PLAIN_SCORE = 10
_PLAIN_DIE = 8


def level_of(party: Sequence[Mapping[str, Any]]) -> int:
    """Return the level of an adventure that states none: the mean of its party's levels, rounded; else 1."""
    levels = [int(values["level"]) for values in party if "level" in values]
    return (2 * sum(levels) + len(levels)) // (2 * len(levels)) if levels else 1


def party_members(
    entries: Sequence[Mapping[str, Any]], level: int, language: str, ruleset: Ruleset | None
) -> tuple[PartyMember, ...]:
    """Return the members that the entries of a front matter state.

    An entry that is a class alone, or states no name, is named after its class (`Pícaro`, `Pícaro 2`); one
    without level has the adventure's.
    """
    taken: Counter[str] = Counter()
    members: list[PartyMember] = []
    for entry in entries:
        values = dict(entry)
        if set(values) == {"name"} and class_id(values["name"], ruleset) is not None:
            values = {"class": values["name"]}
        if "name" not in values:
            word = _capital(str(values.get("class") or words_of(language)["someone"]))
            taken[word] += 1
            values["name"] = word if taken[word] == 1 else f"{word} {taken[word]}"
        members.append(PartyMember.model_validate({"level": level, **values}))
    return tuple(members)


def party_of(adventure: Adventure, ruleset: Ruleset) -> tuple[PartyMember, ...]:
    """Return the adventure's party, or four default characters of its level where it states none."""
    if adventure.party:
        return adventure.party
    language = adventure.language
    return tuple(
        PartyMember.model_validate(
            {"name": one["name"], "class": _word(one["class"], language, ruleset), "level": adventure.level}
        )
        for one in words_of(language)["party"]
    )


def _word(class_id: str, language: str, ruleset: Ruleset) -> str | None:
    return ruleset.word("class", class_id, language) if class_id in ruleset.classes else None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def class_id(text: str | None, ruleset: Ruleset | None) -> str | None:
    """Return the id of a class by its name in any language of ours, or None."""
    if text is None or ruleset is None:
        return None
    found = (ruleset.find("class", text, language) for language in LANGUAGES)
    return next((one for one in found if one is not None), None)


def default_sheet(member: PartyMember, level: int, ruleset: Ruleset) -> PartySheet:
    """Return a member's sheet: what is stated wins, the rest is what a character of its class mostly has.

    Scores are the ruleset's array by the class's order of importance, raised at the class's levels; no
    bonus of a people is added. Hit points are the die's maximum at level 1 and its mean, rounded up, at each
    other. A member without a known class gets the array's middle: plain tens, and no proficiency in skills.

    Args:
        member: as the adventure states it.
        level: level of the sheet, 1 to 20; the member's own when it is loaded by `load_adventure`.
        ruleset: gives classes, skills and proficiency.
    """
    entry = ruleset.classes.get(class_id(member.class_, ruleset) or "")
    scores = {**_scores(entry, level, ruleset), **member.abilities}
    modifiers = {ability: (score - 10) // 2 for ability, score in scores.items()}
    proficiency = ruleset.sheet.proficiency[level - 1] if ruleset.sheet else 2
    return PartySheet(
        name=member.name,
        level=level,
        class_id=class_id(member.class_, ruleset),
        abilities=modifiers,
        proficiency=proficiency,
        skills={**_skills(entry, level, modifiers, proficiency, ruleset), **member.skills},
        saves=_saves(entry, modifiers, proficiency),
        ac=member.ac or _armor_class(entry, modifiers),
        hp=member.hp or _hit_points(entry, level, modifiers.get("con", 0)),
    )


def _scores(entry: ClassEntry | None, level: int, ruleset: Ruleset) -> dict[str, int]:
    if entry is None or ruleset.sheet is None:
        return dict.fromkeys(ruleset.abilities, _PLAIN_SCORE)
    scores = dict.fromkeys(ruleset.abilities, _PLAIN_SCORE)
    scores.update(zip(entry.abilities, ruleset.sheet.scores, strict=False))
    left = _INCREASE * sum(level >= at for at in entry.increases)
    for ability in entry.abilities:
        spent = min(left, _MOST_SCORE - scores[ability])
        scores[ability] += spent
        left -= spent
    return scores


def _skills(
    entry: ClassEntry | None, level: int, modifiers: Mapping[str, int], proficiency: int, ruleset: Ruleset
) -> dict[str, int]:
    trained = entry.skills if entry else ()
    grades = entry.expertise.items() if entry else ()
    expert = {skill for at, skills in grades if level >= at for skill in skills}
    return {
        skill: modifiers.get(ruleset.ability_of(skill), 0)
        + proficiency * ((skill in trained) + (skill in expert))
        for skill in ruleset.skills
    }


def _saves(entry: ClassEntry | None, modifiers: Mapping[str, int], proficiency: int) -> dict[str, int]:
    return {ability: modifiers.get(ability, 0) + proficiency for ability in (entry.saves if entry else ())}


def _armor_class(entry: ClassEntry | None, modifiers: Mapping[str, int]) -> int:
    if entry is None:
        return 10 + modifiers.get("dex", 0)
    armor = entry.armor
    limits = {"dex": armor.most_dex} if armor.most_dex is not None else {}
    added = sum(min(modifiers.get(a, 0), limits.get(a, _MOST_SCORE)) for a in armor.add)
    return armor.base + added + armor.shield


def _hit_points(entry: ClassEntry | None, level: int, constitution: int) -> int:
    die = entry.hit_die if entry else _PLAIN_DIE
    return max(level, die + constitution + (level - 1) * (die // 2 + 1 + constitution))
