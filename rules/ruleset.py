"""Rulesets: words and figures of a game as data, read from `rules/rulesets/<id>/*.yaml`.

A ruleset is a folder of YAML files whose top-level keys are merged, and may extend another one: an
entry given anew replaces single keys, `null` takes an entry away. Every load is validated and cached.
"""

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rules.folding import fold_words
from rules.rulefiles import OriginOf, RulesetError, read_folder

__all__ = ["Entry", "Kind", "Names", "Ruleset", "RulesetError", "load_ruleset"]

SHIPPED = Path(__file__).parent / "rulesets"
NEAR_ENOUGH = 60
"""Least likeness, 0 to 100, for a word to be offered in place of another."""

Kind = Literal[
    "ability",
    "skill",
    "condition",
    "damage_type",
    "cover",
    "action",
    "term",
    "sense",
    "unit",
    "difficulty",
    "class",
    "spell",
]
WordStatus = Literal["canonical", "synonym", "wrong", "unknown"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Names(_Model):
    """The words of one thing in one language."""

    word: str = Field(min_length=1)
    """The canonical word."""
    also: tuple[str, ...] = ()
    """Other words in common use."""
    abbr: tuple[str, ...] = ()
    """Short forms, as right as the word."""
    wrong: tuple[str, ...] = ()
    """Known errors that mean this."""
    everyday: tuple[str, ...] = ()
    """Those of the words above that plain narration uses too."""
    inflect: str = ""
    """Name of the list of endings (`inflections`) by which the words bend."""
    plural: str = ""
    article: str = ""
    """Indefinite article, where the language has one by gender."""
    printed: str = ""
    """How it is printed in a phrase where that is not the word itself."""


class Entry(_Model):
    """Anything that has a name."""

    names: dict[str, Names]
    """By language."""
    source: str = ""
    """Where its figures are said."""


class Skill(Entry):
    """A skill."""

    ability: str


class ConditionEntry(Entry):
    """A condition."""

    noun: bool = False
    """It is had or gained (`exhaustion`), not been."""


class CoverEntry(Entry):
    """A degree of cover."""

    armor_class: int = 0
    """Bonus to Armor Class."""
    saves: dict[str, int] = {}
    """Bonus to saving throws by ability."""
    targetable: bool = True
    """Whether an attack or spell may target directly what has it."""


class ActionEntry(Entry):
    """An action, or what a creature spends to act."""

    economy: bool = False


class Unit(Entry):
    """A unit of length (metres) or of time (seconds); exactly one is given."""

    metres: float | None = None
    seconds: float | None = None


class Difficulty(Entry):
    """A step of the DC ladder."""

    dc: int


class Armor(_Model):
    """Armor Class of a default sheet."""

    base: int
    add: tuple[str, ...] = ()
    """Abilities whose modifiers are added."""
    most_dex: int | None = None
    shield: int = 0


class ClassEntry(Entry):
    """What a default sheet needs to know of a class."""

    hit_die: int
    """Sides."""
    saves: tuple[str, ...]
    abilities: tuple[str, ...]
    """By importance."""
    skills: tuple[str, ...]
    """What a character of the class most often takes."""
    expertise: dict[int, tuple[str, ...]] = {}
    """Skills whose proficiency counts twice, by the level from which it does."""
    armor: Armor
    increases: tuple[int, ...] = ()
    """Levels that raise ability scores by two points."""


class Sheet(_Model):
    """How default sheets are made."""

    scores: tuple[int, ...]
    """Scores to hand out, best first."""
    proficiency: tuple[int, ...] = Field(min_length=20, max_length=20)
    """Proficiency bonus by level, from 1."""
    source: str = ""


class Falling(_Model):
    """Damage of a fall."""

    metres_per_die: float = Field(gt=0)
    sides: int
    most_dice: int
    damage_type: str
    condition: str = ""
    """Condition in which a creature lands."""
    source: str = ""

    def dice(self, metres: float) -> int:
        """Return how many dice a fall of that many metres deals."""
        return min(self.most_dice, int(metres / self.metres_per_die + 1e-9))


class TrapDamage(_Model):
    """Damage up to a level."""

    to_level: int
    dice: str = Field(pattern=r"^\d{1,3}d\d{1,3}$")


class Trap(_Model):
    """A severity of traps and other harm by the environment."""

    save_dc: tuple[int, int]
    """Least and most."""
    attack: tuple[int, int]
    damage: tuple[TrapDamage, ...] = Field(min_length=1)
    source: str = ""

    def damage_at(self, level: int) -> str:
        """Return the dice for a party of that level."""
        return next((d.dice for d in self.damage if level <= d.to_level), self.damage[-1].dice)


class Ruleset(_Model):
    """A whole ruleset, parents merged in."""

    id: str
    title: dict[str, str] = {}
    extends: str | None = None
    languages: tuple[str, ...] = ("es", "en")
    sources: dict[str, str] = {}
    inflections: dict[str, dict[str, tuple[str, ...]]] = {}
    """Lists of endings by language and name; the first is the one that words carry."""
    abilities: dict[str, Entry] = {}
    skills: dict[str, Skill] = {}
    conditions: dict[str, ConditionEntry] = {}
    damage_types: dict[str, Entry] = {}
    cover: dict[str, CoverEntry] = {}
    actions: dict[str, ActionEntry] = {}
    terms: dict[str, Entry] = {}
    senses: dict[str, Entry] = {}
    units: dict[str, Unit] = {}
    difficulties: dict[str, Difficulty] = {}
    classes: dict[str, ClassEntry] = {}
    spells: dict[str, Entry] = {}
    rejected: dict[str, dict[str, tuple[str, ...]]] = {}
    """By kind and language: words that look like a word of these rules and are none."""
    falling: Falling | None = None
    traps: dict[str, Trap] = {}
    sheet: Sheet | None = None

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    @cached_property
    def _sections(self) -> dict[str, Mapping[str, Entry]]:
        return {
            "ability": self.abilities,
            "skill": self.skills,
            "condition": self.conditions,
            "damage_type": self.damage_types,
            "cover": self.cover,
            "action": self.actions,
            "term": self.terms,
            "sense": self.senses,
            "unit": self.units,
            "difficulty": self.difficulties,
            "class": self.classes,
            "spell": self.spells,
        }

    @cached_property
    def _index(self) -> dict[tuple[str, str], dict[str, tuple[str, WordStatus]]]:
        return {}

    def entries(self, kind: Kind) -> Mapping[str, Entry]:
        """Return what the ruleset has of a kind, by id, in the order of its files."""
        return self._sections[kind]

    def word(self, kind: Kind, id: str, language: str) -> str:
        """Return the canonical word of a thing (`word("skill", "stealth", "es") == "Sigilo"`).

        Raises:
            KeyError: no such id, or it has no word in that language.
        """
        return self._sections[kind][id].names[language].word

    def printed(self, kind: Kind, id: str, language: str) -> str:
        """Return how a thing is printed inside a phrase (`de fuego` after `daño`).

        Raises:
            KeyError: no such id, or it has no word in that language.
        """
        names = self._sections[kind][id].names[language]
        return names.printed or names.word

    def forms(self, kind: Kind, language: str) -> Iterator[tuple[str, str, WordStatus, bool]]:
        """Yield every written form of a kind: text, id, status, and whether plain narration uses it too."""
        endings = self.inflections.get(language, {})
        for key, entry in self._sections[kind].items():
            if (names := entry.names.get(language)) is not None:
                yield from _forms_of(key, names, endings.get(names.inflect, ()))

    def lookup(self, kind: Kind, text: str, language: str) -> tuple[str | None, WordStatus]:
        """Return the id that a word means and how it stands to the ruleset; case and accents are folded."""
        index = self._index.get((kind, language))
        if index is None:
            index = self._index[kind, language] = self._index_of(kind, language)
        return index.get(fold_words(text), (None, "unknown"))

    def _index_of(self, kind: Kind, language: str) -> dict[str, tuple[str, WordStatus]]:
        index: dict[str, tuple[str, WordStatus]] = {}
        for text, key, status, _ in self.forms(kind, language):
            index.setdefault(fold_words(text), (key, status))
        return index

    def find(self, kind: Kind, text: str, language: str) -> str | None:
        """Return the id of a canonical word, synonym or abbreviation, or None; known errors are not found."""
        key, status = self.lookup(kind, text, language)
        return key if status in ("canonical", "synonym") else None

    def nearest(self, kind: Kind, text: str, language: str) -> str | None:
        """Return the canonical word that a text most likely means, or None where nothing is near."""
        key, _ = self.lookup(kind, text, language)
        if key is None:
            key = _nearest_id(fold_words(text), self._index[kind, language])
        return self.word(kind, key, language) if key else None

    def ability_of(self, skill: str) -> str:
        """Return the ability of a skill (`stealth` → `dex`).

        Raises:
            KeyError: no such skill.
        """
        return self.skills[skill].ability


def _nearest_id(text: str, index: Mapping[str, tuple[str, WordStatus]]) -> str | None:
    from rapidfuzz import fuzz, process

    best = process.extractOne(text, list(index), scorer=fuzz.ratio, score_cutoff=NEAR_ENOUGH)
    return index[best[0]][0] if best else None


def _forms_of(
    key: str, names: Names, endings: tuple[str, ...]
) -> Iterator[tuple[str, str, WordStatus, bool]]:
    groups: tuple[tuple[tuple[str, ...], WordStatus], ...] = (
        ((names.word, *names.abbr), "canonical"),
        (names.also, "synonym"),
        (names.wrong, "wrong"),
    )
    for texts, status in groups:
        for text in texts:
            everyday = text in names.everyday
            yield text, key, status, everyday
            if endings and text not in names.abbr and text.endswith(endings[0]):
                stem = text[: len(text) - len(endings[0])]
                for ending in endings[1:]:
                    yield stem + ending, key, status, everyday


def load_ruleset(name: str = "srd5e", folder: Path | None = None) -> Ruleset:
    """Return a ruleset by name, parents merged in; the same object every time.

    Args:
        name: id of a shipped ruleset, or of a folder inside `folder`.
        folder: where a user's own rulesets lie; looked into first.

    Raises:
        RulesetError: no such ruleset, or its files are wrong; says file and key.
    """
    return _load(name, folder.resolve() if folder else None)


@cache
def _load(name: str, folder: Path | None) -> Ruleset:
    data, origin = read_folder(name, tuple(p for p in (folder, SHIPPED) if p))
    try:
        ruleset = Ruleset.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise RulesetError(origin(first["loc"]), key, first["msg"]) from None
    _check_references(ruleset, origin)
    return ruleset


def _references(ruleset: Ruleset) -> Iterator[tuple[tuple[str, ...], str, Mapping[str, Entry]]]:
    for key, skill in ruleset.skills.items():
        yield ("skills", key, "ability"), skill.ability, ruleset.abilities
    for key, cover in ruleset.cover.items():
        yield from ((("cover", key, "saves"), ability, ruleset.abilities) for ability in cover.saves)
    for key, entry in ruleset.classes.items():
        for field, ids in (
            ("saves", entry.saves),
            ("abilities", entry.abilities),
            ("armor", entry.armor.add),
        ):
            yield from ((("classes", key, field), id_, ruleset.abilities) for id_ in ids)
        yield from ((("classes", key, "skills"), id_, ruleset.skills) for id_ in entry.skills)
    if ruleset.falling:
        yield ("falling", "damage_type"), ruleset.falling.damage_type, ruleset.damage_types


def _check_references(ruleset: Ruleset, origin: OriginOf) -> None:
    for where, wanted, section in _references(ruleset):
        if wanted not in section:
            raise RulesetError(origin(where), ".".join(where), f"there is no {wanted!r}")
    for key, unit in ruleset.units.items():
        if (unit.metres is None) == (unit.seconds is None):
            where = ("units", key)
            raise RulesetError(origin(where), ".".join(where), "give either metres or seconds")
