"""The beats: dramatic building blocks of scenes as data; what is not text stands in `shape.yaml`.

Two sorts: *moves* open a chapter or thicken it (`stealth.rounds`); *deeds* (`deed.take`) are its
decisive moment, one for each kind of objective, so that the last check is the objective itself. Texts
are templates with slots in braces (`{place}`); `agents.embedded.slots` fills them. Rules for who writes
a beat:

- Slots that carry words of the outline are filled with article and preposition, so that no adjective,
  participle or pronoun may agree with them; only `{foe}` and `{voice}` are subjects, of singular verbs.
  A deed names no `{foe}`.
- `{goal}` and `{deed}` are bare infinitive clauses, without full stop: Spanish "sustraer la gema",
  English "steal the gem".
- A text of a deed that supposes somebody who opposes it begins with `{opposed}`, which prints nothing;
  each list has a text without it. Pairs have it in their fact.
- An outcome is a pair: the fact, which plan and prose both say, and a sentence on how it is perceived.
- `{harm}` stands in every fact of the failure of a beat with `harm`, `{boon}` in every success of one
  with a `boon`.
- A way of using a skill is a bare infinitive phrase without commas that the skill fits
  (`lexicon/skills.yaml`).
- Openings and speech bring no scenery of their own: what the place looks like is said by the palette of
  its class.

`python -m agents.embedded.beats` checks all files and prints each fault.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import yaml
from annotated_types import Len
from pydantic import BaseModel, ConfigDict, ValidationError

from agents.embedded.loading import LANGUAGES, LEXICON, load_yaml

SceneType = Literal["combat", "stealth", "social", "exploration", "puzzle", "chase", "survival", "protect"]
Position = Literal["opening", "middle", "climax"]
Degree = Literal["success", "partial", "failure"]
Skill = Literal[
    "acrobatics", "animal_handling", "arcana", "athletics", "deception", "history", "insight", "intimidation",
    "investigation", "medicine", "nature", "perception", "performance", "persuasion", "religion",
    "sleight_of_hand", "stealth", "survival",
]  # fmt: skip
DamageType = Literal[
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic",
    "radiant", "slashing", "thunder",
]  # fmt: skip
TYPES: tuple[SceneType, ...] = get_args(SceneType)
DEGREES: tuple[Degree, ...] = get_args(Degree)
FOLDER = Path(__file__).parent / "beats"
FILES = ("moves", "deeds")
DEED = "deed."
"""How the id of a deed begins."""

OPPOSED = "opposed"
"""Slot of nothing that stands in every text of a deed that supposes somebody to oppose it."""
_NOUNS = ("place", "foe", "item", "tactic")
_CASES = {"foe": ("of", "to"), "place": ("in", "of", "to"), "item": ("of", "to"), "tactic": ("of", "to")}
NOUN_SLOTS: frozenset[str] = frozenset(
    [
        *_NOUNS,
        "voice",
        "goal",
        "deed",
        OPPOSED,
        *(f"{case}_{noun}" for noun in _NOUNS for case in _CASES[noun]),
    ]
)
SHORTEST_REPEAT = 4
"""Words from which two equal sentences are a repetition."""
_SLOT = re.compile(r"\{([^{}]*)\}")
_SENTENCE_END = re.compile(r"[.!?…]+[»”\"')]*(?:\s+|$)")

Two = Annotated[tuple[str, ...], Len(2)]
Pair = tuple[str, str]
"""A fact and how it is perceived."""
Pairs = Annotated[tuple[Pair, ...], Len(2)]


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Shape(_Data):
    """What is not text of a beat."""

    at: Annotated[tuple[Position, ...], Len(1)]
    types: tuple[SceneType, ...] = ()
    """Scene types that a move serves, its own first; none for a deed."""
    foe: Literal["none", "any", "person", "partner", "watch", "host", "beast"] = "any"
    """Whom its texts need: nobody, anything, one that thinks and speaks, such a one or whoever decides,
    those who keep the place, somebody of the place who is no enemy, or a creature without speech."""
    speaker: Literal["foe", "ally", "aided", "decider"] = "foe"
    """Who says its lines: an opponent, a companion, whom the objective is about, or whoever decides on
    what is asked for."""
    setting: Literal["any", "peopled", "outdoors", "afloat"] = "any"
    tracking: bool = False
    """It follows a trail: no move for those who flee."""
    flow: Literal["flee", "pursue"] | None = None
    """Which way a chase goes, as the party runs it."""
    fight: bool = False
    """Initiative is rolled."""
    harm: Literal["none", "setback", "dangerous"] = "none"
    """Severity of the damage in the failure, by the trap table of SRD 5.1."""
    harm_type: DamageType = "bludgeoning"
    boon: Literal["none", "half_cover", "three_quarters_cover"] = "none"
    """What a success gives by the rules, if anything."""
    main: Annotated[tuple[Skill, ...], Len(1)]
    other: Annotated[tuple[Skill, ...], Len(1)]
    """Skills of the first and of the second way, best first."""


class Words(_Data):
    """The texts of a beat in one language."""

    titles: Two
    thwart: str = ""
    """A deed's: what whoever opposes it is after, as a clause that follows *does everything*."""
    situation: Two
    ways: dict[str, str]
    """What one does with each skill: a bare infinitive phrase."""
    success: Pairs
    partial: Pairs
    failure: Pairs
    state: Two
    opening: Two
    pressure: Two
    speech: Two


