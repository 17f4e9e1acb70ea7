"""One chapter from outline to file: the debate, the scenes side by side, one pass over them, the file."""

from collections.abc import Callable
from typing import Any, cast

from agents import prose
from agents.reader import read_chapter
from agents.types import ContinuityTask, EditReply, ReaderReply, WrittenScene
from concilio.domain.chapter import Chapter, SceneProse
from concilio.domain.debate import Ending
from concilio.domain.plan import Proposal
from concilio.gateway.errors import GatewayError
from graphs.assembling import assemble
from graphs.debate import build_debate
from graphs.drafting import judge_draft
from graphs.prose_review import ProseReview
from graphs.reader import read_task, with_reading, without_reading
from graphs.records import DraftVerdict, PlanState
from graphs.routing import after_prose_review
from graphs.scene import build_scene
from graphs.seated import Seated
from graphs.state import ChapterState, DebateState, SceneState
from graphs.table import OnUnresolved, Table

Change = dict[str, Any]
WRITABLE: tuple[Ending, ...] = ("accepted", "max_rounds", "stalled")
"""Endings after which prose may be written."""


def build_chapter(table: Table | None = None) -> Any:
    """Return a chapter's workflow as a LangGraph builder; the caller compiles it with its checkpointer.

    Args:
        table: None for the one of the run that is going on (`graphs.seated`).
    """
    from langgraph.graph import END, START, StateGraph

    nodes = ChapterNodes(table)
    graph: Any = StateGraph(ChapterState)  # its types are not whole
    for name in ("debate", "scene", "continuity", "read", "assemble"):
        graph.add_node(name, getattr(nodes, name))
    graph.add_node("designer", nodes.reviewing.designer)
    graph.add_node("amend", nodes.reviewing.amend)
    graph.add_edge(START, "debate")
    graph.add_conditional_edges("debate", nodes.to_scenes, ["scene", "assemble"])
    graph.add_edge("scene", "continuity")
    graph.add_edge("continuity", "read")
    graph.add_conditional_edges("read", nodes.reviewing.after_read, ["designer", "assemble"])
    graph.add_conditional_edges("designer", after_prose_review, ["amend", "assemble"])
    graph.add_edge("amend", "read")
    graph.add_edge("assemble", END)
    return graph


def writes_prose(ending: Ending | None, on_unresolved: OnUnresolved, confirm: Callable[[], bool]) -> bool:
    """Tell whether prose follows a debate that ended so; `confirm` speaks for who cannot be asked."""
    if ending == "accepted":
        return True
    if ending not in WRITABLE or on_unresolved == "stop":
        return False
    return on_unresolved == "write" or confirm()


