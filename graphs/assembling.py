"""The finished chapter, put together from the debate, the plan and the prose."""

import platform
from collections.abc import Mapping
from functools import cache
from importlib import metadata

from concilio import __version__
from concilio.domain.chapter import AgentUse, Chapter, Provenance, SceneProse
from concilio.domain.debate import Ledger
from concilio.domain.plan import Proposal
from concilio.domain.playtest import PlayedPlan
from graphs.checking import findings_but_of_prose, unwritten
from graphs.debate import messages_of
from graphs.playing import played_plan
from graphs.state import ChapterState
from graphs.table import Table
from rules.checks.context import Context

VERSIONED = ("langgraph", "litellm")
"""Packages whose versions a chapter records."""


def assemble(
    table: Table, state: ChapterState, proposal: Proposal, scenes: tuple[SceneProse, ...]
) -> Chapter:
    """Return the chapter with all that the engine still finds in it."""
    debate, outline = state["debate"], table.outline(state["chapter"])
    ledger_ref = debate.get("best_ledger") or debate.get("ledger")
    chapter = Chapter(
        adventure=table.adventure.title,
        language=table.language,
        number=outline.number,
        title=outline.title,
        header=outline.fields,
        notes=outline.notes,
        ending=debate.get("ending") or "failed",
        round_kept=debate.get("best_round", 0),
        plan=proposal,
        debate=messages_of(table, debate.get("log", "")),
        ledger=table.get(Ledger, ledger_ref) if ledger_ref else Ledger(),
        scenes=scenes,
        provenance=Provenance(
            seed=table.options.seed,
            ruleset=table.ruleset.id,
            versions=versions(),
            agents=uses(table, outline.number),
            rounds=debate.get("round", 0),
        ),
    )
    context = Context(unwritten(chapter), table.ruleset, table.facts)
    found, played = findings_but_of_prose(context), played_chapter(table, chapter, context)
    return chapter.model_copy(update={"plan_findings": found, "playtest": played})


def played_chapter(table: Table, chapter: Chapter, context: Context) -> PlayedPlan | None:
    """Return what comes of a chapter's plan for the table's party; None where it cannot be played."""
    plan = context.document.plan
    scenes = plan.scenes if plan else ()
    consequences = table.outline(chapter.number).consequences
    return played_plan(context, scenes, consequences, chapter.language, bool(table.adventure.party))


def uses(table: Table, chapter: int) -> tuple[AgentUse, ...]:
    """Return what each agent used in a chapter."""
    found: dict[str, AgentUse] = {}
    for seat in table.seats.values():
        for use in seat.gateway.ledger.use(f"ch{chapter}/"):
            found[f"{use.agent}/{use.model}"] = use
    return tuple(found[key] for key in sorted(found))


def versions() -> dict[str, str]:
    """Return the versions that a chapter came from."""
    return dict(_versions())


@cache
def _versions() -> Mapping[str, str]:
    found = {"concilio": __version__, "python": platform.python_version()}
    return found | {name: metadata.version(name) for name in VERSIONED}
