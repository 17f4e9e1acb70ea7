"""The honest weaknesses of a first draft: what a hurried plan for this very outline would lack."""

from collections.abc import Sequence
from dataclasses import replace

from agents.embedded.brief import Brief
from agents.embedded.drafting import (
    action_text,
    degree_of_label,
    note_of,
    place_text,
    single_action,
    situation_text,
    write_scene,
)
from agents.embedded.mechanics_text import climb, dc_band, too_hard_dc
from agents.embedded.scenes import SceneSpec, best_bonus
from agents.embedded.slots import rng
from agents.types import SceneDraft

ONE_AN_ACTION = frozenset({"odds", "flat", "single_roll", "same_skill", "element", "no_partial"})
"""Weaknesses of which a scene's action bears one."""
SMALL = "same_skill"
"""The weakness that stops nobody from accepting a plan."""
HOW_MANY = (0, 1, 2, 2, 3, 4, 5)
"""Out of which the number of weaknesses of a draft is drawn."""


def _possible(brief: Brief, specs: Sequence[SceneSpec]) -> list[tuple[str, int]]:
    """Return every (weakness, scene) that this outline gives room for."""
    found: list[tuple[str, int]] = []
    for i, spec in enumerate(specs):
        found += [(kind, i) for kind in ("odds", "no_partial", "leads_nowhere", "single_roll")]
        if i and specs[i - 1].main in spec.beat.shape.main and specs[i - 1].main != spec.main:
            found.append(("same_skill", i))
        if any(element.noun for element in spec.stage.elements):
            found.append(("element", i))
        if note_of(brief, spec):
            found.append(("note", i))
        if spec.is_fight and spec.beat.shape.fight:
            found.append(("no_end", i))
    if len(specs) > 1 and flat_dc(brief, specs):
        found.append(("flat", len(specs) - 1))
    return found


def flat_dc(brief: Brief, specs: Sequence[SceneSpec]) -> int:
    """Return a DC that could stand in every check of a chapter; 0 where none is in the band of all."""
    bands = [dc_band(best_bonus(brief, skill)) for spec in specs for skill in (spec.main, spec.other)]
    low, high = max(low for low, _ in bands), min(high for _, high in bands)
    return min(high, max(low, climb(brief.level, "middle"))) if low <= high else 0


def weaknesses(brief: Brief, specs: Sequence[SceneSpec]) -> tuple[tuple[str, int], ...]:
    """Return the weaknesses of a first draft: each kind once, an action bearing one, or none at all."""
    random = rng(brief.seed, brief.canon.adventure, brief.outline.number, "weaknesses")
    possible = _possible(brief, specs)
    kinds = sorted({kind for kind, _ in possible})
    random.shuffle(kinds)
    random.shuffle(possible)
    possible = sorted(possible, key=lambda row: kinds.index(row[0]))
    wanted = random.choice(HOW_MANY)
    chosen: list[tuple[str, int]] = []
    for kind, scene in possible:
        if len(chosen) < wanted and _goes_with(kind, scene, chosen):
            chosen.append((kind, scene))
    grave = [kind for kind, _ in chosen if kind != SMALL]
    return tuple(chosen) if grave else ()  # a small one alone would be accepted as it is, and stay


def _goes_with(kind: str, scene: int, chosen: Sequence[tuple[str, int]]) -> bool:
    kinds = {k for k, _ in chosen}
    if kind in kinds or {kind, *kinds} >= {"flat", "odds"}:
        return False
    if (kind == "flat" and kinds & ONE_AN_ACTION) or ("flat" in kinds and kind in ONE_AN_ACTION):
        return False
    taken = {s for k, s in chosen if k in ONE_AN_ACTION}
    return not (kind in ONE_AN_ACTION and scene in taken)


def weaken(brief: Brief, specs: Sequence[SceneSpec], kind: str, scene: int, draft: SceneDraft) -> SceneDraft:
    """Return a scene's draft with one weakness."""
    spec = specs[scene]
    if kind == "no_partial":
        kept = [o for o in draft.outcomes if degree_of_label(o.label) != "partial"]
        blunt = action_text(brief, spec, graded=False)
        return draft.model_copy(update={"outcomes": kept, "player_action": blunt})
    if kind == "leads_nowhere":
        last = draft.outcomes[-1].model_copy(update={"leads_to": None})
        return draft.model_copy(update={"outcomes": [*draft.outcomes[:-1], last]})
    if kind in ("note", "no_end"):
        text = situation_text(brief, spec, note=kind != "note", end=kind != "no_end")
        return draft.model_copy(update={"situation": text})
    if kind == "element":
        bare = place_text(brief, spec, near=False)
        return draft.model_copy(update={"player_action": action_text(brief, spec, edge=False), "place": bare})
    return draft.model_copy(update={"player_action": _weak_action(brief, specs, kind, scene)})


def _weak_action(brief: Brief, specs: Sequence[SceneSpec], kind: str, scene: int) -> str:
    spec = specs[scene]
    if kind == "single_roll":
        return single_action(brief, spec)
    if kind == "same_skill":
        main = specs[scene - 1].main
        other = spec.other if spec.other != main else spec.main
        return action_text(brief, replace(spec, main=main, other=other))
    return action_text(brief, replace(spec, main_dc=too_hard_dc(best_bonus(brief, spec.main))))


def first_draft(brief: Brief, specs: Sequence[SceneSpec]) -> list[SceneDraft]:
    """Return the chapter's first draft, weaknesses and all."""
    drafts = [write_scene(brief, spec) for spec in specs]
    for kind, scene in weaknesses(brief, specs):
        if kind == "flat":
            dc = flat_dc(brief, specs)
            flat = [replace(spec, main_dc=dc, other_dc=dc) for spec in specs]
            drafts = [
                draft.model_copy(update={"player_action": action_text(brief, spec)})
                for draft, spec in zip(drafts, flat, strict=True)
            ]
            continue
        drafts[scene] = weaken(brief, specs, kind, scene, drafts[scene])
    return drafts