class Beat(_Data):
    """One dramatic move."""

    id: str
    shape: Shape
    words: Words

    @property
    def is_deed(self) -> bool:
        """Tell whether it is the decisive moment of a kind of objective."""
        return self.id.startswith(DEED)


def _words(language: str) -> dict[str, Any]:
    """Return the raw texts of a language by beat id."""
    found: dict[str, Any] = {}
    for name in FILES:
        found |= load_yaml(FOLDER / language / f"{name}.yaml")
    return found


def _made(beat_id: str, shape: Any, words: Any) -> Beat:
    return Beat.model_validate({"id": beat_id, "shape": shape, "words": words})


@cache
def all_beats(language: str) -> Mapping[str, Beat]:
    """Return every beat of a language by id, in the order of the shapes.

    Raises:
        FileNotFoundError: a file is missing.
        KeyError: a beat has no texts in that language.
        pydantic.ValidationError: a file has not the form.
    """
    words = _words(language)
    return {key: _made(key, shape, words[key]) for key, shape in load_yaml(FOLDER / "shape.yaml").items()}


def moves_of(language: str, kind: str) -> tuple[Beat, ...]:
    """Return the moves that serve a scene type, its own before those that it borrows."""
    found = [beat for beat in all_beats(language).values() if kind in beat.shape.types]
    return tuple(sorted(found, key=lambda beat: beat.shape.types[0] != kind))


def deed_beat(language: str, deed: str) -> Beat:
    """Return the decisive moment of a kind of objective (`take`)."""
    return all_beats(language)[f"{DEED}{deed}"]


def kind_of(beat: Beat, default: str) -> str:
    """Return the scene type to which a move belongs; a deed is of the chapter's own."""
    return beat.shape.types[0] if beat.shape.types else default


def supposes_a_foe(text: str) -> bool:
    """Tell whether a text of a deed makes sense only where somebody opposes it."""
    return f"{{{OPPOSED}}}" in text


def sentences(text: str) -> list[str]:
    """Cut a text into its sentences, without their closing marks."""
    return [piece.strip() for piece in _SENTENCE_END.split(text) if piece.strip()]


# --- checking the files -------------------------------------------------------------------------------


def texts_of(beat: Beat) -> Iterator[tuple[str, str]]:
    """Yield (where, text) of each template that is a whole sentence or more, and of each title."""
    words = beat.words
    for name in ("titles", "situation", "state", "opening", "pressure", "speech"):
        yield from ((f"{name}[{i}]", text) for i, text in enumerate(getattr(words, name)))
    for degree in DEGREES:
        for i, pair in enumerate(getattr(words, degree)):
            yield f"{degree}[{i}].fact", pair[0]
            yield f"{degree}[{i}].seen", pair[1]


def _wanted_slots(beat: Beat, where: str) -> tuple[str, ...]:
    """Return the mechanical slots that a text must hold."""
    if where.startswith("failure") and where.endswith("fact") and beat.shape.harm != "none":
        return ("harm",)
    if where.startswith("success") and where.endswith("fact") and beat.shape.boon != "none":
        return ("boon",)
    return ()


def _slot_faults(beat: Beat, where: str, text: str) -> Iterator[str]:
    slots: list[str] = _SLOT.findall(text)
    mechanical = tuple(slot for slot in slots if slot not in NOUN_SLOTS)
    wanted = _wanted_slots(beat, where)
    if mechanical != wanted:
        yield f"mechanical slots {mechanical or '()'}; wanted {wanted or '()'}"
    if where.startswith("speech") and "{voice}" not in text:
        yield "a spoken line names its {voice}"
    foes = {"foe", "of_foe", "to_foe"} & set(slots)
    if foes and (beat.is_deed or beat.shape.foe == "none"):
        yield "a beat that needs no foe names one"
    if beat.is_deed and where.startswith(DEGREES) and where.endswith("fact") and "{deed}" not in text:
        yield "an outcome of a deed says what became of the {deed}"
    if where.endswith("seen") and slots:
        yield "how an outcome is perceived has no slots"


