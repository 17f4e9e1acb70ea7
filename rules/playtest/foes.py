"""Whom a scene sets against the party, and where the players' action asks for the fight."""

from typing import NamedTuple

from rules.checks.context import Context
from rules.checks.encounters import Foe, lone_foes, named_creatures
from rules.checks.text import Sentence
from rules.claims.model import ArmorClass, HitPoints
from rules.document import Passage, PlanScene
from rules.playtest.phrasing import has_figure, phrases

_BEFORE = 4
"""Words before a fight by which it is avoided."""


def supposed(ctx: Context, scene: PlanScene, weighed: bool) -> set[str]:
    """Return codes of what a scene says of a fight and is not counted; `weighed`: its creatures are known."""
    found = {"uncounted"} if uncounted(ctx, scene) else set[str]()
    action, present = scene.field("player_action"), scene.field("present")
    if not weighed and not found and action and asked(ctx, action.text):
        found.add("unknown_foes")
    if weighed and present and _states_figures(ctx, present.text):
        found.add("own_figures")
    return found


def _states_figures(ctx: Context, passage: Passage) -> bool:
    told = any(isinstance(claim, ArmorClass | HitPoints) for claim in ctx.claims(passage))
    return told or has_figure(ctx, passage, "ac", "hp")


class Asked(NamedTuple):
    """Where a text asks for a fight."""

    start: int
    end: int


def foes_of(ctx: Context, scene: PlanScene) -> list[Foe]:
    """Return the creatures of known strength that a scene sets against the party; none in peace."""
    return lone_foes(ctx, scene, {name for name, plural in _attacking(ctx, scene) if not plural})


def uncounted(ctx: Context, scene: PlanScene) -> tuple[str, ...]:
    """Return the creatures that attack in a scene, in the plural, of which the plan does not say how many."""
    known = {foe.name for foe in foes_of(ctx, scene)}
    names = [name for name, plural in _attacking(ctx, scene) if plural and name not in known]
    return tuple(dict.fromkeys(names))


def _attacking(ctx: Context, scene: PlanScene) -> list[tuple[str, bool]]:
    """Return who attacks in a scene's situation, and whom the players' action is to fight.

    Who is named after the attack in the situation is attacked: `El asesino ataca al noble`.
    """
    found: list[tuple[str, bool]] = []
    situation, action = scene.field("situation"), scene.field("player_action")
    for sentence in ctx.sentences(situation.text) if situation else ():
        for start, _ in ctx.phrases("fight").find(sentence.words):
            found += named_creatures(ctx, sentence.words[:start])
    for sentence in ctx.sentences(action.text) if action else ():
        for _, end in phrases(ctx, "fights").find(sentence.words):
            found += named_creatures(ctx, sentence.words[end:])
    return found


def asked(ctx: Context, passage: Passage) -> Asked | None:
    """Return where the players' action asks for a fight: without `if`, and not to avoid one."""
    for sentence in ctx.sentences(passage):
        for start, end in phrases(ctx, "fights").find(sentence.words):
            if not _is_denied(ctx, sentence, start):
                return Asked(sentence.words[start].start, sentence.words[end - 1].end)
    return None


def _is_denied(ctx: Context, sentence: Sentence, start: int) -> bool:
    near = sentence.words[max(0, start - _BEFORE) : start]
    return phrases(ctx, "if_words").any(sentence.words[:start]) or phrases(ctx, "avoids").any(near)
