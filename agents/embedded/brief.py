"""What the embedded author reads out of an outline: types, places, opponents, voices, things, goal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from agents.embedded.beats import TYPES, Beat
from agents.embedded.grammar import Grammar, Noun, grammar_of
from agents.embedded.loading import LEXICON, load_yaml
from agents.embedded.mechanics_text import ruleset_of
from agents.embedded.places import class_of, furniture
from agents.embedded.slots import fill, pick
from agents.types import Canon, Person
from concilio.domain.adventure import ChapterOutline
from rules.ruleset import Ruleset

_REACH_OF_A_VERB = 8
_LETTERS_OF_A_MENTION = 4
CONTESTED = frozenset({"combat", "stealth", "social", "chase"})
"""Scene types that need an opponent: there, one of whom the outline says nothing may be taken for one."""
SPEAKING = frozenset({"social"})
"""Scene types whose opponent always thinks and speaks."""
FALLBACK_KINDS = ("exploration", "social")


@dataclass(frozen=True, slots=True)
class Figure:
    """Somebody of the cast, as sentences need it."""

    name: str
    """As the designer wrote it."""
    noun: Noun
    hostile: bool | None
    """None where the outline does not say."""
    group: bool
    mute: bool
    """It does not speak (a wolf, a statue)."""
    mentioned: bool
    """The chapter's outline names it."""


@dataclass(frozen=True, slots=True)
class Brief:
    """An outline, read."""

    seed: int
    language: str
    level: int
    canon: Canon
    outline: ChapterOutline
    grammar: Grammar
    ruleset: Ruleset
    kinds: tuple[str, ...]
    """Scene types, the chapter's dominant one first."""
    places: tuple[tuple[str, Noun], ...]
    """Alternatives of the place as written (empty where none is given), with their forms; at least one."""
    place_class: str | None
    figures: tuple[Figure, ...]
    item: Noun
    goal: str | None
    """Bare infinitive clause; None where the outline's objective is none."""
    tactics: tuple[Noun, ...]
    """Those of the outline alone."""
    skills: tuple[str, ...]
    """Skills that the outline names, in its order."""

    @property
    def defaults(self) -> Any:
        """What stands in slots of which the outline says nothing."""
        return type_words(self.language)["defaults"]


@cache
def type_words(language: str) -> Any:
    """Return the scene types' words in a language."""
    return load_yaml(LEXICON / language / "types.yaml")


def fold_tokens(text: str) -> list[str]:
    """Return the words of a text in lower case, punctuation left out."""
    kept = "".join(char.lower() if char.isalnum() else " " for char in text)
    return kept.split()


def outline_text(outline: ChapterOutline) -> str:
    """Return all that the outline says, as one text."""
    labelled = [f"{field.text}" for field in outline.fields]
    known = [outline.place, outline.objective, outline.tactics, *outline.consequences]
    return "\n".join([outline.title, *(text for text in known if text), *labelled, outline.notes])


def kinds_of(outline: ChapterOutline, language: str) -> tuple[str, ...]:
    """Return the scene types of a chapter: those that it names, else those at which its words hint."""
    words = type_words(language)
    named = _types_named(fold_tokens(outline.kind or ""), words)
    if named:
        return named
    hints = fold_tokens(f"{outline.title} {outline.objective or ''} {outline.tactics or ''} {outline.notes}")
    scores = {kind: sum(token in words[kind]["hints"].split() for token in hints) for kind in TYPES}
    best = sorted((kind for kind in TYPES if scores[kind]), key=lambda kind: -scores[kind])
    return tuple(best[:2]) or FALLBACK_KINDS


def _types_named(tokens: Sequence[str], words: Any) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for token in tokens:
        for kind in TYPES:
            if token in words[kind]["named"].split():
                found.setdefault(kind)
    return tuple(found)


def _mentions(name: str, tokens: Iterable[str]) -> bool:
    words = [word for word in fold_tokens(name) if len(word) >= _LETTERS_OF_A_MENTION]
    return bool(words) and words[0] in set(tokens)


def _is_guarded(name: str, objective: Sequence[str], nouns: Any) -> bool:
    """Tell whether the objective is to save somebody, or to bring them something: no opponent, then."""
    verbs = nouns["guarding"].split()
    at = next((i for i, token in enumerate(objective) if token in verbs), None)
    return at is not None and _mentions(name, objective[at : at + _REACH_OF_A_VERB])


