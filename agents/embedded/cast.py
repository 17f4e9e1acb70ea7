"""Who is who: friend or foe, alone or many, speaking or not, as notes and objective tell."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Any

from agents.embedded.grammar import Grammar, Noun
from agents.embedded.loading import LEXICON, load_yaml
from agents.embedded.outline import deed_words, fold_tokens, outline_text
from agents.types import Canon, Person
from concilio.domain.adventure import ChapterOutline

_REACH_OF_A_VERB = 8
_REACH_OF_AN_ATTACK = 5
_REACH_OF_A_TURN = 3
_REACH_OF_A_NAME = 2
_LETTERS_OF_A_MENTION = 4
_LETTERS_OF_A_STEM = 6
_MOST_EXTRAS = 3


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
    count: int = 1
    """How many there are."""
    voice: str = ""
    """How it speaks, in the designer's words."""
    bound: bool = False
    """The note ties it to a place of its own: it is there where an outline names it, and nowhere else."""
    asleep: bool = False
    """An ending of the outline wakes it: until then it stirs for nobody."""
    aim: bool = False
    """The objective is about it: to save, to move or to catch it."""


def _stems(words: Iterable[str]) -> set[str]:
    return {word[:_LETTERS_OF_A_STEM] for word in words if len(word) >= _LETTERS_OF_A_MENTION}


def mentions(name: str, tokens: Iterable[str]) -> bool:
    """Tell whether words name somebody: by the first telling word, endings left out, or by a further name."""
    known = set(tokens)
    words = [word for word in fold_tokens(name) if len(word) >= _LETTERS_OF_A_MENTION]
    named = [word.casefold() for word in name.split()[1:] if word[:1].isupper()]
    first = bool(words) and words[0][:_LETTERS_OF_A_STEM] in _stems(known)
    return first or any(word in known for word in named)


def is_addressed(name: str, goal: str, language: str) -> bool:
    """Tell whether an objective addresses somebody: `ante el juez`, `convince the duke`."""
    tokens = fold_tokens(goal)
    addressing = set(deed_words(language)["addressing"].split())
    places = (i for i, token in enumerate(tokens) if mentions(name, [token]))
    return any(addressing & set(tokens[max(0, i - _REACH_OF_A_NAME) : i]) for i in places)


def _after_a_verb(
    name: str, tokens: Sequence[str], verbs: frozenset[str], stops: frozenset[str] = frozenset()
) -> bool:
    """Tell whether a name stands soon after one of the verbs, before a word that turns the sentence."""
    for i in (i for i, token in enumerate(tokens) if token in verbs):
        near = tokens[i + 1 : i + _REACH_OF_A_VERB]
        end = next((k for k, token in enumerate(near) if token in stops), len(near))
        if mentions(name, near[:end]):
            return True
    return False


def _before_a_verb(name: str, tokens: Sequence[str], verbs: frozenset[str]) -> bool:
    places = [i for i, token in enumerate(tokens) if token in verbs]
    return any(mentions(name, tokens[max(0, i - _REACH_OF_AN_ATTACK) : i]) for i in places)


def _is_warded_off(name: str, tokens: Sequence[str], names: Sequence[str], nouns: Any) -> bool:
    """Tell whether somebody is guarded against somebody: `proteger a Celia del Pálido`, two of the cast."""
    guarding = set(nouns["guarding"].split())
    for at in (i for i, token in enumerate(tokens) if token in nouns["parting"].split()):
        guarded = bool(guarding & set(tokens[max(0, at - _REACH_OF_AN_ATTACK) : at]))
        before = any(other != name and mentions(other, tokens[at - 1 : at]) for other in names)
        if guarded and before and mentions(name, tokens[at + 1 : at + _REACH_OF_A_TURN]):
            return True
    return False


