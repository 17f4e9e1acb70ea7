"""Rulesets: words and figures of a game as data, read from `rules/rulesets/<id>/*.yaml`.

A ruleset is a folder of YAML files whose top-level keys are merged, and may extend another one: an
entry given anew replaces single keys, `null` takes an entry away. Every load is validated and cached.
Long tables (creatures, spells, encounters …) lie in `tables/` and are read when first asked for.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import PrivateAttr, ValidationError

from rules.entries import (
    ActionEntry,
    ClassEntry,
    ConditionEntry,
    Count,
    CoverEntry,
    Difficulty,
    Entry,
    Kind,
    Model,
    Names,
    Sheet,
    Skill,
    Unit,
    WordStatus,
)
from rules.figures import Burning, Falling, FallingBySize, Suffocation, Trap
from rules.folding import fold_words, split_words
from rules.references import check_references
from rules.rulefaults import wrong_value
from rules.rulefiles import RulesetError, read_folder
from rules.tables import SECTIONS, Part, Tables, name_index, name_key

if TYPE_CHECKING:
    from rules.bestiary import Creature
    from rules.combat import CombatRules
    from rules.figures import Encounters, Light, LightLevel, Typical
    from rules.spellbook import Spell

__all__ = [
    "SHIPPED",
    "ClassEntry",
    "DcLadder",
    "Entry",
    "Falling",
    "Kind",
    "Names",
    "Ruleset",
    "RulesetError",
    "load_ruleset",
]

SHIPPED = Path(__file__).parent / "rulesets"
_MOST_KEPT = 50_000
"""Words of which is remembered which names begin with them or are near them; then all are forgotten."""
NEAR_ENOUGH = 60
"""Least likeness, 0 to 100, for a word to be offered in place of another that begins like it."""
SURELY_NEAR = 80
"""Least likeness for a word to be offered that may begin otherwise."""
SAME_BEGINNING = 5
"""Letters with which a word begins that is taken for another form of a name."""


@dataclass(frozen=True, slots=True)
class DcLadder:
    """The steps of the difficulty classes, the lowest first."""

    steps: tuple[tuple[int, str], ...]
    """DC, and id of the difficulty."""

    def nearest(self, dc: int) -> str | None:
        """Return the difficulty nearest to a DC, the lower of two as near; None where the ladder is empty."""
        return min(self.steps, key=lambda step: (abs(step[0] - dc), step[0]))[1] if self.steps else None

    def at_least(self, dc: int) -> str | None:
        """Return the first difficulty that is not below a DC; None where it is above them all."""
        place = bisect_left(self.steps, dc, key=lambda step: step[0])
        return self.steps[place][1] if place < len(self.steps) else None


class Ruleset(Model):
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
    rejected: dict[str, dict[str, tuple[str, ...]]] = {}
    """By kind and language: words that look like a word of these rules and are none."""
    plurals: dict[str, tuple[tuple[str, str], ...]] = {}
    """By language: endings of words in the plural, and of the forms that they are found under."""
    falling: Falling | None = None
    falling_by_size: FallingBySize | None = None
    suffocation: Suffocation | None = None
    burning: Burning | None = None
    natural: dict[Literal["attack", "check", "save"], dict[Count, Literal["critical_hit", "miss"]]] = {}
    """By kind of roll: what a number on the die does by itself; a kind with nothing has no such numbers."""
    traps: dict[str, Trap] = {}
    sheet: Sheet | None = None
    _tables: Tables = PrivateAttr(default_factory=Tables)

    @classmethod
    def of(cls, data: Mapping[str, Any], tables: Tables) -> "Ruleset":
        """Return the ruleset of these sections and tables.

        Raises:
            ValidationError: a section is wrong.
        """
        ruleset = cls.model_validate(data)
        ruleset._tables = tables
        return ruleset

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
        }

    @cached_property
    def _index(self) -> dict[tuple[str, str], dict[str, tuple[str, WordStatus]]]:
        return {}

    def entries(self, kind: Kind) -> Mapping[str, Entry]:
        """Return what the ruleset has of a kind, by id, in the order of its files."""
        return self._entries(kind)

    def _entries(self, kind: str) -> Mapping[str, Entry]:
        return self._tables.named("spells") if kind == "spell" else self._sections[kind]

    def word(self, kind: Kind, id: str, language: str) -> str:
        """Return the canonical word of a thing (`word("skill", "stealth", "es") == "Sigilo"`).

        Raises:
            KeyError: no such id, or it has no word in that language.
        """
        return self._entries(kind)[id].names[language].word

    def printed(self, kind: Kind, id: str, language: str) -> str:
        """Return how a thing is printed inside a phrase (`de fuego` after `daño`).

        Raises:
            KeyError: no such id, or it has no word in that language.
        """
        names = self._entries(kind)[id].names[language]
        return names.printed or names.word

    def forms(self, kind: Kind, language: str) -> Iterator[tuple[str, str, WordStatus, bool]]:
        """Yield every written form of a kind: text, id, status, and whether plain narration uses it too."""
        endings = self.inflections.get(language, {})
        for key, entry in self._entries(kind).items():
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
        known = self._near.get((kind, text, language))
        if known is None:
            if len(self._near) > _MOST_KEPT:
                self._near.clear()
            key, _ = self.lookup(kind, text, language)
            if key is None:
                key = _nearest_id(fold_words(text), self._index[kind, language])
            known = self._near[kind, text, language] = self.word(kind, key, language) if key else ""
        return known or None

    def ability_of(self, skill: str) -> str:
        """Return the ability of a skill (`stealth` → `dex`).

        Raises:
            KeyError: no such skill.
        """
        return self.skills[skill].ability

    @cached_property
    def dc_ladder(self) -> DcLadder:
        """The difficulty classes in order."""
        return DcLadder(tuple(sorted((d.dc, key) for key, d in self.difficulties.items())))

    @property
    def creatures(self) -> Mapping[str, "Creature"]:
        """All creatures by id; read at the first use.

        Raises:
            RulesetError: a table is wrong; says file and key.
        """
        return self._tables.get("creatures")

    @property
    def spells(self) -> Mapping[str, "Spell"]:
        """All spells by id; read at the first use.

        Raises:
            RulesetError: a table is wrong; says file and key.
        """
        return self._tables.get("spells")

    @property
    def encounters(self) -> Mapping[str, "Encounters"]:
        """How hard fights are, by edition (`2014`, `2024`)."""
        return self._tables.get("encounters")

    @property
    def encounter(self) -> "Encounters | None":
        """How hard fights are by the ruleset's own edition: the first that it has."""
        return next(iter(self.encounters.values()), None)

    @property
    def lights(self) -> Mapping[str, "Light"]:
        """Sources of light by id."""
        return self._tables.get("lights")

    @property
    def light_levels(self) -> Mapping[str, "LightLevel"]:
        """Degrees of light by id."""
        return self._tables.get("light_levels")

    @property
    def typical(self) -> Mapping[str, "Typical"]:
        """What is typical of creatures, by challenge rating as written (`1/4`, `5`)."""
        return self._tables.get("typical")

    @property
    def combat(self) -> "CombatRules":
        """How a fight goes under these rules."""
        return self._tables.get("combat")

    def find_creature(self, text: str, language: str) -> "Creature | None":
        """Return the creature of that name, singular or plural, in that language, else in another one."""
        key = self._find_named("creatures", text, language)
        return self.creatures[key] if key else None

    def opens_creature(self, word: str, language: str) -> bool:
        """Tell whether the name of a creature may begin with a word, in any language.

        It is asked of each word of a text, and answers from memory: a text repeats its words.
        """
        known = self._openings.get((word, language))
        if known is None:
            if len(self._openings) > _MOST_KEPT:
                self._openings.clear()
            first = split_words(word)[:1]
            known = self._openings[word, language] = any(
                name_key(one, self.plurals.get(tongue, ())) in self._creature_heads(tongue)
                for one in first
                for tongue in {language, *self.languages}
            )
        return known

    def _creature_heads(self, language: str) -> frozenset[str]:
        heads = self._heads.get(language)
        if heads is None:
            names = self._names_of("creatures", language)
            heads = self._heads[language] = frozenset(name.partition(" ")[0] for name in names)
        return heads

    def find_spell(self, text: str, language: str) -> "Spell | None":
        """Return the spell of that name in that language, else in another one; known errors are not found."""
        key = self._find_named("spells", text, language)
        return self.spells[key] if key else None

    def _find_named(self, section: str, text: str, language: str) -> str | None:
        for tongue in (language, *(one for one in self.languages if one != language)):
            endings = self.plurals.get(tongue, ()) if section == "creatures" else ()
            key = self._names_of(section, tongue).get(name_key(text, endings))
            if key is not None:
                return key
        return None

    def _names_of(self, section: str, language: str) -> dict[str, str]:
        index = self._names.get((section, language))
        if index is None:
            endings = self.plurals.get(language, ()) if section == "creatures" else ()
            index = name_index(self._tables.named(section), language, endings)
            self._names[section, language] = index
        return index

    @cached_property
    def _names(self) -> dict[tuple[str, str], dict[str, str]]:
        return {}

    @cached_property
    def _near(self) -> dict[tuple[Kind, str, str], str]:
        return {}

    @cached_property
    def _openings(self) -> dict[tuple[str, str], bool]:
        return {}

    @cached_property
    def _heads(self) -> dict[str, frozenset[str]]:
        return {}


