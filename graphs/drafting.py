"""A scene's draft held against its plan: references written out, findings collected, faults by paragraph."""

from collections.abc import Iterable, Sequence

from agents.prose_reading import paragraphs_of
from agents.references import Rendered, render_references
from agents.types import ProseFault
from concilio.catalogue import say
from concilio.domain.plan import Mechanic, Proposal, ScenePlan
from graphs.linting import PlanLint
from graphs.records import DraftVerdict
from graphs.table import Table
from rules.findings import Finding

WEIGHTS = {"error": 5, "warning": 2, "note": 0}
"""How much a finding of each severity weighs when drafts are compared; notes are matters of taste."""


def judge_draft(
    lint: PlanLint,
    chapter: int,
    proposal: Proposal,
    scene: ScenePlan,
    mechanics: Sequence[Mechanic],
    draft: str,
    rewrites: int,
) -> DraftVerdict:
    """Return a draft with all that is found in it."""
    rendered = render_references(draft, mechanics)
    findings = (
        *lint.prose_findings(chapter, proposal, scene.id, rendered.text),
        *_reference_findings(lint.table, scene, mechanics, rendered),
    )
    return DraftVerdict(
        draft=draft,
        text=rendered.text,
        findings=findings,
        weight=sum(WEIGHTS[f.severity] for f in findings),
        rewrites=rewrites,
    )


def faults_of(verdict: DraftVerdict) -> tuple[ProseFault, ...]:
    """Return the findings that are sent back to the writer, each with its paragraph."""
    paragraphs = paragraphs_of(verdict.text)
    return tuple(
        ProseFault(
            paragraph=_paragraph_with(paragraphs, f.quote),
            rule=f.rule,
            quote=f.quote,
            message=f.message,
            expected=f.expected,
        )
        for f in verdict.findings
        if WEIGHTS[f.severity]
    )


def _reference_findings(
    table: Table, scene: ScenePlan, mechanics: Sequence[Mechanic], rendered: Rendered
) -> Iterable[Finding]:
    folded = rendered.text.casefold()
    for mechanic in mechanics:
        if mechanic.ref not in rendered.used and mechanic.text.casefold() not in folded:
            yield _finding(table, scene, "stat-dropped", "prose.mechanic_missing", "", mechanic.text)
    for ref in rendered.unknown:
        yield _finding(table, scene, "mechanic-not-in-plan", "prose.unknown_reference", "", f"[[{ref}]]")


def _finding(table: Table, scene: ScenePlan, rule: str, key: str, quote: str, expected: str) -> Finding:
    return Finding(
        rule=rule,
        severity="error",
        scene=scene.id,
        part="prose",
        line=1,
        column=1,
        quote=quote,
        message=say(key, table.language),
        expected=expected,
        source=f"plan {scene.id}",
    )


def _paragraph_with(paragraphs: Sequence[str], quote: str) -> int:
    """Return the number of the first paragraph that holds the quote, or 0."""
    if not quote:
        return 0
    return next((n for n, text in enumerate(paragraphs, start=1) if quote in text), 0)