def _side(
    person: Person, nouns: Any, language: str, objective: Sequence[str], names: Sequence[str] = ()
) -> bool | None:
    """Return whether somebody is an opponent: by the objective, else by the note's first telling word."""
    words = deed_words(language)
    if _is_warded_off(person.name, objective, names, nouns):
        return True
    turns = {aside.split()[0] for aside in words["asides"]} | set(words["opposing"].split())
    if _after_a_verb(person.name, objective, frozenset(nouns["guarding"].split()), frozenset(turns)):
        return False
    if _after_a_verb(person.name, objective, frozenset(words["opposing"].split())):
        return True
    if _before_a_verb(person.name, objective, frozenset(words["attacking"].split())):
        return True
    note = fold_tokens(person.note)
    if _harms(note, nouns) or _tells(note, nouns["taking"]):
        return True
    return _side_by_word(person, nouns)


def _side_by_word(person: Person, nouns: Any) -> bool | None:
    """Return whether somebody is an opponent by the first telling word said of them."""
    friendly, hostile = set(nouns["friendly"].split()), set(nouns["hostile"].split())
    turning = set(nouns["turning"].split())
    note = fold_tokens(person.note)
    own = [word for i, word in enumerate(note) if not turning & set(note[max(0, i - _REACH_OF_A_TURN) : i])]
    for word in [*own, *fold_tokens(person.name)]:
        if word in friendly:
            return False
        if word in hostile:
            return True
    return True if person.count > 1 or person.fights or _commands(note, nouns) else None


def _harms(tokens: Sequence[str], nouns: Any) -> bool:
    """Tell whether a deed against the party or against innocents is told, done by whom the words are about.

    A deed undergone (`was killed`, `perseguida por`) and one done to an enemy (`hunts bandits`) are none.
    """
    hostile, party = set(nouns["hostile"].split()), set(nouns["party"].split())
    harming = set(nouns["harming"].split())
    innocent = (set(nouns["friendly"].split()) | set(nouns["roles"].split()) | party) - hostile
    harmed, having = set(nouns["harmed"].split()), set(nouns["having"].split())
    for at, token in enumerate(tokens):
        done = token in harmed and bool(having & set(tokens[max(0, at - 1) : at]))
        if token not in harming and token not in nouns["chasing"].split() and not done:
            continue
        after = list(tokens[at + 1 : at + _REACH_OF_AN_ATTACK])
        if _is_undergone(tokens[:at], after, nouns):
            continue
        victims = innocent & set(after)
        if party & set(after) or (not hostile & set(after) and (victims or token in harming or done)):
            return True
    return False


def _is_undergone(before: Sequence[str], after: Sequence[str], nouns: Any) -> bool:
    """Tell whether the words around a verb say that it is undergone, denied or another's deed."""
    told = " ".join(["", *before[-_REACH_OF_A_TURN:]])
    return after[:1] in (["by"], ["por"]) or any(told.endswith(f" {words}") for words in nouns["undergone"])


def _tells(tokens: Sequence[str], phrases: Iterable[str]) -> bool:
    """Tell whether words hold one of some phrases."""
    told = f" {' '.join(tokens)} "
    return any(f" {phrase} " in told for phrase in phrases)


def _is_to_wake(name: str, outline: ChapterOutline, nouns: Any) -> bool:
    """Tell whether a consequence wakes somebody, who sleeps until then."""
    rising = set(nouns["rising"].split())
    for sentence in _sentences_of("\n".join(outline.consequences)):
        places = (i for i, token in enumerate(sentence) if mentions(name, [token]))
        if any(rising & set(sentence[max(0, i - 1) : i + _REACH_OF_A_TURN]) for i in places):
            return True
    return False


def _is_unneeded(person: Person, outline: ChapterOutline, names: Sequence[str]) -> bool:
    """Tell whether somebody with a stat block is not named where a chapter names others."""
    whole = (
        word for word in outline_text(outline).split() if "-" not in word
    )  # a toll-house is no Toll Warden
    told = fold_tokens(" ".join(whole))
    alone = person.fights and person.count == 1 and not mentions(person.name, told)
    return alone and any(mentions(name, told) for name in names)


