"""Who and what a scene has at hand: its opponent, who speaks, the element near it, its slots."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.embedded.beats import OPPOSED, Beat, kind_of
from agents.embedded.brief import Brief, Place
from agents.embedded.cast import Figure
from agents.embedded.grammar import Noun
from agents.embedded.loading import LEXICON, load_yaml
from agents.embedded.naming import first_mention, is_addressed
from agents.embedded.outline import Clause, Element, fold_tokens, type_words
from agents.embedded.places import furniture, is_afloat, is_outdoors, is_peopled
from agents.embedded.sides import is_covert
from agents.embedded.slots import fill

CONTESTED = frozenset({"combat", "stealth", "social", "chase", "protect"})
"""Scene types that need an opponent: there, one of whom the outline does not speak may be it."""

_AGAINST_SOMEBODY = frozenset({"learn", "catch", "slay", "stop"})
"""Deeds that are done against whoever is behind it, named in the outline or not."""

_UNSEEN = frozenset({"take", "enter"})
"""Deeds that a bargain with the opponent would give away."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Who and what a scene has at hand."""

    place: Place
    foe: Noun | None
    figure: Figure | None
    """The opponent in the cast; None where it is a general one or nobody."""
    voice: str
    """Who speaks, as a phrase; empty where nobody can."""
    speaker: Figure | None
    """Who speaks, in the cast."""
    elements: tuple[Element, ...]
    """Elements of the outline that are played here."""
    tactic: Noun | None
    """The one that gives the edge."""
    item: Noun
    clause: Clause

    def values(self) -> dict[str, str]:
        """Return the slots' values."""
        nouns = {"place": self.place.noun, "foe": self.foe, "tactic": self.tactic, "item": self.item}
        values = {"voice": self.voice, "in_place": self.place.noun.at}
        values |= {"goal": self.clause.goal, "deed": self.clause.core, OPPOSED: ""}
        for name, noun in nouns.items():
            if noun:
                values |= {name: noun.the, f"of_{name}": noun.of, f"to_{name}": noun.to}
        return values


def opponents(brief: Brief) -> tuple[Figure, ...]:
    """Return who opposes the characters here, those whom the outline names where it names any."""
    hostile = [f for f in brief.figures if f.hostile and not f.asleep]
    named = [f for f in hostile if f.mentioned]
    if named:
        return (*named, *_followers(named, hostile), *_leaders(named, hostile))
    unsaid = [f for f in brief.figures if f.hostile is None and f.mentioned and not f.aim and not f.group]
    if unsaid and brief.kinds[0] == "social":  # whom the outline names decides, not a guard that it forgets
        return ()
    anybody = any(f.mentioned for f in brief.figures)
    at_stake = any(clause.deed in _AGAINST_SOMEBODY for clause in brief.clauses)
    return tuple(hostile) if not anybody or at_stake or brief.kinds[0] in CONTESTED else ()


def _followers(named: Sequence[Figure], hostile: Sequence[Figure]) -> tuple[Figure, ...]:
    """Return the gangs that go with a named leader of whose people the outline does not speak."""
    leads = any(not f.mute and not f.aim for f in named) and not any(f.group for f in named)
    return tuple(f for f in hostile if f.group and not f.mute and f not in named) if leads else ()


def _leaders(named: Sequence[Figure], hostile: Sequence[Figure]) -> tuple[Figure, ...]:
    """Return the one who can lead a named gang of people of whose leader the outline does not speak."""
    led = all(f.group and not f.mute for f in named)
    able = [f for f in hostile if not f.group and not f.mute]
    return tuple(able) if led and len(able) == 1 else ()


def companions(brief: Brief) -> tuple[Figure, ...]:
    """Return single persons who are no opponents and can speak, those named in the outline first."""
    against = opponents(brief)
    able = [f for f in brief.figures if not f.hostile and not f.group and not f.mute and f not in against]
    able = [f for f in able if not f.asleep]
    return tuple(sorted(able, key=lambda f: (not f.mentioned, not f.ally)))


