"""On whose side somebody of the cast is: an opponent only where the adventure says so.

What counts, the strongest first: an attitude that is told in so many words (`hostile`, `neutral`), the
objective (who is protected, beaten, raced against), deeds of harm, what the note calls somebody and of whom
(`enemy of the duchess`, `friend of the bandits`), a stat block. Whoever only keeps a place (`harbour
watch`) is against the party where the chapter is against keepers: unseen, in flight, after what is kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from agents.embedded.loading import LEXICON, load_yaml
from agents.embedded.naming import (
    REACH_OF_A_TURN,
    REACH_OF_AN_ATTACK,
    holds_phrase,
    is_after_a_verb,
    is_before_a_verb,
    mentions,
    sentences_of,
)
from agents.embedded.outline import deed_words, fold_tokens, outline_text, singulars
from agents.types import Canon, Person
from concilio.domain.adventure import ChapterOutline

AGAINST_KEEPERS = frozenset({"take", "enter", "escape", "free", "outsail", "seize"})
"""Deeds to which whoever keeps a place is opposed."""
_COVERT = frozenset({"stealth", "chase", "combat"})


_Word = Literal["foe", "friend", "neutral"]
"""What a text says of somebody."""
_WORDS: tuple[_Word, ...] = get_args(_Word)


@dataclass(frozen=True, slots=True)
class Side:
    """On whose side somebody is."""

    hostile: bool | None = None
    """None where the adventure does not say."""
    ally: bool = False
    """The adventure calls them a friend of the party or one who helps it."""


@dataclass(frozen=True, slots=True)
class _Told:
    """All that tells of a side but the person."""

    outline: ChapterOutline
    objective: Sequence[str]
    nouns: Any
    words: Any
    """Verbs of objectives, and the words around them."""
    names: Sequence[str]
    party: Sequence[str]
    covert: bool
    """Whoever keeps the place is against the party."""
    hostile: frozenset[str] = frozenset()
    """Names of the cast's opponents, as far as they are known."""

    def of(self, name: str) -> frozenset[str]:
        """Return a list of the nouns as a set."""
        return frozenset(self.nouns[name].split())


def is_covert(kinds: Sequence[str], deeds: Sequence[str]) -> bool:
    """Tell whether a chapter is against those who keep a place."""
    return bool(_COVERT & set(kinds) or AGAINST_KEEPERS & set(deeds))


def sides_of(canon: Canon, outline: ChapterOutline, *, covert: bool) -> Mapping[str, Side]:
    """Return the side of each of the cast, by name; who is with an opponent is an opponent."""
    told = _Told(
        outline=outline,
        objective=fold_tokens(outline.objective or ""),
        nouns=load_yaml(LEXICON / canon.language / "nouns.yaml"),
        words=deed_words(canon.language),
        names=[person.name for person in canon.cast],
        party=[sheet.name for sheet in canon.party],
        covert=covert,
    )
    first = {person.name: _side(person, told) for person in canon.cast}
    known = replace(told, hostile=frozenset(name for name, side in first.items() if side.hostile))
    return {person.name: _side(person, known) for person in canon.cast}


def _side(person: Person, told: _Told) -> Side:
    note = _words_of(person.note)
    ally = _is_ally(note, told) or _is_a_help(person.name, told)
    word = _by_attitude(note, told) or _by_objective(person, told, ally=ally) or _by_note(person, note, told)
    if word != "foe" and _is_culprit(person.name, told):
        word = "foe"
    sides: dict[_Word | None, bool] = {"foe": True, "friend": False}
    return Side(sides.get(word, False if ally else None), ally=ally and word != "foe")


def _words_of(note: str) -> list[str]:
    """Return the words of a note, with an empty one wherever a mark ends what was said of somebody."""
    parts = "".join("\n" if char in ".,;:!?()" else char for char in note).split("\n")
    return [word for part in parts for word in ("", *fold_tokens(part))][1:]


def _is_a_help(name: str, told: _Told) -> bool:
    """Tell whether the outline says what somebody does for the party (`Pim shows the party the vial`)."""
    favoured = told.of("favoured") | told.of("party")
    for sentence in sentences_of("\n".join(told.outline.consequences)):
        for at in (i for i, token in enumerate(sentence) if mentions(name, [token])):
            near = sentence[at + 1 :]
            if told.of("favouring") & set(near[:REACH_OF_A_TURN]) and favoured & set(near):
                return True
    return False