def _is_elsewhere(name: str, outline: ChapterOutline, nouns: Any) -> bool:
    """Tell whether each mention says that somebody is not there: is warned or written to."""
    sent = set(nouns["sent_to"].split())
    places = 0
    for sentence in _sentences_of(outline_text(outline)):
        at = next((i for i, token in enumerate(sentence) if mentions(name, [token])), None)
        if at is None:
            continue
        places += 1
        before = set(sentence[max(0, at - _REACH_OF_A_TURN) : at])
        if not sent & before:
            return False
    return places > 0


def _commands(tokens: Sequence[str], nouns: Any) -> bool:
    """Tell whether somebody is said to command an armed or hostile band."""
    bands = set(nouns["hostile"].split()) | set(nouns["troops"].split())
    places = (i for i, token in enumerate(tokens) if token in nouns["commanding"].split())
    return any(bands & set(tokens[i + 1 : i + _REACH_OF_AN_ATTACK]) for i in places)


def _is_culprit(name: str, outline: ChapterOutline, nouns: Any) -> bool:
    """Tell whether the outline says that somebody is behind it: a deed told of them, or a word for it."""
    culprit = frozenset(nouns["culprit"].split())
    for sentence in _sentences_of(outline_text(outline)):
        for at in (i for i, token in enumerate(sentence) if mentions(name, [token])):
            near = sentence[at + 1 : at + _REACH_OF_AN_ATTACK]
            led = sentence[max(0, at - _REACH_OF_AN_ATTACK) : at]
            confesses = set(nouns["confessing"].split()) & set(near[:2])
            if confesses or _harms(near, nouns) or _names_culprit(led, near, culprit):
                return True
    return False


def _names_culprit(before: Sequence[str], after: Sequence[str], culprit: frozenset[str]) -> bool:
    """Tell whether *the culprit is X* or *X is the culprit* stands around a name."""
    joined = {"is", "was", "es", "era"}
    told = bool(culprit & set(before)) and bool(joined & set(before[-2:]))
    return told or (bool(joined & set(after[:1])) and bool(culprit & set(after[1:4])))


def _sentences_of(text: str) -> list[list[str]]:
    """Return the words of each part of a text that ends with a mark."""
    marked = "".join("\n" if char in ".;:!?" else char for char in text)
    return [fold_tokens(line) for line in marked.split("\n") if line.strip()]


def _is_dumb(person: Person, noun: Noun, nouns: Any) -> bool:
    """Tell whether somebody cannot speak: by its name, or by the first word of the note that names a kind."""
    mute, roles = set(nouns["mute"].split()), set(nouns["roles"].split()) | set(nouns["friendly"].split())
    if noun.head in mute:
        return True
    dealing = set(f"{nouns['dealing']} {nouns['turning']} {nouns['chasing']} {nouns['harming']}".split())
    words = [
        *takewhile(lambda word: word not in dealing, fold_tokens(person.note)),
        *fold_tokens(person.name),
    ]
    kinds = (word for word in words if word in mute or word in roles)
    return next(kinds, "") in mute


def _figure(
    person: Person, grammar: Grammar, nouns: Any, outline: ChapterOutline, names: Sequence[str]
) -> Figure | None:
    noun = grammar.name(person.name, person.count)
    if noun is None:
        return None
    objective = fold_tokens(outline.objective or "")
    if _is_elsewhere(person.name, outline, nouns) or _is_unneeded(person, outline, names):
        return None
    hostile = _side(person, nouns, grammar.language, objective, names)
    if not hostile and _is_culprit(person.name, outline, nouns):
        hostile = True
    return Figure(
        name=person.name,
        noun=noun,
        hostile=hostile,
        group=person.count > 1 or (not noun.proper and noun.head in nouns["collective"].split()),
        mute=_is_dumb(person, noun, nouns) and not person.voice,
        mentioned=mentions(person.name, fold_tokens(outline_text(outline))),
        count=person.count,
        voice=person.voice.strip(" ."),
        asleep=_is_to_wake(person.name, outline, nouns),
        bound=_tells(fold_tokens(person.note), nouns["bound"]),
        aim=mentions(person.name, objective),
    )


