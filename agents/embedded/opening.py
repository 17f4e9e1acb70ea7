"""What can be seen as a scene opens, for the box that is read aloud: what stands there, and who is there."""

from collections.abc import Sequence

from agents.embedded.brief import Brief
from agents.embedded.cast import Figure
from agents.embedded.frames import framed, frames_of, scenes_a_chapter
from agents.embedded.loading import LEXICON, load_yaml
from agents.embedded.outline import fold_tokens
from agents.embedded.places import furniture
from agents.embedded.scenes import SceneSpec
from agents.embedded.slots import fill
from agents.embedded.stage import opponents

_MOST_THINGS = 2
_ON_THE_RUN = frozenset({"escape", "catch", "outsail", "seize"})
"""Decisive moments in which nobody stands still to be looked at."""


def sight(brief: Brief, spec: SceneSpec) -> str:
    """Return what there is to see: things that the outline puts here, else what such places have."""
    frames, values = frames_of(brief.language)["sight"], spec.stage.values()
    things = _things(brief, spec)
    if things:
        return _told(brief, spec, frames["things"], values | {"things": brief.grammar.listing(things)})
    stock = list(furniture(spec.stage.place.kind, brief.language))
    if spec.index < len(stock):  # each pair of them once a chapter
        at = brief.outline.number * scenes_a_chapter(brief) + spec.index
        pair = [stock[at % len(stock)], stock[(at + 1) % len(stock)]]
        return _told(brief, spec, frames["stock"], values | {"things": brief.grammar.listing(pair)})
    return _told(brief, spec, frames["place"], values) if spec.index < len(frames["place"]) else ""


def _told(brief: Brief, spec: SceneSpec, options: list[str], values: dict[str, str]) -> str:
    return fill(framed(brief, options, "sight", spec.index), values)


def _things(brief: Brief, spec: SceneSpec) -> list[str]:
    """Return the scene's elements that can be seen."""
    unseen = set(load_yaml(LEXICON / brief.language / "nouns.yaml")["unseen"].split())
    nouns = [element.noun for element in spec.stage.elements if element.noun]
    seen = [noun.the for noun in nouns if not unseen & set(fold_tokens(noun.the))]
    return seen[:_MOST_THINGS]


def company(brief: Brief, specs: Sequence[SceneSpec], spec: SceneSpec) -> str:
    """Return who is there to be seen, the first time in a chapter that they stand still enough for it."""
    figure = _seen(spec)
    if figure is None or any(_seen(earlier) == figure for earlier in specs[: spec.index]):
        return ""
    along = spec.beat.shape.speaker == "ally" and figure not in opponents(brief)
    kind = "opposite" if spec.is_fight else "along" if along else "there"
    options: list[str] = frames_of(brief.language)["company"][kind]
    return fill(framed(brief, options, f"company {figure.name}", 0), {"name": figure.noun.the})


def _seen(spec: SceneSpec) -> Figure | None:
    """Return whom of the cast a scene shows: the opponent in a fight, else one person who speaks."""
    shape = spec.beat.shape
    running = shape.flow or (spec.beat.is_deed and spec.stage.clause.deed in _ON_THE_RUN)
    if running or shape.speaker == "aided":
        return None
    shown = spec.stage.figure if spec.is_fight else spec.stage.speaker
    return shown if shown and (spec.is_fight or not shown.group) else None
