"""What the embedded author reads out of an outline: types, places, people, things, objective, notes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.embedded.cast import Figure, figures_of, tells_of
from agents.embedded.grammar import Grammar, Noun, grammar_of
from agents.embedded.mechanics_text import ruleset_of
from agents.embedded.outline import (
    Clause,
    Element,
    TableNote,
    clauses_of,
    deed_words,
    elements_of,
    flow_of,
    fold_tokens,
    is_hard,
    kinds_of,
    named_kinds_of,
    notes_of,
    optional_aids,
    outline_text,
    type_words,
)
from agents.embedded.places import class_of, is_afloat
from agents.embedded.sides import is_covert
from agents.embedded.slots import rng
from agents.types import Canon, Sheet
from concilio.adventure.words import words_of
from concilio.domain.adventure import ChapterOutline
from rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Place:
    """One alternative of the chapter's place."""

    text: str
    """As the outline writes it; empty where it gives none."""
    noun: Noun
    kind: str | None
    """Class of `lexicon/*/places.yaml`; None where the words tell nothing."""


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
    places: tuple[Place, ...]
    """At least one."""
    figures: tuple[Figure, ...]
    item: Noun
    clauses: tuple[Clause, ...]
    """What the objective asks for, in order; at least one."""
    elements: tuple[Element, ...]
    notes: tuple[TableNote, ...]
    skills: tuple[str, ...]
    """Skills that the outline names, in its order."""
    flow: str
    """`flee` or `pursue`: which way a chase runs, as the party runs it."""
    hard: bool
    """The designer asks for a high DC."""
    aids: frozenset[str]
    """Skills that only help, by a note of the designer: none of them is a way of its own."""
    named_kinds: tuple[str, ...]
    """Scene types that the designer names; the others are guessed."""
    watched: bool
    """The outline tells of somebody who keeps the place."""
    threatened: bool
    """The outline tells of somebody who attacks or pursues."""

    @property
    def heroes(self) -> tuple[Sheet, ...]:
        """Return the characters whom the designer named: not by their class, and not by us."""
        return () if self.invented else tuple(s for s in self.canon.party if _is_name(s))

    @property
    def named(self) -> tuple[Sheet, ...]:
        """Return the characters whom the outline or the adventure's notes name: the rest is the table's."""
        told = f"{outline_text(self.outline)}\n{self.canon.notes}"
        words = "".join(char if char.isalnum() else " " for char in told).split()
        return tuple(hero for hero in self.heroes if hero.name.split()[0] in words)

    @property
    def invented(self) -> bool:
        """Tell whether the party is the default one: its names mean nothing to the table."""
        names = {one["name"] for one in words_of(self.language)["party"]}
        return bool(self.canon.party) and all(sheet.name in names for sheet in self.canon.party)

    def turn(self, what: str) -> int:
        """Return where a choice begins: by the seed, moving on from chapter to chapter."""
        return rng(self.seed, self.canon.adventure, what).randrange(1000) + self.outline.number * 3


def _is_name(sheet: Sheet) -> bool:
    name = sheet.name.strip()
    same = name.casefold().rstrip(" 0123456789") == sheet.class_name.casefold()
    return bool(name) and name[0].isupper() and not same and all(c.isalpha() or c in " -'’" for c in name)


def place_alternatives(text: str, grammar: Grammar) -> tuple[Place, ...]:
    """Return the alternatives of a place (`La mesa / El altar`) that read as places."""
    pieces = [piece.strip(" .;") for piece in text.split("/")]
    read = [(piece, grammar.place(piece)) for piece in pieces if piece]
    found = [Place(piece, noun, class_of(piece, grammar.language)) for piece, noun in read if noun]
    return tuple(found)


