"""What each agent is given and what it returns, as data.

A task is sent to a model as prompt text, and to the embedded author as these very values
(`payload = task.model_dump(mode="json")`). Replies are the JSON schemas that models are asked for; those that
cannot do JSON answer in Markdown and are read into the same types (`agents.reading`).
"""

from typing import Literal

from pydantic import Field

from concilio.domain.adventure import ChapterOutline
from concilio.domain.base import Block, Frozen, Language, Line
from concilio.domain.debate import Answer, Mark, Objection, Severity, Verdict
from concilio.domain.plan import Mechanic, Proposal, ScenePlan

# --- what every task carries -------------------------------------------------------------------------


class Person(Frozen):
    """Somebody in the canon."""

    name: Line
    note: Line = ""
    voice: Line = ""
    count: int = 1
    fights: bool = False
    """The designer gives a stat block: an opponent, where nothing says otherwise."""


class Sheet(Frozen):
    """What matters of a character's sheet."""

    name: Line
    class_name: Line = ""
    level: int
    bonuses: dict[str, int] = {}
    """Total bonus by canonical skill id and ability id."""


class Canon(Frozen):
    """What is fixed before the chapter: names, voices, items, party, earlier facts."""

    adventure: Line
    language: Language
    ruleset: str
    level: int
    party: tuple[Sheet, ...] = ()
    cast: tuple[Person, ...] = ()
    items: tuple[Line, ...] = ()
    notes: Block = ""
    """What the designer says of the whole adventure, before its first chapter."""
    remembered: tuple[Line, ...] = ()
    """Facts and promises of earlier chapters."""


class CheckOdds(Frozen):
    """A fact of the engine: the odds of one check of the plan for this party."""

    scene: str
    text: Line
    """The check as the plan writes it."""
    trait: str
    """Canonical skill or ability id."""
    dc: int
    best_name: Line
    best_bonus: int
    best_chance: float = Field(ge=0, le=1)
    """Probability for the best-suited character, 0 to 1."""
    mean_chance: float = Field(ge=0, le=1)
    """Mean probability over the party, 0 to 1."""


class LintNote(Frozen):
    """A finding of the engine on the plan, for the reviewers."""

    scene: str
    rule: str
    severity: str
    message: Line
    quote: Line = ""


# --- tasks --------------------------------------------------------------------------------------------


class ProposeTask(Frozen):
    """Propose a chapter's plan."""

    task: Literal["propose"] = "propose"
    seed: int
    canon: Canon
    outline: ChapterOutline
    scene_target: int = Field(ge=1)
    """How many scenes are wanted."""
    skeleton: bool = False
    """Only ids, titles and one line each are wanted (long chapters)."""


class CompleteTask(Frozen):
    """Write some scenes of a plan alone: those that a cut reply left unfinished, or a skeleton's."""

    task: Literal["complete"] = "complete"
    seed: int
    canon: Canon
    outline: ChapterOutline
    scene_target: int
    plan: Proposal
    """The scenes that are whole."""
    wanted: tuple[str, ...]
    """Ids of the scenes to write."""
    fragments: dict[str, str] = {}
    """What exists of each wanted scene, as text."""


class RefineTask(Frozen):
    """Revise the scenes with open objections and answer each objection."""

    task: Literal["refine"] = "refine"
    seed: int
    canon: Canon
    outline: ChapterOutline
    scene_target: int
    plan: Proposal
    objections: tuple[Objection, ...]
    odds: tuple[CheckOdds, ...] = ()
    round: int


class ReviewTask(Frozen):
    """Judge a plan: Damián (`check`) and Rubén (`criticise`), blind to each other."""

    task: Literal["check", "criticise"]
    seed: int
    canon: Canon
    outline: ChapterOutline
    scene_target: int
    plan: Proposal
    odds: tuple[CheckOdds, ...] = ()
    notes: tuple[LintNote, ...] = ()
    minutes: dict[str, int] = {}
    """Of each scene, as the engine played it; none where the plan cannot be played."""
    objections: tuple[Objection, ...] = ()
    """The reviewer's own open objections, with Iris's answers."""
    changed: tuple[str, ...] = ()
    """Ids of the scenes that changed since the last round; all of them in the first."""
    round: int


class WriteTask(Frozen):
    """Write one scene's prose."""

    task: Literal["write"] = "write"
    seed: int
    canon: Canon
    outline: ChapterOutline
    scene: ScenePlan
    mechanics: tuple[Mechanic, ...] = ()
    starts_in: Line = ""
    """State that the previous scene leaves; empty for the first."""
    ends_in: Line
    next_title: Line = ""
    scene_ids: tuple[str, ...] = ()
    """All scenes of the chapter, in order."""


