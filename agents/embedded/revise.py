"""Iris revising: a real change for each open objection, and no fault left in a scene she touches."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from agents.embedded.analysis import CheckFact, Problem, checks_of, problems_of, unknown_names
from agents.embedded.beats import DEGREES
from agents.embedded.brief import Brief, make_brief
from agents.embedded.drafting import (
    degree_of_label,
    outcome,
    slot_values,
    standing_text,
    title_of,
    write_scene,
)
from agents.embedded.frames import framed, frames_of
from agents.embedded.mechanics_text import check_text, fitting_dc, phrases_of
from agents.embedded.review import voices_of
from agents.embedded.scenes import SceneSpec, best_bonus, bonus_of, plan_scenes
from agents.embedded.slots import fill, pick
from agents.types import OutcomeDraft, RefineTask, RevisionReply, SceneDraft
from concilio.domain.debate import Answer, Objection
from concilio.domain.plan import Proposal, ScenePlan

PASSES = 3
"""How often the plan is searched for faults again after a change."""
_WANTED = 0.6
_FIELDS = ("place", "present", "situation", "player_action", "state_change")


@dataclass
class Desk:
    """The plan under revision."""

    task: RefineTask
    brief: Brief
    specs: dict[str, SceneSpec]
    """Choices of the scenes that are the embedded author's own, by scene id."""
    scenes: dict[str, ScenePlan]
    said: dict[str, str] = field(default_factory=dict[str, str])
    """DC that an odds fix put in, by scene."""

    def plan(self) -> Proposal:
        """Return the plan as it stands."""
        return Proposal(scenes=tuple(self.scenes.values()))

    def problems(self) -> tuple[Problem, ...]:
        """Return the faults of the plan as it stands, by our own arithmetic."""
        return problems_of(self.brief, self.plan())

    def change(self, scene_id: str, **values: object) -> None:
        """Change fields of a scene."""
        self.scenes[scene_id] = self.scenes[scene_id].model_copy(update=values)


def open_desk(task: RefineTask) -> Desk:
    """Read a revision task; a scene is our own where its title is the one that we would give it."""
    brief = make_brief(task.canon, task.outline, task.seed)
    own = {
        spec.id: spec
        for spec in plan_scenes(brief, task.scene_target)
        if (scene := task.plan.scene(spec.id)) and scene.title == title_of(brief, spec)
    }
    return Desk(task, brief, own, {scene.id: scene for scene in task.plan.scenes})


def next_of(desk: Desk, scene_id: str) -> str:
    """Return where a scene leads by default: the next one, or the end."""
    ids = list(desk.scenes)
    at = ids.index(scene_id) + 1
    return ids[at] if at < len(ids) else "end"


# --- mending one fault --------------------------------------------------------------------------------


def _mend_odds(desk: Desk, problem: Problem) -> None:
    """Put a fitting DC in the place of the one out of band, and nothing else."""
    scene = desk.scenes[problem.scene]
    for check in checks_of(desk.brief, scene):
        if str(check.dc) != problem.values["dc"] or check.quote != problem.values["check"]:
            continue
        text: str = getattr(scene, check.field)
        dc = _dc_for(desk, problem.scene, check)
        desk.said[problem.scene] = str(dc)
        desk.change(scene.id, **{check.field: f"{text[: check.dc_start]}{dc}{text[check.dc_end :]}"})
        return


def _dc_for(desk: Desk, scene_id: str, check: CheckFact) -> int:
    """Return the DC that a check should have: as planned where the scene is ours, else by the odds."""
    spec = desk.specs.get(scene_id)
    if spec and spec.main in check.traits:
        return spec.main_dc
    return fitting_dc(_bonus_for(desk.brief, check.traits), _WANTED)


def _bonus_for(brief: Brief, traits: Sequence[str]) -> int:
    skills = [trait for trait in traits if trait in brief.ruleset.skills]
    if skills:
        return max(best_bonus(brief, skill) for skill in skills)
    known = [s.bonuses[t] for s in brief.canon.party for t in traits if t in s.bonuses]
    return max(known, default=0)