def _figure(
    person: Person, grammar: Grammar, nouns: Any, tokens: Sequence[str], objective: Sequence[str]
) -> Figure | None:
    noun = grammar.name(person.name, person.count)
    if noun is None:
        return None
    note = fold_tokens(f"{person.note} {person.name}")
    friendly = any(word in nouns["friendly"].split() for word in note)
    friendly = friendly or _is_guarded(person.name, objective, nouns)
    hostile = any(word in nouns["hostile"].split() for word in note)
    group = person.count > 1 or (not noun.proper and noun.head in nouns["collective"].split())
    return Figure(
        name=person.name,
        noun=noun,
        hostile=False if friendly else True if hostile or person.count > 1 else None,
        group=group,
        mute=any(word in nouns["mute"].split() for word in [*note, noun.head]),
        mentioned=_mentions(person.name, tokens),
    )


def _figures(canon: Canon, outline: ChapterOutline, grammar: Grammar) -> tuple[Figure, ...]:
    nouns = load_yaml(LEXICON / canon.language / "nouns.yaml")
    tokens = fold_tokens(outline_text(outline))
    objective = fold_tokens(outline.objective or "")
    made = (_figure(person, grammar, nouns, tokens, objective) for person in canon.cast)
    return tuple(figure for figure in made if figure)


def place_alternatives(text: str, grammar: Grammar) -> tuple[tuple[str, Noun], ...]:
    """Return the alternatives of a place (`La mesa / El altar`) that read as places."""
    pieces = [piece.strip(" .;") for piece in text.split("/")]
    read = [(piece, grammar.place(piece)) for piece in pieces if piece]
    return tuple((piece, noun) for piece, noun in read if noun)


def _places(outline: ChapterOutline, grammar: Grammar, default: str) -> tuple[tuple[str, Noun], ...]:
    """Return where a chapter plays: as the outline says, else as title or objective say, else a default."""
    raw = outline.place or ""
    read = place_alternatives(raw, grammar)
    if read:
        return read
    named = (
        grammar.mentioned_place(f"{outline.title}. {outline.objective or ''}") if not raw.strip() else None
    )
    return ((raw, named or grammar.fixed(default)),)


def _item(canon: Canon, outline: ChapterOutline, goal: str | None, grammar: Grammar, default: str) -> Noun:
    text = " ".join(fold_tokens(outline_text(outline)))
    for item in canon.items:
        noun = grammar.thing(item)
        if noun and " ".join(fold_tokens(item)) in text:
            return noun
    return (goal and grammar.handled(goal)) or grammar.fixed(default)


def _skills_named(outline: ChapterOutline, ruleset: Ruleset, language: str) -> tuple[str, ...]:
    """Return the skills that the outline names by their own word, capital letter and all."""
    text = "\n".join(
        [
            outline.tactics or "",
            *outline.consequences,
            *(f.text for f in outline.fields if f.text != outline.kind),
        ]
    )
    places = {skill: text.find(ruleset.word("skill", skill, language)) for skill in ruleset.skills}
    return tuple(sorted((skill for skill, at in places.items() if at >= 0), key=lambda skill: places[skill]))


def make_brief(canon: Canon, outline: ChapterOutline, seed: int) -> Brief:
    """Read an outline."""
    language = canon.language
    grammar = grammar_of(language)
    ruleset = ruleset_of(canon.ruleset)
    goal = grammar.goal(outline.objective) if outline.objective else None
    kinds = kinds_of(outline, language)
    defaults = type_words(language)["defaults"]
    places = _places(outline, grammar, type_words(language)[kinds[0]]["place"])
    return Brief(
        seed=seed,
        language=language,
        level=canon.level,
        canon=canon,
        outline=outline,
        grammar=grammar,
        ruleset=ruleset,
        kinds=kinds,
        places=places,
        place_class=class_of(outline.place or places[0][1].the, language),
        figures=_figures(canon, outline, grammar),
        item=_item(canon, outline, goal, grammar, defaults["item"]),
        goal=goal,
        tactics=grammar.tactics(outline.tactics or ""),
        skills=_skills_named(outline, ruleset, language),
    )


# --- what stands in a scene's slots -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stage:
    """Who and what a scene has at hand."""

    place: Noun
    foe: Noun
    foe_name: str
    """Name in the cast, empty where the cast has no opponent."""
    voice: str
    """Who speaks, as a phrase; empty where nobody can."""
    voice_name: str
    """Name in the cast, empty where it is none."""
    tactic: Noun
    item: Noun
    goal: str

    def values(self) -> dict[str, str]:
        """Return the slots' values."""
        nouns = {"place": self.place, "foe": self.foe, "tactic": self.tactic, "item": self.item}
        values = {"voice": self.voice, "goal": self.goal, "in_place": self.place.at}
        for name, noun in nouns.items():
            values |= {name: noun.the, f"of_{name}": noun.of, f"to_{name}": noun.to}
        return values


