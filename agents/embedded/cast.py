"""Who is who: friend or foe, alone or many, speaking or not, as notes and objective tell."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Any

from agents.embedded.grammar import Grammar, Noun
from agents.embedded.loading import LEXICON, load_yaml
from agents.embedded.naming import REACH_OF_A_TURN, REACH_OF_AN_ATTACK, holds_phrase, mentions, sentences_of
from agents.embedded.outline import deed_words, fold_tokens, outline_text
from agents.embedded.sides import Side, sides_of
from agents.types import Canon, Person
from concilio.domain.adventure import ChapterOutline

_MOST_EXTRAS = 3


@dataclass(frozen=True, slots=True)
class Figure:
    """Somebody of the cast, as sentences need it."""

    name: str
    """As the designer wrote it."""
    noun: Noun
    hostile: bool | None
    """None where the adventure does not say."""
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
    ally: bool = False
    """The adventure calls it a friend or helper of the party."""


def _is_to_wake(name: str, outline: ChapterOutline, nouns: Any) -> bool:
    """Tell whether a consequence wakes somebody, who sleeps until then."""
    rising = set(nouns["rising"].split())
    for sentence in sentences_of("\n".join(outline.consequences)):
        places = (i for i, token in enumerate(sentence) if mentions(name, [token]))
        if any(rising & set(sentence[max(0, i - 1) : i + REACH_OF_A_TURN]) for i in places):
            return True
    return False


def _is_left_asleep(person: Person, outline: ChapterOutline, nouns: Any) -> bool:
    """Tell whether somebody sleeps by their note, and the objective does not go for them."""
    if not set(nouns["sleeping"].split()) & set(fold_tokens(person.note)):
        return False
    tokens = fold_tokens(outline.objective or "")
    at = next((i for i, token in enumerate(tokens) if mentions(person.name, [token])), None)
    before = tokens[max(0, at - REACH_OF_A_TURN) : at] if at is not None else []
    return at is None or bool(set(nouns["letting_sleep"].split()) & set(before))


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
    for sentence in sentences_of(outline_text(outline)):
        at = next((i for i, token in enumerate(sentence) if mentions(name, [token])), None)
        if at is None:
            continue
        places += 1
        before = set(sentence[max(0, at - REACH_OF_A_TURN) : at])
        if not sent & before:
            return False
    return places > 0


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
    person: Person, grammar: Grammar, nouns: Any, outline: ChapterOutline, names: Sequence[str], side: Side
) -> Figure | None:
    noun = grammar.name(person.name, person.count)
    if noun is None:
        return None
    objective = _about(outline, nouns)
    if _is_elsewhere(person.name, outline, nouns) or _is_unneeded(person, outline, names):
        return None
    return Figure(
        name=person.name,
        noun=noun,
        hostile=side.hostile,
        group=person.count > 1 or (not noun.proper and noun.head in nouns["collective"].split()),
        mute=_is_dumb(person, noun, nouns) and not person.voice,
        mentioned=mentions(person.name, fold_tokens(outline_text(outline))),
        count=person.count,
        voice=person.voice.strip(" ."),
        asleep=_is_to_wake(person.name, outline, nouns) or _is_left_asleep(person, outline, nouns),
        bound=holds_phrase(fold_tokens(person.note), nouns["bound"]),
        aim=mentions(person.name, objective),
        ally=side.ally,
    )


def _about(outline: ChapterOutline, nouns: Any) -> list[str]:
    """Return the words that say what an objective is about, without what only tells more of a thing."""
    told = " ".join(fold_tokens(outline.objective or ""))
    ends = [at for phrase in nouns["relatives"] if (at := told.find(f" {phrase} ")) >= 0]
    return told[: min(ends, default=len(told))].split()


def figures_of(
    canon: Canon, outline: ChapterOutline, grammar: Grammar, *, covert: bool = False
) -> tuple[Figure, ...]:
    """Return the cast; where there is none, the people whom the outline names by their trade.

    Args:
        covert: the chapter is against those who keep the place.
    """
    nouns = load_yaml(LEXICON / canon.language / "nouns.yaml")
    names = [person.name for person in canon.cast]
    sides = sides_of(canon, outline, covert=covert)
    made = (_figure(person, grammar, nouns, outline, names, sides[person.name]) for person in canon.cast)
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
    near = tokens[at + 1 : at + REACH_OF_AN_ATTACK] if at is not None else []
    role = next((w for before, w in pairwise(near) if before in articles and w in roles), None)
    noun = grammar.name(role, 1) if role else None
    if role is None or noun is None:
        return None
    return Figure(noun.the, noun, True, False, role in nouns["mute"].split(), mentioned=True, aim=True)


def _tradespeople(outline: ChapterOutline, grammar: Grammar, nouns: Any) -> tuple[Figure, ...]:
    """Return people of the outline's own words (`la noria de la tintorera`), at most three."""
    roles, articles = set(nouns["roles"].split()), set(nouns["articles"].split())
    hostile, mute = set(f"{nouns['hostile']} {nouns['office']}".split()), set(nouns["mute"].split())
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
