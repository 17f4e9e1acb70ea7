"""What an outline says, read: its kinds of objective, elements, table notes, and which way a chase runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from agents.embedded.beats import TYPES
from agents.embedded.grammar import Grammar, Noun
from agents.embedded.grammar.base import lower_first, phrases, without_brackets
from agents.embedded.loading import LEXICON, load_yaml
from concilio.domain.adventure import ChapterOutline

FALLBACK_KINDS = ("exploration", "social")
ANY_DEED = "any"
_LONGEST_ELEMENT = 200
_LONGEST_RULE = 500
_LONGEST_LABEL = 60
_PLAIN_MARKS = frozenset(" ,'’-()“”«»")
_RULE_MARKS = _PLAIN_MARKS | frozenset(".;:/!?¡¿…")


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing that the objective asks for."""

    deed: str
    """Its kind (`take`, `escape`)."""
    goal: str
    """The whole of it, a bare infinitive clause."""
    core: str
    """What is essential of it, asides left out."""


@dataclass(frozen=True, slots=True)
class Element:
    """One tactical element of the outline."""

    text: str
    """As the designer tells it; empty where that cannot stand in a sentence of ours."""
    noun: Noun | None
    """The thing alone; None where it cannot be touched or stood behind."""


@dataclass(frozen=True, slots=True)
class TableNote:
    """A rule that the designer gives for one chapter."""

    label: str
    text: str
    """Empty where it states figures: those are the designer's to print."""


@cache
def deed_words(language: str) -> Any:
    """Return the verbs of objectives and the words around them, in a language."""
    return load_yaml(LEXICON / language / "deeds.yaml")


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


# --- scene types --------------------------------------------------------------------------------------


def kinds_of(outline: ChapterOutline, language: str) -> tuple[str, ...]:
    """Return the scene types of a chapter: those that it names, else those at which its words hint."""
    words = type_words(language)
    named = named_kinds_of(outline, language)
    if named:
        return named
    hints = fold_tokens(f"{outline.title} {outline.objective or ''} {outline.tactics or ''} {outline.notes}")
    scores = {kind: sum(token in words[kind]["hints"].split() for token in hints) for kind in TYPES}
    best = sorted((kind for kind in TYPES if scores[kind]), key=lambda kind: -scores[kind])
    return tuple(best[:2]) or FALLBACK_KINDS


def named_kinds_of(outline: ChapterOutline, language: str) -> tuple[str, ...]:
    """Return the scene types that an outline names."""
    return _types_named(fold_tokens(outline.kind or ""), type_words(language))


def _types_named(tokens: Sequence[str], words: Any) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for token in tokens:
        for kind in TYPES:
            if token in words[kind]["named"].split():
                found.setdefault(kind)
    return tuple(found)


# --- the objective ------------------------------------------------------------------------------------


def _starts_with(tokens: Sequence[str], phrase: str) -> bool:
    words = phrase.split()
    return [token.lower().strip(",") for token in tokens[: len(words)]] == words


def _verb_forms(token: str) -> set[str]:
    """Return a verb as written and without the pronouns that Spanish hangs on it (`entregarle`)."""
    low = token.lower().strip(",")
    return {low, *(low.removesuffix(end) for end in ("los", "las", "les", "lo", "la", "le", "se"))}


def deed_of(goal: str, kinds: Sequence[str], language: str) -> str:
    """Return the kind of an objective by its verb, the longest winning; the scene type may turn it."""
    tokens = goal.split()
    found = ""
    deed = ANY_DEED
    for name, verbs in deed_words(language)["verbs"].items():
        for verb in verbs:
            fits = _starts_with(tokens, verb) or (" " not in verb and verb in _verb_forms(tokens[0]))
            if fits and len(verb) > len(found):
                found, deed = verb, name
    about = set(fold_tokens(goal))
    for reading in deed_words(language)["readings"]:
        turned = reading["deed"] == deed and reading["kind"] in kinds[:1]
        if turned and (not reading.get("about") or about & set(reading["about"])):
            return reading["means"]
    return deed


def core_of(goal: str, language: str) -> str:
    """Return an objective without its asides (`… before the candle burns down`)."""
    tokens = goal.split()
    asides: list[str] = deed_words(language)["asides"]
    ends = [i for i in range(2, len(tokens)) if any(_starts_with(tokens[i:], aside) for aside in asides)]
    return " ".join(tokens[: min(ends)] if ends else tokens).rstrip(" ,")