def _by_attitude(note: Sequence[str], told: _Told) -> _Word | None:
    """Return the attitude that a note tells in so many words."""
    attitudes = told.nouns["attitudes"]
    own = _unturned(note, told)
    return next((word for word in _WORDS if any(one in own for one in attitudes[word].split())), None)


# --- the objective ------------------------------------------------------------------------------------


def _by_objective(person: Person, told: _Told, *, ally: bool) -> _Word | None:
    """Return what the objective says of somebody: whom the note calls a friend is no enemy by it."""
    name, words = person.name, told.words
    if _is_warded_off(name, told):
        return "foe"
    asides, opposing = {aside.split()[0] for aside in words["asides"]}, frozenset(words["opposing"].split())
    if is_after_a_verb(name, told.objective, told.of("guarding"), opposing | asides):
        return "friend"
    if ally:
        return None
    ends = asides | set(words["accompanied"].split())
    opposed = is_after_a_verb(name, told.objective, opposing, frozenset(ends))
    attacks = is_before_a_verb(name, told.objective, frozenset(words["attacking"].split()))
    return "foe" if opposed or attacks or _is_raced(person, told) else None


def _is_warded_off(name: str, told: _Told) -> bool:
    """Tell whether somebody is guarded against somebody: `proteger a Celia del Pálido`, two of the cast."""
    tokens, guarding = told.objective, told.of("guarding")
    for at in (i for i, token in enumerate(tokens) if token in told.of("parting")):
        guarded = bool(guarding & set(tokens[max(0, at - REACH_OF_AN_ATTACK) : at]))
        before = any(other != name and mentions(other, tokens[at - 1 : at]) for other in told.names)
        before = before or tokens[at] in told.of("warding")
        if guarded and before and mentions(name, tokens[at + 1 : at + REACH_OF_A_TURN]):
            return True
    return False


def _is_raced(person: Person, told: _Told) -> bool:
    """Tell whether the party has to be done before somebody bars, hides or destroys (`before X burns it`)."""
    tokens = told.objective
    for at in (i for i, token in enumerate(tokens) if token in told.of("racing")):
        near = tokens[at + 1 : at + REACH_OF_AN_ATTACK + 1]
        named = next((i for i, token in enumerate(near) if mentions(person.name, [token])), None)
        if named is not None and told.of("thwarting") & set(near[named:]):
            return True
    return False


# --- the note -----------------------------------------------------------------------------------------


def _is_ally(note: Sequence[str], told: _Told) -> bool:
    """Tell whether a note calls somebody a friend, kin of the party, or one who helps it."""
    own = _unturned(note, told)
    friends = [i for i, word in enumerate(own) if word in told.of("allied")]
    if any(not _is_of_a_foe(note, i, told) for i in friends):
        return True
    party = told.of("party")
    helping = told.of("aiding") | told.of("kin")
    near = [note[i + 1 : i + REACH_OF_AN_ATTACK] for i, word in enumerate(own) if word in helping]
    return any(party & set(words) or any(mentions(hero, words) for hero in told.party) for words in near)


def _by_note(person: Person, note: Sequence[str], told: _Told) -> _Word | None:
    """Return what a note says of somebody: deeds, else the first telling word, else the stat block."""
    if _harms(note, told) or holds_phrase(note, told.nouns["taking"]):
        return "foe"
    name = fold_tokens(person.name)
    own, said = [*_unturned(note, told), "", *name], [*note, "", *name]
    if told.of("villains") & set(own):
        return "foe"
    for at, word in enumerate(own):
        said_of = _by_word(word, said, at, told) if word else None
        if said_of:
            return said_of
    return "foe" if person.fights or (told.covert and _keeps_a_place(own, told)) else None


def _by_word(word: str, said: Sequence[str], at: int, told: _Told) -> _Word | None:
    serves = word in told.of("allied") | told.of("serving")
    if serves and _is_of_a_foe(said, at, told):
        return "foe"
    if word in told.of("friendly"):
        return "friend"
    if word in told.of("opposed"):  # an enemy of the bandits is none of the party
        return None if _is_of_a_foe(said, at, told) else "foe"
    if told.of("hostile") & set(singulars(word)):
        return "foe"
    leads = word in told.of("leaders") and _is_of_a_foe(said, at, told)
    commands = word in told.of("commanding") and _are_foes(said[at + 1 : at + REACH_OF_AN_ATTACK], told)
    return "foe" if leads or commands else None


