"""What an outline says, read: its kinds of objective, elements, table notes, and which way a chase runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from agents.embedded.beats import TYPES
from agents.embedded.grammar import Grammar, Noun
from agents.embedded.grammar.base import lower_first, phrases, put_back, set_aside, until, without_brackets
from agents.embedded.loading import LEXICON, load_yaml
from concilio.domain.adventure import ChapterOutline

FALLBACK_KINDS = ("exploration", "social")
ANY_DEED = "any"
_LONGEST_ELEMENT = 200
_LONGEST_RULE = 500
_LONGEST_LABEL = 60
_REACH_OF_AN_OBJECT = 5
"""Words, the verb among them, in which its object is looked for."""
_PLAIN_MARKS = frozenset(" ,'’-()“”«»/")
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
    """The thing alone; None where it cannot be touched or stood behind, or hinders rather than helps."""


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


def deed_of(goal: str, kinds: Sequence[str], language: str, *, person: bool = False) -> str:
    """Return the kind of an objective by its verb, the longest winning; words and scene type may turn it.

    Args:
        person: what is to be found, brought or led is a person.
    """
    tokens = goal.split()
    found = ""
    deed = ANY_DEED
    for name, verbs in deed_words(language)["verbs"].items():
        for verb in verbs:
            fits = _starts_with(tokens, verb) or (" " not in verb and verb in _verb_forms(tokens[0]))
            if fits and len(verb) > len(found):
                found, deed = verb, name
    about = set(fold_tokens(core_of(goal, language)))
    readings = (r for r in deed_words(language)["readings"] if r["deed"] == deed)
    readings = (r for r in readings if not r.get("verbs") or _verb_forms(tokens[0]) & set(r["verbs"]))
    turned = (r for r in readings if _holds(r, kinds, about, person=person))
    return next((reading["means"] for reading in turned), deed)


def _holds(reading: Any, kinds: Sequence[str], about: set[str], *, person: bool) -> bool:
    """Tell whether all holds that a reading of a verb asks for: the scene type, a word, a person."""
    typed = "kind" not in reading or reading["kind"] in kinds[:1]
    worded = not reading.get("about") or bool(about & set(reading["about"]))
    fit = not person if reading.get("thing") else person or not reading.get("person")
    return typed and worded and fit


def core_of(goal: str, language: str) -> str:
    """Return an objective without its asides (`… before the candle burns down`)."""
    tokens = goal.split()
    asides: list[str] = deed_words(language)["asides"]
    ends = [i for i in range(2, len(tokens)) if any(_starts_with(tokens[i:], aside) for aside in asides)]
    return " ".join(tokens[: min(ends)] if ends else tokens).rstrip(" ,")


def clauses_of(
    goal: str,
    kinds: Sequence[str],
    grammar: Grammar,
    item: Noun | None = None,
    people: Sequence[tuple[str, Noun]] = (),
) -> tuple[Clause, ...]:
    """Return the things that an objective asks for, in order: it is cut where a new verb begins.

    Args:
        item: the thing for which a pronoun may stand.
        people: names and nouns of the cast, for whom a pronoun may stand as well.
    """
    language = grammar.language
    parts = _parts(goal, grammar)
    thing = (item or grammar.handled(parts[0])) if len(parts) > 1 else None
    person = next((noun for name, noun in people if _names(name, parts[0])), None)
    said = [parts[0]]
    for part in parts[1:]:
        named = _named(part, thing, person, language)
        won = _is_won_with(said[-1], kinds, language, people)
        if won or _pronoun_of(named, language):  # nothing for which it stands: no part of its own
            said[-1] = f"{said[-1]} {_joint_before(goal, part)} {named}"
        else:
            said.append(named)
    found = [_clause(part, kinds, language, people) for part in said]
    return tuple(clause for clause in found if clause.core)


def _is_won_with(part: str, kinds: Sequence[str], language: str, people: Sequence[tuple[str, Noun]]) -> bool:
    """Tell whether what follows a part falls to whoever does it: who is beaten opposes nothing afterwards."""
    crowning = deed_words(language)["crowning"]
    deed = _clause(part, kinds, language, people).deed
    return deed in crowning["always"] or (
        deed in crowning["person"] and _is_about_a_person(part, language, people)
    )


def _clause(part: str, kinds: Sequence[str], language: str, people: Sequence[tuple[str, Noun]]) -> Clause:
    person = _is_about_a_person(part, language, people)
    return Clause(deed_of(part, kinds, language, person=person), part, core_of(part, language))


def _parts(goal: str, grammar: Grammar) -> list[str]:
    """Return an objective cut where a new verb begins, but for one that only rounds off what it follows."""
    tokens = goal.split()
    words = deed_words(grammar.language)
    cuts = [
        i
        for i in range(2, len(tokens) - 2)
        if tokens[i].lower() in words["joints"]
        and grammar.is_infinitive(tokens[i + 1])
        and not _rounds_off(tokens[i + 1 : i + 3], words["joined"])
    ]
    starts, ends = [0, *(i + 1 for i in cuts)], [*cuts, len(tokens)]
    return [" ".join(tokens[a:b]).rstrip(" ,") for a, b in zip(starts, ends, strict=True)]


def _rounds_off(tokens: Sequence[str], joined: Any) -> bool:
    """Tell whether a verb tells how a deed is done (`and leave no trace`) rather than another deed."""
    wanted = joined.get(tokens[0].lower())
    return wanted is not None and (not wanted or tokens[-1].lower() in wanted)


def _joint_before(goal: str, part: str) -> str:
    """Return the word that joins a part to what stands before it."""
    return goal[: goal.rindex(part)].split()[-1]


def _names(name: str, part: str) -> bool:
    """Tell whether a part names somebody by the first word of the name."""
    words = fold_tokens(name)
    return bool(words) and words[0] in fold_tokens(part)


def _is_about_a_person(part: str, language: str, people: Sequence[tuple[str, Noun]]) -> bool:
    """Tell whether the object of a part's verb is a person: one of the cast, or a word for one."""
    nouns = load_yaml(LEXICON / language / "nouns.yaml")
    persons = set(nouns["roles"].split()) | set(nouns["friendly"].split())
    words = deed_words(language)
    tokens = part.split()[1:_REACH_OF_AN_OBJECT]
    skipped = 1 if tokens and tokens[0].lower() in words["personal"] else 0
    if skipped and part.split()[0].lower() in words["taking_out"]:
        return True  # in Spanish only persons are taken out with *a*
    near = " ".join(until(tokens[skipped:], words["object_ends"]))
    told = {form for word in fold_tokens(near) for form in singulars(word)}
    return bool(persons & told) or any(_names(name, near) for name, _ in people)


