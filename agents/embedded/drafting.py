"""Writing the plan's texts of a scene from its choices, and the honest weaknesses of a first draft."""

from dataclasses import dataclass, replace

from agents.embedded.beats import DEGREES, Degree
from agents.embedded.brief import Brief, Figure, consequences_text, fold_tokens
from agents.embedded.grammar.base import upper_first
from agents.embedded.mechanics_text import boon_text, check_text, harm_text, phrases_of, too_hard_dc
from agents.embedded.scenes import SceneSpec, best_bonus
from agents.embedded.slots import fill, pick, rng
from agents.types import OutcomeDraft, SceneDraft
from concilio.chapterfile.outcomes import degree_of

WEAKNESSES_FOR_CHECKER = ("odds", "no_partial", "leads_nowhere")
WEAKNESSES_FOR_CRITIC = ("single_roll", "same_skill")
_LABEL_WORDS = 5
_PLAIN_DEGREES: dict[str, Degree] = {
    "critical_success": "success",
    "success": "success",
    "partial": "partial",
    "failure": "failure",
    "critical_failure": "failure",
}


def slot_values(brief: Brief, spec: SceneSpec) -> dict[str, str]:
    """Return what fills the slots of a scene's plan texts."""
    language, ruleset = brief.language, brief.ruleset
    return spec.stage.values() | {
        "way.main": spec.beat.ways.get(spec.main, ""),
        "way.other": spec.beat.ways.get(spec.other, ""),
        "check.main": check_text(spec.main, spec.main_dc, language, ruleset),
        "check.other": check_text(spec.other, spec.other_dc, language, ruleset),
        "harm": harm_text(spec.beat.harm, spec.beat.harm_type, brief.level, language, ruleset),
        "boon": boon_text(spec.beat.boon, language),
    }


# --- outcomes -----------------------------------------------------------------------------------------


def consequence_parts(text: str) -> tuple[str, str]:
    """Cut a designer's consequence into its label (may be empty) and its text."""
    label, colon, rest = text.partition(":")
    if colon and rest.strip() and len(label.split()) <= _LABEL_WORDS:
        return label.strip(" *-_"), rest.strip()
    return "", text.strip()


def degree_of_label(label: str) -> Degree | None:
    """Return the degree that a label names, the critical ones taken as plain; None where it names none."""
    return _PLAIN_DEGREES.get(degree_of(label))


def graded(brief: Brief) -> dict[Degree, tuple[str, str]]:
    """Return the designer's consequences by degree (label, text): by their label, else by their rank."""
    parts = [consequence_parts(text) for text in brief.outline.consequences]
    ranks: tuple[Degree, ...] = ("success", "failure") if len(parts) == 2 else DEGREES
    out: dict[Degree, tuple[str, str]] = {}
    for rank, (label, text) in enumerate(parts):
        degree = degree_of_label(label) or (ranks[rank] if rank < len(ranks) else None)
        if degree and text and degree not in out:
            out[degree] = (label or phrases_of(brief.language)["labels"][degree], full_stop(text))
    return out


def full_stop(text: str) -> str:
    """Return a text as a sentence: capital first, an end mark last."""
    text = text.rstrip(" ,;:")
    return upper_first(text) if text.endswith((".", "!", "?", "…")) else f"{upper_first(text)}."


def outcome(brief: Brief, spec: SceneSpec, degree: Degree) -> OutcomeDraft:
    """Return one outcome: the designer's own in the climax, else the beat's."""
    if spec.position == "climax" and degree in (given := graded(brief)):
        label, text = given[degree]
        return OutcomeDraft(label=label, text=text, leads_to=spec.leads_to)
    source = getattr(spec.beat.outcomes, degree)
    template: str = pick(source.text, brief.seed, spec.id, degree)
    label = pick(source.label, brief.seed, spec.id, degree, "label")
    return OutcomeDraft(label=label, text=fill(template, slot_values(brief, spec)), leads_to=spec.leads_to)


# --- scenes -------------------------------------------------------------------------------------------


def title_of(brief: Brief, spec: SceneSpec) -> str:
    """Return a scene's title."""
    return pick(spec.beat.titles, brief.seed, spec.id, "title")


def place_line(brief: Brief, spec: SceneSpec) -> str:
    """Return the plan's line for the place, near a tactical element where the outline gives some."""
    phrases = phrases_of(brief.language)
    if not spec.place_text.strip(" ."):
        return fill(phrases["alone"], {"place": spec.stage.place.the})
    tactic = spec.stage.tactic
    values = {"place": spec.place_text.strip(" ."), "of_tactic": tactic.of, "to_tactic": tactic.to}
    near = bool(brief.tactics) and bool(brief.places) and "," not in spec.place_text
    return fill(phrases["near" if near else "alone"], values)