def _mend_partial(desk: Desk, problem: Problem) -> None:
    scene = desk.scenes[problem.scene]
    spec = desk.specs.get(scene.id)
    added = outcome(desk.brief, spec, "partial") if spec else _general_partial(desk, scene)
    leads_to = added.leads_to if added.leads_to in desk.scenes or added.leads_to == "end" else None
    made = scene.outcomes[0].model_copy(
        update={
            "label": added.label,
            "degree": "partial",
            "text": added.text,
            "leads_to": leads_to or next_of(desk, scene.id),
        }
    )
    at = next((i for i, o in enumerate(scene.outcomes) if degree_of_label(o.label) == "failure"), 1)
    desk.change(scene.id, outcomes=(*scene.outcomes[:at], made, *scene.outcomes[at:]))
    if spec:
        desk.change(scene.id, player_action=write_scene(desk.brief, spec).player_action)


def _general_partial(desk: Desk, scene: ScenePlan) -> OutcomeDraft:
    phrases = phrases_of(desk.brief.language)
    text = pick(phrases["partial_outcome"], desk.brief.seed, scene.id)
    return OutcomeDraft(label=phrases["labels"]["partial"], text=text, leads_to=None)


def _mend_roll(desk: Desk, problem: Problem) -> None:
    """Open a second way: the beat's own action, or a sentence with another check."""
    scene = desk.scenes[problem.scene]
    spec = desk.specs.get(scene.id)
    if spec:
        desk.change(scene.id, player_action=write_scene(desk.brief, spec).player_action)
        return
    used = {trait for check in checks_of(desk.brief, scene) for trait in check.traits}
    check = _another_check(desk.brief, used, scene.id)
    sentence = fill(pick(phrases_of(desk.brief.language)["second_way"], scene.id), {"check.other": check})
    desk.change(scene.id, player_action=f"{scene.player_action} {sentence}")


def _another_check(brief: Brief, used: set[str], scene_id: str) -> str:
    """Return a check with one of the party's best skills that the scene does not use yet."""
    abilities = {brief.ruleset.ability_of(trait) for trait in used if trait in brief.ruleset.skills} | used
    others = [skill for skill in brief.ruleset.skills if skill not in used]
    fresh = [skill for skill in others if brief.ruleset.ability_of(skill) not in abilities] or others
    ranked = sorted(fresh, key=lambda skill: (-best_bonus(brief, skill), skill))[:4]
    skill = pick(ranked, brief.seed, scene_id, "second way")
    return check_text(skill, fitting_dc(best_bonus(brief, skill), _WANTED), brief.language, brief.ruleset)


def _mend_skill(desk: Desk, problem: Problem) -> None:
    """Ask for another skill first: as planned where the scene is ours, else by a second way."""
    spec = desk.specs.get(problem.scene)
    if spec:
        desk.change(problem.scene, player_action=write_scene(desk.brief, spec).player_action)
        return
    scene = desk.scenes[problem.scene]
    check = _another_check(desk.brief, {t for c in checks_of(desk.brief, scene) for t in c.traits}, scene.id)
    sentence = fill(pick(phrases_of(desk.brief.language)["second_way"], scene.id), {"check.other": check})
    desk.change(scene.id, player_action=f"{sentence} {scene.player_action}")


def _mend_leads(desk: Desk, problem: Problem) -> None:
    scene = desk.scenes[problem.scene]
    known = {*desk.scenes, "end"}
    spec = desk.specs.get(scene.id)
    target = next_of(desk, scene.id)
    planned = {degree: spec.leads_to(degree) if spec else target for degree in DEGREES}
    targets = [planned.get(degree_of_label(o.label) or "failure", target) for o in scene.outcomes]
    mended = tuple(
        o if o.leads_to in known else o.model_copy(update={"leads_to": to if to in known else target})
        for o, to in zip(scene.outcomes, targets, strict=True)
    )
    desk.change(scene.id, outcomes=mended)