_UNCONTRACTED = re.compile(r"\b(?:[Aa]|[Dd]e) \{(?:place|foe|item|tactic|voice)\}")
_MARKS = (("  ", "two spaces"), (" .", "a space before a full stop"), (" ,", "a space before a comma"))


def _text_faults(where: str, text: str) -> Iterator[str]:
    if text != text.strip() or "\n" in text:
        yield "white space at an end, or a line break"
    yield from (f"{name}: {text!r}" for mark, name in _MARKS if mark in text)
    if _UNCONTRACTED.search(text):
        yield f"a preposition before a slot that carries its article: {text!r}"
    if where.startswith("titles"):
        return
    if not text.rstrip("»”\"').").endswith(("!", "?", "…")) and "." not in text[-2:]:
        yield f"no full stop at the end: {text[-30:]!r}"
    if any(char.isdigit() for char in text):
        yield "a figure: mechanics are filled in"


def fits_skill(way: str, skill: str, language: str) -> bool:
    """Tell whether a way of doing something holds a word that goes with its skill."""
    stems: str = load_yaml(LEXICON / "skills.yaml")[language].get(skill, "")
    return any(word.startswith(stem) for stem in stems.split() for word in re.split(r"\W+", way.lower()))


def _way_faults(beat: Beat, language: str) -> Iterator[str]:
    if set(beat.shape.main) & set(beat.shape.other):
        yield "a skill is both main and other"
    if set(beat.words.ways) != {*beat.shape.main, *beat.shape.other}:
        yield "ways do not fit the skills"
    for skill, way in beat.words.ways.items():
        if "," in way or "{" in way:
            yield f"a comma or a slot in a way: {way!r}"
        if not fits_skill(way, skill, language):
            yield f"{skill} does not fit what is done: {way!r}"


def beat_faults(beat: Beat, language: str) -> Iterator[str]:
    """Yield one line for each fault of one beat."""
    yield from (f"{beat.id}: {fault}" for fault in _way_faults(beat, language))
    if beat.is_deed != bool(beat.words.thwart) or beat.is_deed == bool(beat.shape.types):
        yield f"{beat.id}: a deed has a `thwart` and no types, a move types and no `thwart`"
    for name in (*DEGREES, "situation", "state", "opening", "pressure"):
        options: Iterable[str | Pair] = getattr(beat.words, name)
        if all(supposes_a_foe(one if isinstance(one, str) else one[0]) for one in options):
            yield f"{beat.id} {name}: every text supposes a foe"
    for where, text in texts_of(beat):
        faults = [*_slot_faults(beat, where, text), *_text_faults(where, text)]
        yield from (f"{beat.id} {where}: {fault}" for fault in faults)


def repeated_sentences(beats: Iterable[Beat]) -> Iterator[str]:
    """Yield a line for each sentence that stands in two texts."""
    seen: dict[str, str] = {}
    for beat in beats:
        for where, text in texts_of(beat):
            for sentence in sentences(text) if not where.startswith("titles") else ():
                key = sentence.casefold()
                if key in seen and len(key.split()) >= SHORTEST_REPEAT:
                    yield f"{beat.id} {where}: the sentence is also in {seen[key]}: {sentence!r}"
                seen[key] = f"{beat.id} {where}"


def _repeated_titles(beats: Iterable[Beat]) -> Iterator[str]:
    titles = [(title, beat.id) for beat in beats for title in beat.words.titles]
    for (title, one), (other, two) in combinations(titles, 2):
        if title == other:
            yield f"{one} and {two} share the title {title!r}"


def faults() -> Iterator[str]:
    """Yield one line for each fault in the beat files."""
    for language in LANGUAGES:
        try:
            beats = all_beats(language).values()
        except (ValidationError, yaml.YAMLError, KeyError) as error:
            yield f"{language}: {error}"
            continue
        lines = [line for beat in beats for line in beat_faults(beat, language)]
        lines += [*repeated_sentences(beats), *_repeated_titles(beats)]
        lines += [f"{key}: texts without a shape" for key in _words(language).keys() - {b.id for b in beats}]
        yield from (f"{language} {line}" for line in lines)


def main() -> int:
    """Check all files; print the faults; return 1 where there are any."""
    lines = list(faults())
    sys.stdout.write("".join(f"{line}\n" for line in [*lines, f"{len(lines)} faults"]))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
