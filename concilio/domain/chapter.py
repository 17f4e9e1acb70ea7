"""A finished chapter: the source of truth of which the Markdown file is one rendering."""

from pydantic import Field

from concilio.domain.adventure import OutlineField
from concilio.domain.base import Block, Frozen, Language, Line
from concilio.domain.debate import Ending, Ledger, Message
from concilio.domain.plan import Mechanic, Proposal, ScenePlan
from concilio.domain.playtest import PlayedPlan
from rules.findings import Finding


class SceneProse(Frozen):
    """One written scene."""

    plan: ScenePlan
    mechanics: tuple[Mechanic, ...] = ()
    """The plan's mechanics in the order of their references."""
    prose: Block = ""
    """Markdown with the mechanics written out; empty where the scene was not written."""
    findings: tuple[Finding, ...] = ()
    """What still stands against this prose after the last rewrite."""
    rewrites: int = Field(default=0, ge=0)


class AgentUse(Frozen):
    """What one agent used in a chapter."""

    agent: str
    model: str
    calls: int = 0
    tokens_in: int | None = None
    """Prompt tokens; None when the model reported none."""
    tokens_out: int | None = None
    cost_usd: float | None = None
    """None when the price is unknown: unknown is not zero."""


class Provenance(Frozen):
    """From what a chapter came: enough to run it again."""

    seed: int
    ruleset: str
    versions: dict[str, str] = {}
    """`concilio`, `python`, `langgraph`, `litellm`, …"""
    agents: tuple[AgentUse, ...] = ()
    rounds: int = 0


class Chapter(Frozen):
    """One chapter, whole."""

    schema_version: int = 1
    adventure: Line
    """Title of the adventure."""
    language: Language
    number: int
    title: Line
    header: tuple[OutlineField, ...] = ()
    """The outline's labelled lines, in order."""
    notes: Block = ""
    ending: Ending
    round_kept: int = 0
    """Round whose plan is kept (the last one where accepted, else the best); 0 where none is."""
    plan: Proposal
    playtest: PlayedPlan | None = None
    """What comes of the plan where it is played; None where it could not be, and in older files."""
    debate: tuple[Message, ...] = ()
    ledger: Ledger = Ledger()
    plan_findings: tuple[Finding, ...] = ()
    """What the engine still finds in the plan."""
    scenes: tuple[SceneProse, ...] = ()
    provenance: Provenance