class ProseFault(Frozen):
    """A finding that is sent back to the writer."""

    paragraph: int
    """Number of the paragraph, from 1; 0 where the whole scene lacks something."""
    rule: str
    quote: Line = ""
    message: Line
    expected: Line = ""


class RewriteTask(Frozen):
    """Rewrite the paragraphs with faults and no others."""

    task: Literal["rewrite"] = "rewrite"
    write: WriteTask
    paragraphs: tuple[Block, ...]
    """The draft, still with references, one entry a paragraph."""
    faults: tuple[ProseFault, ...]


class WrittenScene(Frozen):
    """A scene as the continuity pass reads it."""

    id: str
    title: Line
    prose: Block
    starts_in: Line = ""
    ends_in: Line = ""


class ContinuityTask(Frozen):
    """One pass over the whole chapter."""

    task: Literal["continuity"] = "continuity"
    seed: int
    canon: Canon
    outline: ChapterOutline
    scenes: tuple[WrittenScene, ...]


class SceneToRead(Frozen):
    """A scene as the reader gets it: what was agreed and what was written."""

    plan: ScenePlan
    prose: Block = ""


class ReadTask(Frozen):
    """Read the finished chapter for what contradicts its outline or another of its scenes."""

    task: Literal["read"] = "read"
    seed: int
    canon: Canon
    outline: ChapterOutline
    scenes: tuple[SceneToRead, ...]


# --- replies ------------------------------------------------------------------------------------------


class OutcomeDraft(Frozen):
    """An outcome as a model returns it."""

    label: Line
    text: Line
    leads_to: str | None
    """Scene id, `end`, or null."""


class SceneDraft(Frozen):
    """A scene plan as a model returns it."""

    id: str
    title: Line
    place: Line
    present: Line
    situation: Line
    player_action: Line
    outcomes: list[OutcomeDraft]
    state_change: Line


class ProposalReply(Frozen):
    """Reply to `propose` and `complete`."""

    scenes: list[SceneDraft]


class RevisionReply(Frozen):
    """Reply to `refine`: only the scenes that change, and an answer to every open objection."""

    scenes: list[SceneDraft]
    removed: list[str]
    """Ids of scenes taken out."""
    answers: list[Answer]


class Marks(Frozen):
    """One mark a dimension."""

    action: Mark
    state_change: Mark
    outcomes: Mark
    pacing: Mark
    numbers: Mark
    time: Mark


class RowReply(Frozen):
    """A reviewer's row on one scene."""

    scene: str
    marks: Marks
    minutes: int | None
    note: Line


class ObjectionReply(Frozen):
    """An objection as a model returns it."""

    scene: str
    field: Line
    severity: Severity
    text: Line
    proposal: Line


class ReviewReply(Frozen):
    """Reply to `check` and `criticise`."""

    summary: Block
    """What the reviewer says at the table, in its voice."""
    rows: list[RowReply]
    marks: Marks
    objections: list[ObjectionReply]
    closed: list[str]
    """Ids of its own objections that are settled."""
    verdict: Verdict


class VerdictReply(Frozen):
    """Reply to the question for a verdict alone."""

    verdict: Verdict


class ParagraphReply(Frozen):
    """A rewritten paragraph; empty text removes it, a number after the last one adds it at the end."""

    number: int
    text: Block


class RewriteReply(Frozen):
    """Reply to `rewrite`."""

    paragraphs: list[ParagraphReply]


class EditReply(Frozen):
    """One change for continuity: an exact quote of a scene's prose and what stands there instead."""

    scene: str
    quote: str
    replacement: str
    why: Line


class ContinuityReply(Frozen):
    """Reply to `continuity`; no edits is a good answer."""

    edits: list[EditReply]


class ContradictionReply(Frozen):
    """One contradiction: two exact quotes that cannot both be true."""

    scene: str
    """Id of the scene at fault."""
    part: Literal["plan", "prose"]
    """Where in that scene the quote stands."""
    quote: str
    """Exact words of the scene that are at fault."""
    against: Literal["outline", "scene"]
    """What they contradict: the outline and the canon, or another scene."""
    other: str
    """Exact words of the outline or of the other scene; empty where what is told of never happened."""
    why: Line


class ReaderReply(Frozen):
    """Reply to `read`; no contradiction is a good answer."""

    contradictions: list[ContradictionReply]