def figures_of(canon: Canon, outline: ChapterOutline, grammar: Grammar) -> tuple[Figure, ...]:
    """Return the cast; where there is none, the people whom the outline names by their trade."""
    nouns = load_yaml(LEXICON / canon.language / "nouns.yaml")
    names = [person.name for person in canon.cast]
    made = (_figure(person, grammar, nouns, outline, names) for person in canon.cast)
    found = tuple(figure for figure in made if figure)
    if not any(f.aim for f in found):
        quarry = _quarry(outline, grammar, nouns) or _decider(outline, grammar, nouns)
        found = (*found, quarry) if quarry else found
    return found or _tradespeople(outline, grammar, nouns)


def _decider(outline: ChapterOutline, grammar: Grammar, nouns: Any) -> Figure | None:
    """Return who decides by the objective where the cast does not have it (`convencer al consejo`)."""
    tokens = fold_tokens(outline.objective or "")
    articles, deciding = set(nouns["articles"].split()), set(nouns["deciding"].split())
    asking = {verb.split()[0] for verb in deed_words(grammar.language)["verbs"]["persuade"]}
    if not asking & set(tokens):
        return None
    role = next((w for before, w in pairwise(tokens) if before in articles and w in deciding), None)
    noun = grammar.name(role, 1) if role else None
    return Figure(noun.the, noun, None, False, mute=False, mentioned=True, aim=True) if noun else None


def tells_of(outline: ChapterOutline, what: str, language: str) -> bool:
    """Tell whether a chapter's outline has a word of a kind: `watching` or `threat`."""
    stems: str = load_yaml(LEXICON / language / "nouns.yaml")[what]
    return any(token.startswith(tuple(stems.split())) for token in fold_tokens(outline_text(outline)))


def _quarry(outline: ChapterOutline, grammar: Grammar, nouns: Any) -> Figure | None:
    """Return whom the objective is to beat where the cast does not have it (`dar caza al contemplador`)."""
    tokens = fold_tokens(outline.objective or "")
    words = deed_words(grammar.language)
    verbs, roles = set(words["opposing"].split()), set(nouns["roles"].split())
    articles = set(nouns["articles"].split())
    at = next((i for i, token in enumerate(tokens) if token in verbs), None)
    near = tokens[at + 1 : at + _REACH_OF_AN_ATTACK] if at is not None else []
    role = next((w for before, w in pairwise(near) if before in articles and w in roles), None)
    noun = grammar.name(role, 1) if role else None
    if role is None or noun is None:
        return None
    return Figure(noun.the, noun, True, False, role in nouns["mute"].split(), mentioned=True, aim=True)


def _tradespeople(outline: ChapterOutline, grammar: Grammar, nouns: Any) -> tuple[Figure, ...]:
    """Return people of the outline's own words (`la noria de la tintorera`), at most three."""
    roles, articles = set(nouns["roles"].split()), set(nouns["articles"].split())
    hostile, mute = set(nouns["hostile"].split()), set(nouns["mute"].split())
    told = [outline.objective, outline.tactics, outline.notes, *outline.consequences]
    tokens = fold_tokens(" ".join(text for text in told if text))
    objective = set(fold_tokens(outline.objective or ""))
    keepers = set(nouns["keepers"].split())
    roles |= keepers
    found: dict[str, Figure] = {}
    for before, word in pairwise(tokens):
        if before in articles and word in roles and word not in found and len(found) < _MOST_EXTRAS:
            noun = grammar.name(word, 1)
            if noun:
                side = True if word in hostile | keepers else None
                found[word] = Figure(
                    noun.the, noun, side, False, word in mute, mentioned=True, aim=word in objective
                )
    return tuple(found.values())
