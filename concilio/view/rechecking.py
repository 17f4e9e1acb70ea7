"""What the rules engine finds in scenes that a designer has written and not sent yet."""

from collections.abc import Sequence
from pathlib import Path

from agents.plan_text import scene_order
from concilio.adventure.facts import facts_of
from concilio.batch.job import job_of_run
from concilio.domain.chapter import Chapter, Provenance
from concilio.domain.plan import Proposal, ScenePlan
from concilio.review.model import Pending
from concilio.store.errors import StoreError
from concilio.store.run import read_info
from graphs.checking import findings_but_of_prose, unwritten
from rules.checks.context import Context
from rules.findings import Finding
from rules.ruleset import RulesetError, load_ruleset


def findings_of(folder: Path, pause: Pending, scenes: Sequence[ScenePlan]) -> tuple[Finding, ...]:
    """Return what stands against these scenes in the plan that a run shows; nothing where it cannot be told.

    Args:
        folder: the run's, which keeps its adventure.
        pause: what the run shows.
        scenes: those that the designer wrote, whole.
    """
    try:
        job = job_of_run(read_info(folder), folder, {})
        ruleset = load_ruleset(job.adventure.ruleset, job.folder)
    except (StoreError, RulesetError):
        return ()
    outline = next((o for o in job.adventure.chapters if o.number == pause.chapter), None)
    if outline is None or not scenes:
        return ()
    written = {scene.id: scene for scene in scenes}
    plan = {scene.id: scene for scene in pause.plan.scenes} | written
    chapter = Chapter(
        adventure=job.adventure.title,
        language=job.adventure.language,
        number=pause.chapter,
        title=outline.title,
        header=outline.fields,
        ending="accepted",
        plan=Proposal(scenes=tuple(sorted(plan.values(), key=scene_order))),
        provenance=Provenance(seed=0, ruleset=ruleset.id),
    )
    context = Context(unwritten(chapter), ruleset, facts_of(job.adventure, ruleset))
    return tuple(found for found in findings_but_of_prose(context) if found.scene in written)