def _is_of_a_foe(said: Sequence[str], at: int, told: _Told) -> bool:
    """Tell whether a word is joined to an opponent: `friend of the bandits`, `servant to` one of the cast."""
    joined = said[at + 1 : at + 2]
    linked = bool(told.of("links") & set(joined))
    return linked and _are_foes(said[at + 2 : at + 2 + REACH_OF_A_TURN], told)


def _are_foes(words: Sequence[str], told: _Told) -> bool:
    hostile = told.of("hostile") - told.of("opposed")
    forms = {form for word in words for form in singulars(word)}
    return bool(hostile & forms) or any(mentions(name, words) for name in told.hostile)


def _unturned(note: Sequence[str], told: _Told) -> list[str]:
    """Return a note's words; those are blanked that belong to somebody else, are denied or are past."""
    turning = told.of("turning")
    joints = {"", *told.words["joints"]}
    marks = [max((k + 1 for k in range(i) if note[k] in joints), default=0) for i in range(len(note))]
    blank = [bool(turning & set(note[max(mark, i - REACH_OF_A_TURN) : i])) for i, mark in enumerate(marks)]
    return ["" if gone else word for word, gone in zip(note, blank, strict=True)]


def _keeps_a_place(own: Sequence[str], told: _Told) -> bool:
    """Tell whether somebody is of a watch, or commands one."""
    places = (i for i, word in enumerate(own) if word in told.of("commanding"))
    commands = any(told.of("troops") & set(own[i + 1 : i + REACH_OF_AN_ATTACK]) for i in places)
    return commands or bool(told.of("office") & set(own))


# --- deeds --------------------------------------------------------------------------------------------


def _harms(tokens: Sequence[str], told: _Told) -> bool:
    """Tell whether a deed against the party or against innocents is told, done by whom the words are about.

    A deed undergone (`was killed`, `perseguida por`) and one done to an enemy (`hunts bandits`) are none.
    """
    hostile, party = told.of("hostile") | told.of("office"), told.of("party")
    harming = told.of("harming")
    innocent = (told.of("friendly") | told.of("roles") | party) - hostile
    for at, token in enumerate(tokens):
        done = token in told.of("harmed") and bool(told.of("having") & set(tokens[max(0, at - 1) : at]))
        if token not in harming and token not in told.of("chasing") and not done:
            continue
        after = list(tokens[at + 1 : at + REACH_OF_AN_ATTACK])
        if _is_undergone(tokens[:at], after, told):
            continue
        victims = innocent & set(after)
        if party & set(after) or (not hostile & set(after) and (victims or token in harming or done)):
            return True
    return False


def _is_undergone(before: Sequence[str], after: Sequence[str], told: _Told) -> bool:
    """Tell whether the words around a verb say that it is undergone, denied or another's deed."""
    said = " ".join(["", *before[-REACH_OF_A_TURN:]])
    return after[:1] in (["by"], ["por"]) or any(said.endswith(f" {w}") for w in told.nouns["undergone"])


def _is_culprit(name: str, told: _Told) -> bool:
    """Tell whether the outline says that somebody is behind it: a deed told of them, or a word for it."""
    culprit = told.of("culprit")
    for sentence in sentences_of(outline_text(told.outline)):
        for at in (i for i, token in enumerate(sentence) if mentions(name, [token])):
            near = sentence[at + 1 : at + REACH_OF_AN_ATTACK]
            led = sentence[max(0, at - REACH_OF_AN_ATTACK) : at]
            confesses = told.of("confessing") & set(near[:2])
            if confesses or _harms(near, told) or _names_culprit(led, near, culprit):
                return True
    return False


def _names_culprit(before: Sequence[str], after: Sequence[str], culprit: frozenset[str]) -> bool:
    """Tell whether *the culprit is X* or *X is the culprit* stands around a name."""
    joined = {"is", "was", "es", "era"}
    told = bool(culprit & set(before)) and bool(joined & set(before[-2:]))
    return told or (bool(joined & set(after[:1])) and bool(culprit & set(after[1:4])))