def _mend_name(desk: Desk, problem: Problem) -> None:
    scene = desk.scenes[problem.scene]
    spec = desk.specs.get(scene.id)
    if spec:
        desk.change(scene.id, present=write_scene(desk.brief, spec).present)
        return
    present = scene.present
    for name in unknown_names(desk.brief, present):
        present = _without_piece(present, name)
    desk.change(scene.id, present=present.strip(" ,;.") + "." if present.strip(" ,;.") else scene.present)


def _without_piece(present: str, name: str) -> str:
    """Return a *present* line without the items that hold a name; the whole line is kept if none is left."""
    pieces = [piece.strip(" .") for piece in present.replace(";", ",").split(",")]
    kept = [piece for piece in pieces if name not in piece]
    return ", ".join(kept) if kept else present.replace(name, "").strip()


def _mend_same_outcomes(desk: Desk, problem: Problem) -> None:
    scene = desk.scenes[problem.scene]
    options: list[str] = phrases_of(desk.brief.language)["clearer"]["outcomes"]
    seen: set[str] = set()
    changed: list[object] = []
    for i, one in enumerate(scene.outcomes):
        again = one.text.casefold() in seen
        seen.add(one.text.casefold())
        text = f"{one.text} {options[i % len(options)]}" if again else one.text
        changed.append(one.model_copy(update={"text": text}))
    desk.change(scene.id, outcomes=tuple(changed))


def _mend_flat(desk: Desk, problem: Problem) -> None:
    """Let the DCs climb: each of our scenes as planned, else the last check one harder."""
    for spec in desk.specs.values():
        desk.change(spec.id, player_action=write_scene(desk.brief, spec).player_action)
    if desk.specs:
        return
    scene = desk.scenes[problem.scene]
    check = checks_of(desk.brief, scene)[-1]
    text: str = getattr(scene, check.field)
    step = 1 if check.best_chance > _WANTED - 0.1 else -1
    changed = f"{text[: check.dc_start]}{check.dc + step}{text[check.dc_end :]}"
    desk.change(scene.id, **{check.field: changed})


def _mend_element(desk: Desk, problem: Problem) -> None:
    """Make an element of the outline count in the action."""
    spec = desk.specs.get(problem.scene)
    if spec and problem.values["name"] in write_scene(desk.brief, spec).player_action:
        fresh = write_scene(desk.brief, spec)
        desk.change(spec.id, player_action=fresh.player_action, place=fresh.place)
        return
    scene = desk.scenes[problem.scene]
    element = next(e.noun for e in desk.brief.elements if e.noun and e.noun.the == problem.values["name"])
    values = {"tactic": element.the, "of_tactic": element.of, "to_tactic": element.to}
    said = fill(framed(desk.brief, frames_of(desk.brief.language)["edge"], "edge", 0), values)
    desk.change(scene.id, player_action=f"{scene.player_action} {said}")


def _mend_situation(desk: Desk, problem: Problem) -> None:
    """Write into the situation what it lacks: the table note, or how the fight ends."""
    scene, spec = desk.scenes[problem.scene], desk.specs.get(problem.scene)
    if spec and not any(p.kind == problem.kind for p in _with(desk, spec)):
        desk.change(scene.id, situation=write_scene(desk.brief, spec).situation)
        return
    frames = frames_of(desk.brief.language)
    if problem.kind == "rule_unused":
        said = fill(frames["rule"], {"label": problem.values["label"]})
    else:
        clause = desk.brief.clauses[-1]
        said = fill(frames["fight"]["ends"][0], {"deed": clause.core, "goal": clause.goal})
    desk.change(scene.id, situation=f"{scene.situation} {said}")


def _with(desk: Desk, spec: SceneSpec) -> tuple[Problem, ...]:
    """Return the faults that would stand in a scene of ours if it were written anew."""
    fresh = write_scene(desk.brief, spec).situation
    plan = Proposal(
        scenes=tuple(
            s.model_copy(update={"situation": fresh}) if s.id == spec.id else s for s in desk.scenes.values()
        )
    )
    return tuple(p for p in problems_of(desk.brief, plan) if p.scene == spec.id)