def clauses_of(
    goal: str, kinds: Sequence[str], grammar: Grammar, item: Noun | None = None
) -> tuple[Clause, ...]:
    """Return the things that an objective asks for, in order: it is cut where a new verb begins."""
    language = grammar.language
    tokens = goal.split()
    joints = deed_words(language)["joints"]
    cuts = [
        i
        for i in range(2, len(tokens) - 2)
        if tokens[i].lower() in joints and grammar.is_infinitive(tokens[i + 1])
    ]
    starts, ends = [0, *(i + 1 for i in cuts)], [*cuts, len(tokens)]
    parts = [" ".join(tokens[a:b]).rstrip(" ,") for a, b in zip(starts, ends, strict=True)]
    thing = grammar.handled(parts[0]) if len(parts) > 1 else None
    parts = [parts[0], *(_named(part, item or thing, language) for part in parts[1:])]
    found = [Clause(deed_of(part, kinds, language), part, core_of(part, language)) for part in parts]
    return tuple(clause for clause in found if clause.core)


def _named(part: str, thing: Noun | None, language: str) -> str:
    """Return a clause with the thing in the place of its pronoun (`steal it` → `steal the ledger`)."""
    first, *rest = part.split()
    pronouns: list[str] = deed_words(language)["pronouns"]
    if thing is None:
        return part
    if rest and rest[0].strip(",") in pronouns:
        return " ".join([first, thing.the, *rest[1:]])
    clitic = next((end for end in deed_words(language)["clitics"] if first.endswith(end)), "")
    stem = first.removesuffix(clitic)
    return " ".join([stem, thing.the, *rest]) if clitic and stem.endswith("r") else part


def flow_of(clauses: Sequence[Clause], outline: ChapterOutline, language: str) -> str:
    """Return which way the party runs: `flee` or `pursue`, by the objective's verbs, else by the words."""
    deeds = [clause.deed for clause in clauses]
    if "escape" in deeds or "catch" in deeds:
        return "flee" if _index(deeds, "escape") < _index(deeds, "catch") else "pursue"
    words = deed_words(language)
    tokens = fold_tokens(f"{outline.title} {outline.objective or ''} {outline.notes} {outline.tactics or ''}")
    flee, pursue = (sum(t in words[key].split() for t in tokens) for key in ("flee", "pursue"))
    return "pursue" if pursue > flee or (pursue == flee and "take" in deeds) else "flee"


def _index(items: Sequence[str], item: str) -> int:
    return items.index(item) if item in items else len(items)


def is_hard(outline: ChapterOutline, language: str) -> bool:
    """Tell whether the designer asks for a high DC."""
    text = " ".join(fold_tokens(outline_text(outline)))
    return any(phrase in text for phrase in deed_words(language)["hard"])


# --- elements and notes -------------------------------------------------------------------------------


def is_plain(text: str, marks: frozenset[str], longest: int) -> bool:
    """Tell whether words can stand in a sentence of ours: letters, common marks, not too long."""
    return 0 < len(text) <= longest and all(char.isalpha() or char in marks for char in text)


def elements_of(outline: ChapterOutline, grammar: Grammar, joint: str) -> tuple[Element, ...]:
    """Return the tactical elements in the outline's order, each once."""
    text = (outline.tactics or "").strip()
    found: dict[str, Element] = {}
    for piece in _pieces(text, joint):
        nouns = grammar.tactics(piece)
        told = lower_first(piece) if is_plain(piece, _PLAIN_MARKS, _LONGEST_ELEMENT) else ""
        if told or nouns:
            found.setdefault(piece.casefold(), Element(told, nouns[0] if nouns else None))
    return tuple(found.values())


def _pieces(text: str, joint: str) -> list[str]:
    if ";" in text:
        pieces = [piece.strip(" .\n-*•") for piece in text.split(";")]
        pieces = [piece.removeprefix(joint.strip() + " ") for piece in pieces]
    else:
        pieces = phrases(text, joint)
    return [" ".join(piece.split()).rstrip(" .") for piece in pieces if piece.strip(" .")]


def _tidy(label: str) -> str:
    """Return a label as it stands in a sentence: without what is in brackets, and not in capitals alone."""
    bare = without_brackets(label).strip(" *:")
    return bare.capitalize() if bare.isupper() else bare


def notes_of(outline: ChapterOutline) -> tuple[TableNote, ...]:
    """Return the designer's own rules for the chapter: the labelled lines that are none of the known ones."""
    known = {outline.place, outline.objective, outline.tactics, outline.kind, outline.arc, outline.tension}
    found: list[TableNote] = []
    for line in outline.fields:
        text = " ".join(line.text.split())
        if line.text in known or len(text.split()) < 4 or any(c and c in text for c in outline.consequences):
            continue
        label = _tidy(line.label)
        if is_plain(label, _PLAIN_MARKS, _LONGEST_LABEL):
            found.append(TableNote(label, text if is_plain(text, _RULE_MARKS, _LONGEST_RULE) else ""))
    return tuple(found)