def fits(brief: Brief, beat: Beat, place: Place) -> bool:
    """Tell whether a chapter has the people whom a beat needs, the place for it, and the right way to run."""
    shape = beat.shape
    if shape.flow and shape.flow != brief.flow:
        return False
    if shape.tracking and _flees(brief):
        return False
    persons = [f for f in brief.figures if not f.mute]
    if shape.setting == "peopled" and not is_peopled(place.kind, brief.language) and len(persons) < 2:
        return False
    afloat = "chase" in brief.kinds and is_afloat(place.kind, brief.language)
    if (shape.setting == "afloat") != (afloat and bool(shape.flow)):
        return False
    if shape.setting == "outdoors" and not is_outdoors(place.kind, brief.language):
        return False
    if _gives_away(brief, beat):
        return False
    return shape.foe == "none" or opponent_for(brief, beat) is not None


def _gives_away(brief: Brief, beat: Beat) -> bool:
    """Tell whether a move talks with the opponent from whom something is taken unseen."""
    covert = "stealth" in brief.kinds and any(clause.deed in _UNSEEN for clause in brief.clauses)
    talk = beat.shape.types[:1] == ("social",) and beat.shape.foe in ("partner", "person")
    return covert and talk and decider_of(brief) is None


def _flees(brief: Brief) -> bool:
    """Tell whether the party is the one that is followed."""
    return brief.flow == "flee" and ("chase" in brief.kinds or any(c.deed == "escape" for c in brief.clauses))


def opponent_for(brief: Brief, beat: Beat) -> tuple[Noun, Figure | None] | None:
    """Return whom a beat's texts call the foe (its noun, its figure); None where there is nobody fit."""
    wanted = beat.shape.foe
    against = opponents(brief)
    if wanted == "watch":
        return _watch(brief, against)
    if wanted == "host":
        peopled = is_peopled(brief.places[0].kind, brief.language)
        able = [f for f in companions(brief) if not f.aim]
        able = [f for f in able if not f.ally]  # a friend needs no coaxing
        here = [f for f in able if f.mentioned or (peopled and f.hostile is False and not f.bound)]
        return _of(_rotated(brief, here, "host"))
    if wanted == "beast":
        return _of([f for f in against if f.mute])
    if wanted == "person":
        speaking = [f for f in against if not f.mute]
        return _of(_leaders_first(speaking)) or _general(brief, beat, bool(against))
    if wanted == "partner":
        speaking = [f for f in against if not f.mute]
        asked = decider_of(brief)
        return _of([asked] if asked else _leaders_first(speaking))
    if wanted == "none":
        return None
    return _of(_leaders_first(against)) or _general(brief, beat, bool(against))


def _leaders_first(figures: Sequence[Figure]) -> list[Figure]:
    return sorted(figures, key=lambda f: f.group or f.mute)


def _rotated(brief: Brief, figures: Sequence[Figure], what: str) -> list[Figure]:
    """Return figures beginning with another one each chapter, so that not the same one talks every time."""
    if not figures:
        return []
    named = [f for f in figures if f.mentioned] or list(figures)
    start = brief.turn(what) % len(named)
    return [*named[start:], *named[:start]]


def _of(figures: Sequence[Figure]) -> tuple[Noun, Figure | None] | None:
    return (figures[0].noun, figures[0]) if figures else None


def _general(brief: Brief, beat: Beat, against: bool) -> tuple[Noun, Figure | None] | None:
    """Return a foe without name where the outline tells of one and the cast has none."""
    kind = kind_of(beat, brief.kinds[0])
    word: str = type_words(brief.language)[kind]["foe"]
    if any(f.asleep for f in brief.figures):  # who opposes is known, and sleeps
        return None
    return (brief.grammar.fixed(word), None) if word and not against and _is_told_of(brief, kind) else None


def _is_told_of(brief: Brief, kind: str) -> bool:
    """Tell whether a chapter has an opponent of the kind that a scene type needs: none is invented."""
    if kind in ("combat", "chase"):
        return kind in brief.named_kinds or brief.threatened
    return brief.watched if kind in ("stealth", "puzzle") else brief.threatened and kind != "social"


def decider_of(brief: Brief) -> Figure | None:
    """Return who decides on what the objective asks for: whom it addresses, else whose office it is."""
    pleads = any(clause.deed in ("persuade", "win") for clause in brief.clauses)
    able = [f for f in brief.figures if not f.mute and f.hostile is not True and (pleads or not f.aim)]
    goal = brief.clauses[-1].goal
    asked = [f for f in able if f.aim and is_addressed(f.name, goal, brief.language)]
    asked = sorted(asked, key=lambda f: first_mention(f.name, goal))
    office = set(load_yaml(LEXICON / brief.language / "nouns.yaml")["deciding"].split())
    return next(iter([*asked, *(f for f in able if office & set(fold_tokens(f.name)))]), None)