def present_line(brief: Brief, spec: SceneSpec) -> str:
    """Return the plan's line for who is there."""
    phrases = phrases_of(brief.language)
    stage = spec.stage
    names = [phrases["characters"][0], stage.foe.the]
    others = [f for f in brief.figures if f.name == stage.voice_name or _is_awaited(brief, spec, f)]
    names += [f.noun.the for f in others if f.noun.the not in names]
    return fill(phrases["present"], {"names": brief.grammar.listing(names)})


def _is_awaited(brief: Brief, spec: SceneSpec, figure: Figure) -> bool:
    """Tell whether the objective or a consequence names somebody, who then has to be there at the end."""
    text = f"{brief.outline.objective or ''} {consequences_text(brief)}"
    return spec.position == "climax" and figure.name.split()[0].casefold() in fold_tokens(text)


def action_text(brief: Brief, spec: SceneSpec) -> str:
    """Return the player action with both ways."""
    template = pick(spec.beat.action, brief.seed, spec.id, "action")
    return fill(template, slot_values(brief, spec))


def single_action(brief: Brief, spec: SceneSpec) -> str:
    """Return the player action of a weak draft: a single roll."""
    options: list[str] = phrases_of(brief.language)["single"]
    return fill(options[spec.index % len(options)], slot_values(brief, spec))


def write_scene(brief: Brief, spec: SceneSpec) -> SceneDraft:
    """Return a scene as it should be."""
    values = slot_values(brief, spec)
    situation = pick(spec.beat.situation, brief.seed, spec.id, "situation")
    state_change = pick(spec.beat.state_change, brief.seed, spec.id, "state_change")
    return SceneDraft(
        id=spec.id,
        title=title_of(brief, spec),
        place=place_line(brief, spec),
        present=present_line(brief, spec),
        situation=fill(situation, values),
        player_action=action_text(brief, spec),
        outcomes=[outcome(brief, spec, degree) for degree in DEGREES],
        state_change=fill(state_change, values),
    )


# --- first drafts -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Weakness:
    """What a first draft gets wrong in a scene."""

    scene: int
    kind: str


def weaknesses(brief: Brief, specs: tuple[SceneSpec, ...]) -> tuple[Weakness, ...]:
    """Return the weaknesses of a chapter's first draft: one for the checker, one for the critic to find."""
    random = rng(brief.seed, brief.outline.number, "weaknesses")
    scenes = list(range(len(specs)))
    random.shuffle(scenes)
    found = [Weakness(scenes[0], random.choice(WEAKNESSES_FOR_CHECKER))]
    critic = scenes[1 % len(scenes)]
    repeatable = critic > 0 and specs[critic - 1].main in specs[critic].beat.skills.main
    kind = random.choice(WEAKNESSES_FOR_CRITIC) if repeatable else "single_roll"
    if found[0].kind != "odds" or critic != found[0].scene:
        found.append(Weakness(critic, kind))
    return tuple(found)


def weaken(brief: Brief, specs: tuple[SceneSpec, ...], weakness: Weakness, draft: SceneDraft) -> SceneDraft:
    """Return a scene's draft with one weakness."""
    spec = specs[weakness.scene]
    if weakness.kind == "odds":
        hard = replace(spec, main_dc=too_hard_dc(best_bonus(brief, spec.main)))
        return draft.model_copy(update={"player_action": action_text(brief, hard)})
    if weakness.kind == "same_skill":
        same = replace(spec, main=specs[weakness.scene - 1].main)
        same = replace(same, other=spec.other if spec.other != same.main else spec.main)
        return draft.model_copy(update={"player_action": action_text(brief, same)})
    if weakness.kind == "single_roll":
        return draft.model_copy(update={"player_action": single_action(brief, spec)})
    if weakness.kind == "leads_nowhere":
        outcomes = [*draft.outcomes[:-1], draft.outcomes[-1].model_copy(update={"leads_to": None})]
        return draft.model_copy(update={"outcomes": outcomes})
    kept = [o for i, o in enumerate(draft.outcomes) if DEGREES[i] != "partial"]
    return draft.model_copy(update={"outcomes": kept})


def first_draft(brief: Brief, specs: tuple[SceneSpec, ...]) -> list[SceneDraft]:
    """Return the chapter's first draft, weaknesses and all."""
    drafts = [write_scene(brief, spec) for spec in specs]
    for weakness in weaknesses(brief, specs):
        drafts[weakness.scene] = weaken(brief, specs, weakness, drafts[weakness.scene])
    return drafts