def _mend_idle(desk: Desk, problem: Problem) -> None:
    """Give a character without a task one with their best skill."""
    name = problem.values["name"]
    hero = next(sheet for sheet in desk.brief.heroes if sheet.name == name)
    frames = frames_of(desk.brief.language)
    scene = desk.scenes[problem.scene]
    used = {trait for check in checks_of(desk.brief, scene) for trait in check.traits}
    skills = [s for s in desk.brief.ruleset.skills if s in frames["helping"] and s not in used]
    skill = max(sorted(skills), key=lambda s: bonus_of(desk.brief, hero.bonuses, s) or 0)
    dc = fitting_dc(best_bonus(desk.brief, skill), _WANTED)
    check = check_text(skill, dc, desk.brief.language, desk.brief.ruleset)
    helped = sum(scene.player_action.count(word) for word in frames["help_edges"])
    options: list[str] = frames["help"]
    first = options.index(pick(options, desk.brief.seed, scene.id, "help"))
    template = options[(first + helped) % len(options)]
    who = name if hero in desk.brief.named else phrases_of(desk.brief.language)["somebody"]
    said = fill(template, {"name": who, "way": frames["helping"][skill], "check": check})
    desk.change(scene.id, player_action=f"{scene.player_action} {said}")


_MENDERS: dict[str, Callable[[Desk, Problem], None]] = {
    "odds_hard": _mend_odds,
    "odds_easy": _mend_odds,
    "no_partial": _mend_partial,
    "single_roll": _mend_roll,
    "same_skill": _mend_skill,
    "leads_nowhere": _mend_leads,
    "unknown_name": _mend_name,
    "indistinct": _mend_same_outcomes,
    "flat_dc": _mend_flat,
    "unused_element": _mend_element,
    "rule_unused": _mend_situation,
    "no_end": _mend_situation,
    "idle_member": _mend_idle,
}


# --- objections in any words --------------------------------------------------------------------------


def kind_of_objection(desk: Desk, objection: Objection, problems: Iterable[Problem]) -> str:
    """Return which of our faults an objection is about, by its words or its field; else `other`."""
    text = f"{objection.text} {objection.proposal}".casefold()
    standing = [p for p in problems if p.scene == objection.scene]
    own = next((p.kind for p in standing if _in_our_words(desk, p, objection.text)), None)
    if own:
        return own
    here = {p.kind for p in standing}
    for kind, words in phrases_of(desk.brief.language)["about"].items():
        kinds = ("odds_hard", "odds_easy") if kind == "odds" else (kind,)
        found = next((k for k in kinds if k in here), None)
        if found and any(word in text for word in words):
            return found
    same_field = {p.kind for p in standing if p.field == objection.field}
    return same_field.pop() if len(same_field) == 1 else "other"


def _in_our_words(desk: Desk, problem: Problem, text: str) -> bool:
    """Tell whether an objection is one that our own reviewers raise over a fault."""
    voices = voices_of(desk.brief.language)
    values = {"scene": problem.scene, **problem.values}
    given = [
        voices[chair]["objections"].get(problem.kind, {}).get("text", []) for chair in ("check", "criticise")
    ]
    return any(fill(template, values) == text for templates in given for template in templates)


def _mend_other(desk: Desk, objection: Objection) -> bool:
    """Change the field that an objection is about; tell whether anything changed."""
    scene = desk.scenes.get(objection.scene) or next(iter(desk.scenes.values()), None)
    if scene is None:
        return False
    spec = desk.specs.get(scene.id)
    if objection.author == "engine" and spec and _rewrite_scene(desk, spec):
        return True
    wanted = objection.field.casefold().replace(" ", "_")
    name = wanted if wanted in phrases_of(desk.brief.language)["clearer"] else "player_action"
    if spec and name in ("situation", "state_change") and _reword(desk, spec, name):
        return True
    return _add_sentence(desk, scene, name)