def _watch(brief: Brief, against: Sequence[Figure]) -> tuple[Noun, Figure | None] | None:
    """Return who keeps the place: a hostile band, a keeper, else the watch that the outline tells of."""
    if any(f.asleep for f in brief.figures):
        return None
    groups = [f for f in brief.figures if f.group and f.hostile and not f.mute]
    office = set(load_yaml(LEXICON / brief.language / "nouns.yaml")["keepers"].split())
    keepers = [f for f in brief.figures if f.hostile is not False and office & set(fold_tokens(f.name))]
    if groups or keepers:
        return _of([*groups, *keepers])
    if (against and all(f.mute for f in against)) or not brief.watched:
        return None
    return brief.grammar.fixed(type_words(brief.language)["defaults"]["watch"]), None


def _voice(
    brief: Brief, beat: Beat, foe: tuple[Noun, Figure | None] | None, turn: int
) -> tuple[str, Figure | None]:
    """Return who says a beat's lines (phrase, figure)."""
    if beat.shape.speaker in ("ally", "aided"):
        aided = beat.shape.speaker == "aided"
        able = [f for f in companions(brief) if f.aim == aided and (aided or _comes_along(brief, f))]
        named = [f for f in able if f.mentioned and (aided or f.hostile is False)]
        named = named or [f for f in able if f.mentioned or f.hostile is False]
        return (named[turn % len(named)].noun.the, named[turn % len(named)]) if named else ("", None)
    asked = decider_of(brief) if beat.shape.speaker == "decider" else None
    if asked:
        return asked.noun.the, asked
    if foe is None:
        return "", None
    noun, figure = foe
    if figure is None:
        return _general_voice(brief, beat), None
    if figure.mute:
        return "", None
    if not figure.group:
        return noun.the, figure
    leaders = [f for f in opponents(brief) if not f.group and not f.mute]
    if leaders and beat.shape.foe != "watch":
        return leaders[0].noun.the, leaders[0]
    template: str = type_words(brief.language)["defaults"]["leader"]
    return fill(f"· {template}", {"foe": noun.the})[2:], figure


def _comes_along(brief: Brief, figure: Figure) -> bool:
    """Tell whether somebody may go with the party: a friend; another only where there is no risk in it."""
    if figure.hostile is False:
        return figure.mentioned or not figure.bound
    return figure.mentioned and not is_covert(brief.kinds, [clause.deed for clause in brief.clauses])


def _general_voice(brief: Brief, beat: Beat) -> str:
    words = type_words(brief.language)
    if beat.shape.foe == "watch":
        return words["defaults"]["watcher"]
    return words[kind_of(beat, brief.kinds[0])]["leader"]


def share_of(brief: Brief, index: int, count: int) -> tuple[Element, ...]:
    """Return the outline's elements that one scene of a chapter plays: all of them over its scenes."""
    elements = brief.elements
    return tuple(element for i, element in enumerate(elements) if i * count // len(elements) == index)


def _tactic(
    brief: Brief, place: Place, elements: Sequence[Element], turn: int, *, fought: bool
) -> Noun | None:
    """Return the thing that gives the edge: the outline's own, in a fight also one of the place."""
    own = [element.noun for element in elements if element.noun]
    if own:
        return own[0]
    if not fought or any(
        element.noun for element in brief.elements
    ):  # a fight needs ground; elsewhere a thing of ours would be a prop without a use
        return None
    things = furniture(place.kind, brief.language)
    nouns = [noun for thing in things for noun in brief.grammar.tactics(thing)]
    return nouns[turn % len(nouns)] if nouns else None


def make_stage(
    brief: Brief, beat: Beat, place: Place, clause: Clause, elements: Sequence[Element], turn: int
) -> Stage:
    """Choose who and what a scene has at hand; the same for the same arguments."""
    foe = opponent_for(brief, beat)
    voice, speaker = _voice(brief, beat, foe, turn)
    fought = foe is not None and (beat.shape.fight or kind_of(beat, brief.kinds[0]) == "combat")
    return Stage(
        place=place,
        foe=foe[0] if foe else None,
        figure=foe[1] if foe else None,
        voice=voice,
        speaker=speaker,
        elements=tuple(elements),
        tactic=_tactic(brief, place, elements, turn, fought=fought),
        item=brief.item,
        clause=clause,
    )
