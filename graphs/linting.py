"""The engine at the table: findings on a plan as objections and notes, the odds of its checks as facts."""

from collections.abc import Iterable, Iterator

from agents.types import CheckOdds, LintNote
from concilio.catalogue import say
from concilio.chapterfile.plan_markdown import render_plan
from concilio.chapterfile.plan_reader import read_plan
from concilio.domain.base import Language
from concilio.domain.chapter import Chapter, Provenance
from concilio.domain.debate import ObjectionDraft
from concilio.domain.plan import Mechanic, Proposal, ScenePlan
from graphs.checking import findings_of
from graphs.records import PlanState
from graphs.table import Table
from rules.claims.extract import extract
from rules.claims.model import Check
from rules.document import PlanScene
from rules.facts import Facts, PartySheet
from rules.findings import Finding
from rules.mechanics import mechanics
from rules.odds.checks import success_probability
from rules.ruleset import Ruleset


class PlanLint:
    """The engine's view of plans: each plan is read once, however many nodes ask for it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._findings: dict[str, tuple[Finding, ...]] = {}
        self._odds: dict[str, tuple[CheckOdds, ...]] = {}
        """By scene, as JSON: a revision changes few of them."""

    def findings(self, chapter: int, proposal: Proposal) -> tuple[Finding, ...]:
        """Return what the engine finds in a plan."""
        key = proposal.model_dump_json()
        if key not in self._findings:
            self._findings = {key: plan_findings(self._table, chapter, proposal)}
        return self._findings[key]

    def odds(self, proposal: Proposal) -> tuple[CheckOdds, ...]:
        """Return the odds of a plan's checks for the party."""
        table = self._table
        known, self._odds = self._odds, {}
        for scene in proposal.scenes:
            key = scene.model_dump_json()
            alone = Proposal(scenes=(scene,))
            self._odds[key] = known.get(key) or odds_of(alone, table.language, table.ruleset, table.facts)
        return tuple(row for rows in self._odds.values() for row in rows)


def plan_findings(table: Table, chapter: int, proposal: Proposal) -> tuple[Finding, ...]:
    """Return what the engine finds in a plan."""
    outline = table.outline(chapter)
    draft = Chapter(
        adventure=table.adventure.title,
        language=table.language,
        number=chapter,
        title=outline.title,
        header=outline.fields,
        ending="accepted",
        plan=proposal,
        provenance=Provenance(seed=table.options.seed, ruleset=table.ruleset.id),
    )
    found = findings_of(draft, table.ruleset, table.facts)
    return tuple(f for f in found if f.part == "plan" or f.rule == "scene-count")


def blocking(findings: Iterable[Finding]) -> tuple[ObjectionDraft, ...]:
    """Return the findings that a plan must not be accepted with, as the engine's objections."""
    return tuple(
        ObjectionDraft(scene=f.scene, field=f.rule, severity="blocker", text=f.message, proposal=f.expected)
        for f in findings
        if f.severity == "error" and f.part == "plan"
    )


def unfinished_objections(plan: PlanState) -> tuple[ObjectionDraft, ...]:
    """Return an objection for each scene that could not be had whole."""
    return tuple(
        ObjectionDraft(
            scene=scene_id, field="truncated", severity="blocker", text=fragment[-200:] or scene_id
        )
        for scene_id, fragment in plan.unfinished.items()
    )


def dangling_objections(plan: PlanState, language: Language) -> tuple[ObjectionDraft, ...]:
    """Return an objection for each outcome that leads to a scene which the plan does not have."""
    known = {scene.id for scene in plan.proposal.scenes} | {"end"}
    return tuple(
        ObjectionDraft(
            scene=scene.id,
            field=say("debate.field.outcomes", language),
            severity="blocker",
            text=say("debate.leads_nowhere", language, label=outcome.label, target=outcome.leads_to),
        )
        for scene in plan.proposal.scenes
        for outcome in scene.outcomes
        if outcome.leads_to and outcome.leads_to not in known
    )


def notes_of(findings: Iterable[Finding]) -> tuple[LintNote, ...]:
    """Return findings as notes for the reviewers."""
    return tuple(
        LintNote(scene=f.scene, rule=f.rule, severity=f.severity, message=f.message, quote=f.quote)
        for f in findings
    )


def plan_scene(scene: ScenePlan, language: Language) -> PlanScene:
    """Return a scene plan as the engine reads it."""
    chapter = int(scene.id.split(".")[0])
    text = render_plan(Proposal(scenes=(scene,)), chapter, language)
    return read_plan(text, chapter=chapter).scenes[0]


def scene_mechanics(scene: ScenePlan, language: Language, ruleset: Ruleset) -> tuple[Mechanic, ...]:
    """Return what prose must place of a scene's mechanics, by reference; a time is narration, not a roll."""
    return tuple(
        Mechanic(ref=m.ref, text=m.text, kind=m.kind)
        for m in mechanics(plan_scene(scene, language), language, ruleset)
        if m.kind != "duration"
    )


def odds_of(proposal: Proposal, language: Language, ruleset: Ruleset, facts: Facts) -> tuple[CheckOdds, ...]:
    """Return the odds of each check of a plan for the party: one row a trait and DC of a scene."""
    rows: dict[tuple[str, str, int], CheckOdds] = {}
    for scene in proposal.scenes:
        for check in _checks(plan_scene(scene, language), language, ruleset):
            for row in _rows(scene.id, check, facts.party):
                rows.setdefault((row.scene, row.trait, row.dc), row)
    return tuple(rows.values())


def _checks(scene: PlanScene, language: Language, ruleset: Ruleset) -> Iterator[Check]:
    for field in scene.fields:
        for claim in extract(field.text, language, ruleset):
            if isinstance(claim, Check) and claim.dcs:
                yield claim


def _rows(scene: str, check: Check, party: tuple[PartySheet, ...]) -> Iterator[CheckOdds]:
    if check.dc is None or not party:
        return
    for option in check.options:
        named = option.skill or option.ability
        if named is None or named.id is None:
            continue
        chances = [(success_probability(s.bonus(named.id), check.dc), s) for s in party]
        best_chance, best = max(chances, key=lambda pair: pair[0])
        yield CheckOdds(
            scene=scene,
            text=check.quote,
            trait=named.id,
            dc=check.dc,
            best_name=best.name,
            best_bonus=best.bonus(named.id),
            best_chance=best_chance,
            mean_chance=sum(chance for chance, _ in chances) / len(chances),
        )