def _nearest_id(text: str, index: Mapping[str, tuple[str, WordStatus]]) -> str | None:
    from rapidfuzz import fuzz, process

    best = process.extractOne(text, list(index), scorer=fuzz.ratio, score_cutoff=NEAR_ENOUGH)
    if best is None or (best[1] < SURELY_NEAR and not _begin_alike(text, best[0])):
        return None  # `nadar` is 67 % of `engañar`, and no slip of it
    return index[best[0]][0]


def _begin_alike(one: str, other: str) -> bool:
    return len(one) >= SAME_BEGINNING and one[:SAME_BEGINNING] == other[:SAME_BEGINNING]


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
        name: id of a shipped ruleset, or of one inside `folder`: a folder `<name>/`, or a file `<name>.yaml`.
        folder: where a user's own rulesets lie, in it or in its folder `rulesets`; looked into first.

    Raises:
        RulesetError: no such ruleset, or its files are wrong; says file and key.
    """
    return _load(name, folder.resolve() if folder else None)


@cache
def _load(name: str, folder: Path | None) -> Ruleset:
    own = (folder / "rulesets", folder) if folder else ()
    files = read_folder(name, (*own, SHIPPED), SECTIONS)
    tables = Tables(tuple(Part(*part) for part in files.late))
    try:
        ruleset = Ruleset.of(files.data, tables)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise wrong_value(files.origin(first["loc"]), key, first, Ruleset, SECTIONS) from None
    check_references(ruleset, files.origin)
    for section in sorted({part.section for part in tables.parts if not part.file.is_relative_to(SHIPPED)}):
        tables.get(section)  # what a user wrote is judged at once; what ships is, by the tests
    return ruleset
