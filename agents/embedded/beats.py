"""The beat files: dramatic building blocks of scenes as data, one YAML file a scene type and language.

A beat is one dramatic move (`stealth.watch_the_rhythm`) with its plan texts and its prose, each in several
variants. Texts are templates with slots in braces (`{place}`); `agents.embedded.slots` fills them. Rules for
who writes a beat:

- Slots that carry words of the outline are filled with article and preposition, so that no adjective,
  participle or pronoun may agree with them; only `{foe}` and `{voice}` are subjects, of singular verbs.
- `{goal}` is a bare infinitive clause, without full stop: Spanish "sustraer la gema", English "steal the gem"
  (so English writes "to {goal}").
- `{check.main}` stands before `{check.other}`, and `{ref.main}` before `{ref.other}`, each once a text.
- `{harm}`/`{ref.harm}` stand in every variant of the failure (plan and prose) of a beat whose `harm` is not
  `none`, once, and nowhere else; `{boon}`/`{ref.boon}` likewise in the success of a beat with a `boon`.
- Labels of outcomes begin with the words of their degree (`Éxito`, `Éxito parcial`, `Fallo`; `Success`,
  `Partial success`, `Failure`), since the plan is read back from its Markdown.
- Prose states no figures: those are written by reference.

`python -m agents.embedded.beats` checks all files and prints each fault.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Annotated, Literal, get_args

import yaml
from annotated_types import Len
from pydantic import BaseModel, ConfigDict, ValidationError

from agents.embedded.loading import LANGUAGES, LEXICON, load_yaml

SceneType = Literal["combat", "stealth", "social", "exploration", "puzzle", "chase", "survival", "protect"]
Position = Literal["opening", "middle", "climax"]
Degree = Literal["success", "partial", "failure"]
Skill = Literal[
    "acrobatics",
    "animal_handling",
    "arcana",
    "athletics",
    "deception",
    "history",
    "insight",
    "intimidation",
    "investigation",
    "medicine",
    "nature",
    "perception",
    "performance",
    "persuasion",
    "religion",
    "sleight_of_hand",
    "stealth",
    "survival",
]
DamageType = Literal[
    "acid",
    "bludgeoning",
    "cold",
    "fire",
    "force",
    "lightning",
    "necrotic",
    "piercing",
    "poison",
    "psychic",
    "radiant",
    "slashing",
    "thunder",
]
TYPES: tuple[SceneType, ...] = get_args(SceneType)
DEGREES: tuple[Degree, ...] = get_args(Degree)
FOLDER = Path(__file__).parent / "beats"

_NOUNS = ("place", "foe", "item", "tactic")
_CASES = {"foe": ("of", "to"), "place": ("in", "of", "to"), "item": ("of", "to"), "tactic": ("of", "to")}
NOUN_SLOTS: frozenset[str] = frozenset(
    [*_NOUNS, "voice", "goal", *(f"{case}_{noun}" for noun in _NOUNS for case in _CASES[noun])]
)
SHORTEST_REPEAT = 4
"""Words from which two equal sentences are a repetition."""
_SLOT = re.compile(r"\{([^{}]*)\}")
_SENTENCE_END = re.compile(r"[.!?…]+[»”\"')]*(?:\s+|$)")

Two = Annotated[tuple[str, ...], Len(2)]
Three = Annotated[tuple[str, ...], Len(3)]
Four = Annotated[tuple[str, ...], Len(4)]


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BeatSkills(_Data):
    """Skills by canonical id, best first: `main` for the first way, `other` for the second."""

    main: Annotated[tuple[Skill, ...], Len(1)]
    other: Annotated[tuple[Skill, ...], Len(1)]


class BeatOutcome(_Data):
    """One outcome as the plan states it."""

    label: Annotated[tuple[str, ...], Len(1)]
    text: Two


class BeatOutcomes(_Data):
    """The three outcomes of a beat."""

    success: BeatOutcome
    partial: BeatOutcome
    failure: BeatOutcome


class BeatProse(_Data):
    """Variants of each paragraph of the prose."""

    opening: Four
    pressure: Three
    speech: Four
    speech_none: Two
    ask: Three
    success: Three
    partial: Three
    failure: Three
    closing: Three


class Beat(_Data):
    """One dramatic move."""

    id: str
    position: Annotated[tuple[Position, ...], Len(1)]
    speaker: Literal["foe", "ally", "any"] = "any"
    """Who can say its lines: one who opposes the characters, one on their side, or anybody."""
    foe: Literal["any", "person", "company"] = "any"
    """Who can do what its texts say of the opponent: anything, one that thinks and speaks, or a group."""
    skills: BeatSkills
    ways: dict[str, str] = {}
    """What one does with each skill, as a phrase without commas that fits after and before a verb: Spanish an
    infinitive, English a gerund. Where given it covers every skill, and texts may use `{way.main}` and
    `{way.other}`."""
    harm: Literal["none", "setback", "dangerous"] = "none"
    """Severity of the damage in the failure, by the trap table of SRD 5.1."""
    harm_type: DamageType = "bludgeoning"
    boon: Literal["none", "half_cover", "three_quarters_cover"] = "none"
    """What a success gives by the rules, if anything."""
    titles: Three
    situation: Three
    action: Two
    outcomes: BeatOutcomes
    state_change: Two
    prose: BeatProse


class BeatFile(_Data):
    """All beats of one scene type in one language."""

    type: SceneType
    beats: Annotated[tuple[Beat, ...], Len(1)]


@cache
def load_beats(language: str, kind: str) -> tuple[Beat, ...]:
    """Return the beats of one scene type.

    Raises:
        FileNotFoundError: that type has no file in that language.
        pydantic.ValidationError: the file has not the form.
    """
    return BeatFile.model_validate(load_yaml(FOLDER / language / f"{kind}.yaml")).beats


@cache
def all_beats(language: str) -> dict[str, Beat]:
    """Return every beat of a language by id, in the order of `TYPES`."""
    kinds = [kind for kind in TYPES if (FOLDER / language / f"{kind}.yaml").exists()]
    return {beat.id: beat for kind in kinds for beat in load_beats(language, kind)}


def kind_of(beat: Beat) -> str:
    """Return the scene type to which a beat belongs."""
    return beat.id.partition(".")[0]


def sentences(text: str) -> list[str]:
    """Cut a text into its sentences, without their closing marks."""
    return [piece.strip() for piece in _SENTENCE_END.split(text) if piece.strip()]


# --- checking the files -------------------------------------------------------------------------------


def plan_texts(beat: Beat) -> Iterator[tuple[str, str]]:
    """Yield (where, text) of each template of the plan."""
    outcomes = beat.outcomes
    groups: list[tuple[str, Iterable[str]]] = [
        ("titles", beat.titles),
        ("situation", beat.situation),
        ("action", beat.action),
        *((f"outcomes.{d}", getattr(outcomes, d).text) for d in DEGREES),
        ("state_change", beat.state_change),
    ]
    return ((f"{where}[{i}]", text) for where, texts in groups for i, text in enumerate(texts))


def prose_texts(beat: Beat) -> Iterator[tuple[str, str]]:
    """Yield (where, text) of each template of the prose."""
    for name in BeatProse.model_fields:
        for i, text in enumerate(getattr(beat.prose, name)):
            yield f"prose.{name}[{i}]", text


def _wanted_slots(beat: Beat, where: str) -> tuple[str, ...]:
    """Return the mechanical slots that a text must hold, in order."""
    prefix = "ref." if where.startswith("prose.") else ""
    if where.startswith("action"):
        return ("check.main", "check.other")
    if where.startswith("prose.ask"):
        return ("ref.main", "ref.other")
    if "failure[" in where and beat.harm != "none":
        return (f"{prefix}harm",)
    if "success[" in where and beat.boon != "none":
        return (f"{prefix}boon",)
    return ()


def _slot_faults(beat: Beat, where: str, text: str) -> Iterator[str]:
    slots: list[str] = _SLOT.findall(text)
    known = NOUN_SLOTS | ({"way.main", "way.other"} if beat.ways else frozenset[str]())
    mechanical = tuple(slot for slot in slots if slot not in known)
    wanted = _wanted_slots(beat, where)
    if mechanical != wanted:
        yield f"mechanical slots {mechanical or '()'}; wanted {wanted or '()'}"
    if where.startswith("prose.speech[") and "{voice}" not in text:
        yield "a spoken line names its {voice}"


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
    if where.startswith("prose.") and any(char.isdigit() for char in text):
        yield "a figure in prose"


def beat_faults(beat: Beat, labels: dict[str, list[str]]) -> Iterator[str]:
    """Yield one line for each fault of one beat."""
    if set(beat.skills.main) & set(beat.skills.other):
        yield f"{beat.id}: a skill is both main and other"
    if beat.ways and set(beat.ways) != {*beat.skills.main, *beat.skills.other}:
        yield f"{beat.id}: ways do not fit the skills"
    yield from (f"{beat.id}: a comma in a way: {way!r}" for way in beat.ways.values() if "," in way)
    for degree in DEGREES:
        for label in getattr(beat.outcomes, degree).label:
            if not label.casefold().startswith(tuple(labels[degree])):
                yield f"{beat.id} outcomes.{degree}: label {label!r} does not begin with its degree"
    for where, text in [*plan_texts(beat), *prose_texts(beat)]:
        faults = [*_slot_faults(beat, where, text), *_text_faults(where, text)]
        yield from (f"{beat.id} {where}: {fault}" for fault in faults)


def repeated_sentences(beats: Iterable[Beat]) -> Iterator[str]:
    """Yield a line for each sentence of prose that stands in two texts."""
    seen: dict[str, str] = {}
    for beat in beats:
        for where, text in [*plan_texts(beat), *prose_texts(beat)]:
            if where.startswith("titles"):
                continue
            for sentence in sentences(text):
                key = sentence.casefold()
                if key in seen and len(key.split()) >= SHORTEST_REPEAT and "{way." not in key:
                    yield f"{beat.id} {where}: the sentence is also in {seen[key]}: {sentence!r}"
                seen[key] = f"{beat.id} {where}"


def _repeated_titles(beats: Iterable[Beat]) -> Iterator[str]:
    titles = [(title, beat.id) for beat in beats for title in beat.titles]
    for (title, one), (other, two) in combinations(titles, 2):
        if title == other:
            yield f"{one} and {two} share the title {title!r}"


def _shape(beat: Beat) -> tuple[object, ...]:
    return (
        *(beat.id, beat.position, beat.skills, frozenset(beat.ways)),
        *(beat.harm, beat.harm_type, beat.boon, beat.speaker, beat.foe),
    )


def _language_faults(kind: SceneType) -> Iterator[str]:
    shapes = [{b.id: _shape(b) for b in load_beats(lang, kind)} for lang in LANGUAGES]
    for beat_id in sorted({key for shape in shapes for key in shape}):
        if len({shape.get(beat_id) for shape in shapes}) > 1:
            yield f"{beat_id}: what is not text differs between the languages"


def faults() -> Iterator[str]:
    """Yield one line for each fault in the beat files that exist."""
    found: dict[str, dict[str, Beat]] = {}
    for language in LANGUAGES:
        labels = load_yaml(LEXICON / language / "degrees.yaml")["labels"]
        for path in sorted((FOLDER / language).glob("*.yaml")):
            try:
                beats = load_beats(language, path.stem)
            except (ValidationError, yaml.YAMLError) as error:
                yield f"{language}/{path.name}: {error}"
                continue
            found.setdefault(language, {}).update({beat.id: beat for beat in beats})
            for beat in beats:
                yield from (f"{language}/{path.name} {line}" for line in beat_faults(beat, labels))
        yield from (f"{language} {line}" for line in repeated_sentences(found.get(language, {}).values()))
        yield from (f"{language} {line}" for line in _repeated_titles(found.get(language, {}).values()))
    for kind in TYPES:
        if all(kind in {kind_of(b) for b in found.get(lang, {}).values()} for lang in LANGUAGES):
            yield from _language_faults(kind)


def main() -> int:
    """Check all files; print the faults; return 1 where there are any."""
    lines = list(faults())
    sys.stdout.write("".join(f"{line}\n" for line in [*lines, f"{len(lines)} faults"]))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