@dataclass(frozen=True, slots=True)
class Cue:
    """What a scene asks of those on stage."""

    kind: str
    """Scene type."""
    speaker: str = "any"
    """Who can say its lines: `foe`, `ally` or `any`."""
    foe: str = "any"
    """Who its opponent can be: `any`, `person` (it thinks and speaks) or `company` (a group of such)."""
    climax: bool = False

    @classmethod
    def of(cls, beat: Beat | None, kind: str, *, climax: bool) -> "Cue":
        """Return what a beat asks; a plan by somebody else asks nothing."""
        if beat is None:
            return cls(kind, climax=climax)
        foe = "person" if beat.foe == "any" and kind in SPEAKING else beat.foe
        return cls(kind, beat.speaker, foe, climax)

    def admits(self, figure: Figure) -> bool:
        """Tell whether somebody can be the scene's opponent."""
        return (not figure.mute or self.foe == "any") and (figure.group or self.foe != "company")


def _opponents(brief: Brief, cue: Cue) -> tuple[Figure, ...]:
    """Return who may oppose the characters, the likeliest group of figures alone."""
    admitted = [f for f in brief.figures if cue.admits(f)]
    hostile = [f for f in admitted if f.hostile]
    unsaid = [f for f in admitted if f.hostile is None and f.mentioned]
    named = [f for f in hostile if f.mentioned]
    others = unsaid if cue.kind in CONTESTED else []
    anybody_named = any(f.mentioned for f in brief.figures)
    found = named or others or ([] if anybody_named else hostile)
    final = [f for f in found if cue.climax and _mentions(f.name, fold_tokens(consequences_text(brief)))]
    return tuple(final or found)


def consequences_text(brief: Brief) -> str:
    """Return the designer's consequences as one text."""
    return " ".join(brief.outline.consequences)


def _voice(brief: Brief, kind: str, speaker: str, foe: Figure | None, scene_id: str) -> tuple[str, str]:
    """Return the phrase and the cast name of who speaks in a scene."""
    if speaker != "foe":
        sided = (False,) if speaker == "ally" else (False, None)
        able = [
            f for f in brief.figures if f.hostile in sided and not f.group and not f.mute and f is not foe
        ]
        able = [f for f in able if f.mentioned] or able
        if able:
            chosen = pick(able, brief.seed, scene_id, "voice")
            return chosen.noun.the, chosen.name
        if speaker == "ally":
            return "", ""
    return _voice_of_foe(brief, kind, foe)


def _voice_of_foe(brief: Brief, kind: str, foe: Figure | None) -> tuple[str, str]:
    if foe is None:
        leader: str = type_words(brief.language)[kind]["leader"]
        return leader, ""
    if foe.mute:
        return "", ""
    leaders = [f for f in brief.figures if f.hostile and not f.group and not f.mute]
    leaders = [f for f in leaders if f.mentioned] or leaders
    speaker = leaders[0] if foe.group and leaders else foe
    if speaker.group:
        return fill(f"· {brief.defaults['leader']}", {"foe": foe.noun.the})[2:], foe.name
    return speaker.noun.the, speaker.name


def _tactic(brief: Brief, scene_id: str) -> Noun:
    if brief.tactics:
        turn = int(scene_id.partition(".")[2] or 1)
        start = pick(range(len(brief.tactics)), brief.seed, "tactics")
        return brief.tactics[(start + turn) % len(brief.tactics)]
    things = furniture(brief.place_class, brief.language) if brief.place_class else brief.defaults["tactics"]
    nouns = [noun for thing in things for noun in brief.grammar.tactics(thing)]
    return pick(nouns, brief.seed, scene_id, "tactic")


def make_stage(brief: Brief, cue: Cue, scene_id: str, place: Noun) -> Stage:
    """Choose who and what a scene has at hand; the same for the same brief, cue and scene."""
    kind, speaker = cue.kind, cue.speaker
    opponents = _opponents(brief, cue)
    foe = pick(opponents, brief.seed, scene_id, "foe") if opponents else None
    voice, voice_name = _voice(brief, kind, speaker, foe, scene_id)
    words = type_words(brief.language)[kind]
    return Stage(
        place=place,
        foe=foe.noun if foe else brief.grammar.fixed(words["foe"]),
        foe_name=foe.name if foe else "",
        voice=voice,
        voice_name=voice_name,
        tactic=_tactic(brief, scene_id),
        item=brief.item,
        goal=brief.goal or words["goal"],
    )