class ChapterNodes(Seated):
    """The nodes of a chapter's workflow, over one table."""

    def __init__(self, table: Table | None = None) -> None:
        super().__init__(table)
        self._debate = build_debate(table).compile()
        self._scene = build_scene(table).compile()
        self.reviewing = ProseReview(table)

    async def debate(self, state: ChapterState) -> Change:
        """Hold the debate; what it ends with is the plan that is written."""
        ended = cast(DebateState, await self._debate.ainvoke({"chapter": state["chapter"]}))
        table, chapter, ending = self.table, state["chapter"], ended.get("ending")
        write = writes_prose(
            ending, table.options.on_unresolved, lambda: table.confirm_prose(chapter, ending or "failed")
        )
        return {"debate": ended, "plan": ended.get("best_plan", ""), "write": write}

    def to_scenes(self, state: ChapterState) -> Any:
        """Send each scene of the plan to its writer, side by side; or none."""
        from langgraph.types import Send

        scenes = self._proposal(state).scenes
        if not scenes or not state["write"]:
            return "assemble"
        common = {"chapter": state["chapter"], "plan": state["plan"]}
        return [Send("scene", {**common, "scene": scene.id}) for scene in scenes]

    async def scene(self, state: SceneState) -> Change:
        """Write one scene."""
        written = cast(SceneState, await self._scene.ainvoke(state))
        change: Change = {}
        if best := written.get("best"):
            change["written"] = {state["scene"]: best}
        if trouble := written.get("trouble"):
            change["troubles"] = {state["scene"]: trouble["message"]}
            change["trouble_kinds"] = {state["scene"]: trouble["kind"]}
        return change

    async def continuity(self, state: ChapterState) -> Change:
        """One pass over the whole chapter; an edit that brings a fault is not taken."""
        table = self.table
        scenes = self._written(state)
        if len(scenes) < 2:
            return {}
        task = ContinuityTask(
            seed=table.options.seed,
            canon=table.canon_now(),
            outline=table.outline(state["chapter"]),
            scenes=tuple(scenes),
        )
        try:
            edits = await prose.read_whole(table.seats["prose"], f"ch{state['chapter']}/continuity", task)
        except GatewayError as error:
            return {
                "troubles": {"continuity": error.explain(table.language)},
                "trouble_kinds": {"continuity": type(error).__name__},
            }
        return {"written": {s.id: ref for s in scenes if (ref := self._edited(state, s.id, edits))}}

    async def read(self, state: ChapterState) -> Change:
        """The reader looks for contradictions; the chapter stands without it, and then says so."""
        written = {scene.id: scene.prose for scene in self._written(state)}
        if not written:
            return {}
        number = state["chapter"]
        task = read_task(self.table, number, self._proposal(state), written)
        try:
            reply = await read_chapter(self.table.seats["reader"], f"ch{number}/read", task)
        except GatewayError as error:
            return {"unread": error.explain(self.table.language)}
        return {"reading": self.table.put(reply)}

    async def assemble(self, state: ChapterState) -> Change:
        """Make the chapter of all that there is."""
        table = self.table
        chapter = assemble(table, state, self._proposal(state), self._prose(state))
        if reading := state.get("reading"):
            chapter = with_reading(chapter, table.canon_now(), table.get(ReaderReply, reading))
        elif cause := state.get("unread"):
            chapter = without_reading(chapter, cause)
        table.store.events.emit(
            "chapter", chapter=chapter.number, ending=chapter.ending, scenes=len(chapter.scenes)
        )
        return {"file": table.put(chapter)}

    # --- parts ---------------------------------------------------------------------------------------

    def _proposal(self, state: ChapterState) -> Proposal:
        return self.table.get(PlanState, state["plan"]).proposal if state.get("plan") else Proposal()

    def _verdict(self, state: ChapterState, scene_id: str) -> DraftVerdict | None:
        reference = state.get("written", {}).get(scene_id)
        return self.table.get(DraftVerdict, reference) if reference else None

    def _written(self, state: ChapterState) -> list[WrittenScene]:
        scenes: list[WrittenScene] = []
        before = ""
        for plan in self._proposal(state).scenes:
            if verdict := self._verdict(state, plan.id):
                scenes.append(
                    WrittenScene(
                        id=plan.id,
                        title=plan.title,
                        prose=verdict.text,
                        starts_in=before,
                        ends_in=plan.state_change,
                    )
                )
            before = plan.state_change
        return scenes

    def _edited(self, state: ChapterState, scene_id: str, edits: tuple[EditReply, ...]) -> str | None:
        """Return the reference of the scene after its edits, or None where it stays as it is."""
        verdict = self._verdict(state, scene_id)
        if verdict is None:
            return None
        text = verdict.text
        for edit in edits:
            if edit.scene == scene_id and edit.quote and text.count(edit.quote) == 1:
                text = text.replace(edit.quote, edit.replacement)
        if text == verdict.text:
            return None
        proposal = self._proposal(state)
        plan = proposal.scene(scene_id)
        assert plan is not None
        mechanics = self.plan_lint.mechanics(plan)
        edited = judge_draft(
            self.plan_lint, state["chapter"], proposal, plan, mechanics, text, verdict.rewrites
        )
        return self.table.put(edited) if edited.weight <= verdict.weight else None

    def _prose(self, state: ChapterState) -> tuple[SceneProse, ...]:
        scenes: list[SceneProse] = []
        for plan in self._proposal(state).scenes:
            verdict = self._verdict(state, plan.id)
            scenes.append(
                SceneProse(
                    plan=plan,
                    mechanics=self.plan_lint.mechanics(plan),
                    prose=verdict.text if verdict else "",
                    findings=verdict.findings if verdict else (),
                    rewrites=verdict.rewrites if verdict else 0,
                )
            )
        return tuple(scenes)


def chapter_of(table: Table, state: ChapterState) -> Chapter:
    """Return the finished chapter of a state."""
    return table.get(Chapter, state["file"])