def singulars(word: str) -> tuple[str, ...]:
    """Return a word as it is and without a plural's ending."""
    return word, word.removesuffix("s"), word.removesuffix("es")


def _pronoun_of(part: str, language: str) -> str:
    """Return the pronoun that is the object of a part's verb; empty where there is none."""
    first, *rest = part.split()
    words = deed_words(language)
    one = rest[0].strip(",").lower() if rest else ""
    after = rest[1].strip(",").lower() if len(rest) > 1 else ""
    object_alone = one not in words["for_persons"] or after in ("", *words["particles"])
    if one in words["pronouns"] and object_alone:
        return one
    clitic = next((end for end in words["clitics"] if first.endswith(end)), "")
    return clitic if clitic and first.removesuffix(clitic).endswith("r") else ""


def _named(part: str, thing: Noun | None, person: Noun | None, language: str) -> str:
    """Return a clause with what its pronoun stands for (`steal it` → `steal the ledger`)."""
    pronoun = _pronoun_of(part, language)
    words = deed_words(language)
    meant = person if pronoun in words["for_persons"] else thing or person
    if not pronoun or meant is None:
        return part
    first, *rest = part.split()
    told = meant.to if meant is person and words["personal"] else meant.the
    if pronoun in words["clitics"]:
        return " ".join([first.removesuffix(pronoun), told, *rest])
    return " ".join([first, told, *rest[1:]])


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


def optional_aids(outline: ChapterOutline, language: str) -> frozenset[str]:
    """Return the skills of an aid that a note of the outline leaves to the table: no way of its own."""
    words = deed_words(language)
    found: set[str] = set()
    for line in (*(field.text for field in outline.fields), outline.notes):
        told = f" {' '.join(fold_tokens(line))} "
        if any(f" {phrase} " in told for phrase in words["optional"]):
            found.update(
                skill for stem, skills in words["aids"].items() if f" {stem}" in told for skill in skills
            )
    return frozenset(found)


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
            useful = nouns and not is_hindrance(piece, grammar.language)
            found.setdefault(piece.casefold(), Element(told, nouns[0] if useful else None))
    return tuple(found.values())


def is_hindrance(piece: str, language: str) -> bool:
    """Tell whether an element slips, breaks, silences or binds: it helps no roll."""
    stems = tuple(load_yaml(LEXICON / language / "nouns.yaml")["hindering"].split())
    return any(token.startswith(stems) for token in fold_tokens(piece))


def _pieces(text: str, joint: str) -> list[str]:
    if ";" in text:
        pieces = [piece.strip(" .\n-*•") for piece in text.split(";")]
        pieces = [piece.removeprefix(joint.strip() + " ") for piece in pieces]
    else:
        held, asides = set_aside(text)
        pieces = [put_back(piece, asides) for piece in phrases(held, joint)]
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
