"""The engine at the table: findings on a plan as objections and notes, the odds of its checks as facts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from agents.types import CheckOdds, LintNote
from concilio.catalogue import say
from concilio.chapterfile.plan_markdown import render_plan, render_scene
from concilio.chapterfile.plan_scan import read_plan
from concilio.chapterfile.reader import read_document
from concilio.chapterfile.render import render_chapter
from concilio.domain.base import Language
from concilio.domain.chapter import Chapter, Provenance
from concilio.domain.debate import ObjectionDraft
from concilio.domain.plan import Mechanic, Proposal, ScenePlan
from graphs.playing import PlayedFacts, played_facts
from graphs.records import PlanState
from graphs.table import Table
from rules.checks.context import Context, Readings, passages_of
from rules.claims.model import Check
from rules.document import Document, Passage, PlanScene, PlanSection, WrittenScene
from rules.engine import findings_in
from rules.facts import PartySheet
from rules.findings import Finding
from rules.mechanics import mechanics
from rules.odds.checks import success_probability
from rules.ruleset import Ruleset

SLOT = 2048
"""Characters: every scene of a plan that is linted begins at a multiple of it, counted from the first."""


class PlanLint:
    """The engine's view of a run's plans: each is read once, and each scene of it, however many nodes ask.

    A scene that a revision leaves alone stands where it stood, so what it was read into is still right.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._frames: dict[int, Document] = {}
        self._scenes: dict[Passage, tuple[PlanScene, ...]] = {}
        self._readings = Readings()
        self._mechanics: dict[str, tuple[Mechanic, ...]] = {}
        self._key = ""
        self._findings: tuple[Finding, ...] = ()
        self._odds: tuple[CheckOdds, ...] = ()
        self._played: tuple[str, PlayedFacts] = "", PlayedFacts()

    def findings(self, chapter: int, proposal: Proposal) -> tuple[Finding, ...]:
        """Return what the engine finds in a plan."""
        self._read(chapter, proposal)
        return self._findings

    def odds(self, chapter: int, proposal: Proposal) -> tuple[CheckOdds, ...]:
        """Return the odds of a plan's checks for the party."""
        self._read(chapter, proposal)
        return self._odds

    def played(self, chapter: int, proposal: Proposal) -> PlayedFacts:
        """Return what comes of a plan where it is played; played when it is first asked for."""
        key = _key(chapter, proposal)
        if self._played[0] != key:
            table, document = self.table, self._document(chapter, proposal)
            context = Context(document, table.ruleset, table.facts, self._readings)
            scenes = document.plan.scenes if document.plan else ()
            consequences = table.outline(chapter).consequences
            self._played = key, played_facts(context, scenes, consequences, table.language)
        return self._played[1]

    def prose_findings(self, chapter: int, proposal: Proposal, scene: str, prose: str) -> tuple[Finding, ...]:
        """Return what the engine finds in a scene's prose, held against the plan, which is read once."""
        table, document = self.table, self._document(chapter, proposal)
        passage = Passage(prose, len(document.source))
        written = WrittenScene(scene, Passage("", passage.start), None, passage)
        whole = replace(document, source=document.source + prose, scenes=(written,))
        context = Context(whole, table.ruleset, table.facts, self._readings)
        return tuple(f for f in findings_in(context) if f.part == "prose" and f.scene == scene)

    def mechanics(self, scene: ScenePlan) -> tuple[Mechanic, ...]:
        """Return what prose must place of a scene's mechanics, by reference."""
        key = scene.model_dump_json()
        if key not in self._mechanics:
            self._mechanics[key] = scene_mechanics(scene, self.table.language, self.table.ruleset)
        return self._mechanics[key]

    def _read(self, chapter: int, proposal: Proposal) -> None:
        key = _key(chapter, proposal)
        if key != self._key:
            table, document = self.table, self._document(chapter, proposal)
            context = Context(document, table.ruleset, table.facts, self._readings)
            self._findings, self._odds = plan_findings(context), odds_of(context)
            self._key = key

    def _document(self, chapter: int, proposal: Proposal) -> Document:
        """Return a chapter with this plan as the engine reads it: rendered as printed, and read back."""
        table = self.table
        frame = self._frames.get(chapter)
        if frame is None:
            frame = self._frames[chapter] = chapter_frame(table, chapter)
        texts = [render_scene(scene, chapter, table.language) for scene in proposal.scenes]
        passages = slots(texts, len(frame.source))
        return with_scenes(frame, passages, [s for p in passages for s in self._scene(p, chapter)])

    def _scene(self, passage: Passage, chapter: int) -> tuple[PlanScene, ...]:
        if passage not in self._scenes:
            read = read_plan(passage.text, passage.start, chapter).scenes
            self._scenes[passage] = tuple(replace(scene, ends_text=False) for scene in read)
        return self._scenes[passage]


def _key(chapter: int, proposal: Proposal) -> str:
    return f"{chapter}{proposal.model_dump_json()}"


def chapter_frame(table: Table, chapter: int) -> Document:
    """Return an accepted chapter without a scene, read from its file's text."""
    outline = table.outline(chapter)
    draft = Chapter(
        adventure=table.adventure.title,
        language=table.language,
        number=chapter,
        title=outline.title,
        header=outline.fields,
        ending="accepted",
        plan=Proposal(),
        provenance=Provenance(seed=table.options.seed, ruleset=table.ruleset.id),
    )
    return read_document(render_chapter(draft), f"chapter {chapter}", table.language)


def slots(texts: Iterable[str], start: int) -> list[Passage]:
    """Return texts as passages from an offset on, each at the beginning of the next free slot."""
    passages: list[Passage] = []
    offset = start
    for text in texts:
        passages.append(Passage(text, offset))
        offset += -(-len(text) // SLOT) * SLOT
    return passages


def with_scenes(frame: Document, passages: Sequence[Passage], scenes: Sequence[PlanScene]) -> Document:
    """Return a chapter with these scenes as its plan, at the end of its source."""
    start = len(frame.source)
    padded = (p.text.ljust(-(-len(p.text) // SLOT) * SLOT) for p in passages)
    body = Passage("".join(padded), start)
    heading = frame.plan.heading if frame.plan else Passage("", start)
    plan = PlanSection(heading, body, tuple(scenes))
    return replace(frame, source=frame.source + body.text, plan=plan)


def plan_findings(context: Context) -> tuple[Finding, ...]:
    """Return what the engine finds in a plan."""
    return tuple(f for f in findings_in(context) if f.part == "plan" or f.rule == "scene-count")


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


def odds_of(context: Context) -> tuple[CheckOdds, ...]:
    """Return the odds of each check of a plan for the party: one row a trait and DC of a scene."""
    rows: dict[tuple[str, str, int], CheckOdds] = {}
    for scene in context.plan_scenes:
        for passage in passages_of(scene):
            for claim in context.claims(passage):
                if isinstance(claim, Check) and claim.dcs:
                    for row in _rows(scene.id, claim, context.facts.party):
                        rows.setdefault((row.scene, row.trait, row.dc), row)
    return tuple(rows.values())


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