def _places(outline: ChapterOutline, grammar: Grammar, default: str) -> tuple[Place, ...]:
    """Return where a chapter plays: as the outline says, else as title or objective say, else a default."""
    raw = outline.place or ""
    read = place_alternatives(raw, grammar)
    if read:
        return read
    hint = f"{outline.title}. {outline.objective or ''}"
    named = grammar.mentioned_place(hint) if not raw.strip() else None
    noun = named or grammar.fixed(default)
    return (Place(raw, noun, class_of(raw, grammar.language) or class_of(noun.the, grammar.language)),)


def _named_item(canon: Canon, text: str, grammar: Grammar) -> Noun | None:
    """Return the first of the adventure's items that a text names."""
    told = " ".join(fold_tokens(text))
    nouns = ((grammar.thing(item), item) for item in canon.items)
    return next((noun for noun, item in nouns if noun and " ".join(fold_tokens(item)) in told), None)


def _item(canon: Canon, outline: ChapterOutline, goal: str, grammar: Grammar, default: str) -> Noun:
    named = _named_item(canon, outline_text(outline), grammar)
    return named or grammar.handled(goal) or grammar.fixed(default)


def _skills_named(outline: ChapterOutline, ruleset: Ruleset, language: str) -> tuple[str, ...]:
    """Return the skills that the outline names by their own word, capital letter and all."""
    parts = [outline.tactics or "", *outline.consequences]
    parts += [field.text for field in outline.fields if field.text != outline.kind]
    text = "\n".join(parts)
    places = {skill: text.find(ruleset.word("skill", skill, language)) for skill in ruleset.skills}
    return tuple(sorted((skill for skill, at in places.items() if at >= 0), key=lambda skill: places[skill]))


def goals_of(
    canon: Canon, outline: ChapterOutline, kinds: Sequence[str], grammar: Grammar
) -> tuple[str, tuple[Clause, ...]]:
    """Return a chapter's objective, and what it asks for; the type's own where the outline gives none."""
    goal = grammar.goal(outline.objective) if outline.objective else None
    goal = goal or type_words(grammar.language)[kinds[0]]["goal"]
    named = ((person.name, grammar.name(person.name, person.count)) for person in canon.cast)
    people = [(name, noun) for name, noun in named if noun]
    return goal, clauses_of(goal, kinds, grammar, _named_item(canon, goal, grammar), people)


def _aboard(
    clauses: Sequence[Clause], kinds: Sequence[str], place: Place, language: str
) -> tuple[Clause, ...]:
    """Return the clauses of a chapter as they are played: a chase aboard a ship is one of sails."""
    turns: dict[str, str] = deed_words(language)["afloat"]
    if "chase" not in kinds or not is_afloat(place.kind, language):
        return tuple(clauses)
    return tuple(replace(clause, deed=turns.get(clause.deed, clause.deed)) for clause in clauses)


def make_brief(canon: Canon, outline: ChapterOutline, seed: int) -> Brief:
    """Read an outline."""
    language = canon.language
    grammar = grammar_of(language)
    ruleset = ruleset_of(canon.ruleset)
    kinds = kinds_of(outline, language)
    goal, clauses = goals_of(canon, outline, kinds, grammar)
    words = type_words(language)
    places = _places(outline, grammar, words[kinds[0]]["place"])
    covert = is_covert(kinds, [clause.deed for clause in clauses])
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
        figures=figures_of(canon, outline, grammar, covert=covert),
        item=_item(canon, outline, goal, grammar, words["defaults"]["item"]),
        clauses=_aboard(clauses, kinds, places[0], language),
        elements=elements_of(outline, grammar, _joint(grammar)),
        notes=notes_of(outline),
        skills=_skills_named(outline, ruleset, language),
        flow=flow_of(clauses, outline, language),
        hard=is_hard(outline, language),
        aids=optional_aids(outline, language),
        named_kinds=named_kinds_of(outline, language),
        watched=tells_of(outline, "watching", language),
        threatened=tells_of(outline, "threat", language),
    )


def _joint(grammar: Grammar) -> str:
    """Return the language's *and* between two things."""
    return grammar.listing(["a", "b"])[1:-1]