def _reword(desk: Desk, spec: SceneSpec, name: str) -> bool:
    """Put another of the beat's texts into a field."""
    current: str = getattr(desk.scenes[spec.id], name)
    words = spec.beat.words
    values = slot_values(desk.brief, spec)
    if name == "situation":
        texts = [standing_text(desk.brief, spec, template) for template in words.situation]
    else:
        texts = [fill(template, values) for template in words.state]
    told = next((text for text in texts if text in current), None)
    other = next((text for text in texts if text not in current), None)
    if told is None or other is None:
        return False
    desk.change(spec.id, **{name: current.replace(told, other)})
    return True


def _add_sentence(desk: Desk, scene: ScenePlan, name: str) -> bool:
    """Add a sentence that makes a field clearer; tell whether there was one left to add."""
    sentences: list[str] = phrases_of(desk.brief.language)["clearer"][name]
    text = scene.outcomes[-1].text if name == "outcomes" else getattr(scene, name)
    added = next((s for s in sentences if s not in text), None)
    if added is None:
        return False
    if name == "outcomes":
        last = scene.outcomes[-1].model_copy(update={"text": f"{text} {added}"})
        desk.change(scene.id, outcomes=(*scene.outcomes[:-1], last))
    else:
        desk.change(scene.id, **{name: f"{text} {added}"})
    return True


def _rewrite_scene(desk: Desk, spec: SceneSpec) -> bool:
    """Put the scene as it should be in the place of what the engine found wrong."""
    before = desk.scenes[spec.id]
    fresh = write_scene(desk.brief, spec)
    desk.change(spec.id, **{name: getattr(fresh, name) for name in _FIELDS})
    return desk.scenes[spec.id] != before


def _reply_text(desk: Desk, objection: Objection, kind: str) -> str:
    options: list[str] = voices_of(desk.brief.language)["answers"][kind]
    values = {"dc": desk.said.get(objection.scene, ""), "scene": objection.scene}
    return fill(pick(options, desk.brief.seed, objection.id, objection.scene), values)


def _answer(desk: Desk, objection: Objection, kind: str, before: ScenePlan | None) -> Answer:
    changed = before is None or desk.scenes.get(objection.scene) != before
    if kind == "other":
        changed = _mend_other(desk, objection)
        kind = "lint" if objection.author == "engine" else kind
    name = kind if changed else "nothing"
    said = _reply_text(desk, objection, name)
    return Answer(objection=objection.id, kind="fixed" if changed else "rebutted", text=said)


def revise(task: RefineTask) -> RevisionReply:
    """Return the scenes that change and an answer to each objection."""
    desk = open_desk(task)
    before = dict(desk.scenes)
    problems = desk.problems()
    kinds = {o.id: kind_of_objection(desk, o, problems) for o in task.objections}
    touched = {o.scene for o in task.objections}
    chapter_wide = not touched <= set(desk.scenes)
    for _ in range(PASSES):
        standing = [p for p in desk.problems() if chapter_wide or p.scene in touched]
        for problem in standing:
            _MENDERS[problem.kind](desk, problem)
        if not standing:
            break
    answers = [_answer(desk, o, kinds[o.id], before.get(o.scene)) for o in task.objections]
    changed = [as_draft(scene) for scene in desk.scenes.values() if scene != before[scene.id]]
    return RevisionReply(scenes=changed, removed=[], answers=answers)


def as_draft(scene: ScenePlan) -> SceneDraft:
    """Return a scene plan in the shape of a reply."""
    return SceneDraft(
        id=scene.id,
        title=scene.title,
        place=scene.place,
        present=scene.present,
        situation=scene.situation,
        player_action=scene.player_action,
        outcomes=[OutcomeDraft(label=o.label, text=o.text, leads_to=o.leads_to) for o in scene.outcomes],
        state_change=scene.state_change,
    )
