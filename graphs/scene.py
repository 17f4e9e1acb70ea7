"""One scene from plan to prose: write, verify, rewrite what is at fault, keep the best."""

from typing import Any

from agents import prose
from agents.prose_reading import paragraphs_of, replace_paragraphs
from agents.types import RewriteTask, WriteTask
from concilio.domain.plan import Proposal, ScenePlan
from concilio.gateway.errors import GatewayError
from graphs.debate import trouble_of
from graphs.drafting import faults_of, judge_draft
from graphs.records import DraftVerdict, PlanState
from graphs.routing import after_verify, after_write
from graphs.seated import Seated
from graphs.state import SceneState
from graphs.table import Table

Change = dict[str, Any]


def build_scene(table: Table | None = None) -> Any:
    """Return the workflow of one scene as a LangGraph builder."""
    from langgraph.graph import END, START, StateGraph

    nodes = SceneNodes(table)
    graph: Any = StateGraph(SceneState)  # its types are not whole
    for name in ("write", "verify", "rewrite"):
        graph.add_node(name, getattr(nodes, name))
    graph.add_edge(START, "write")
    graph.add_conditional_edges("write", after_write, {"verify": "verify", "end": END})
    graph.add_conditional_edges("verify", after_verify, {"rewrite": "rewrite", "keep": END})
    graph.add_conditional_edges("rewrite", after_write, {"verify": "verify", "end": END})
    return graph


class SceneNodes(Seated):
    """The nodes of a scene's workflow, over one table."""

    async def write(self, state: SceneState) -> Change:
        """The prose agent writes the scene."""
        try:
            draft = await prose.write(self.table.seats["prose"], self._key(state, "write"), self._task(state))
        except GatewayError as error:
            return {"trouble": trouble_of(error, self.table.language)}
        return {"draft": self.table.store.put_text(draft), "rewrites": 0, "trouble": None}

    async def verify(self, state: SceneState) -> Change:
        """The engine holds the draft against the plan; the best draft so far is kept."""
        table = self.table
        plan, scene = self._plan(state)
        draft = table.store.get_text(state["draft"])
        verdict = judge_draft(
            self.plan_lint,
            state["chapter"],
            plan,
            scene,
            self.plan_lint.mechanics(scene),
            draft,
            state["rewrites"],
        )
        reference = table.put(verdict)
        change: Change = {"verdict": reference}
        if not state.get("best") or verdict.weight < state["best_weight"]:
            change |= {"best": reference, "best_weight": verdict.weight}
        done = verdict.weight == 0 or state["rewrites"] >= table.options.max_rewrites
        table.store.events.emit(
            "scene",
            chapter=state["chapter"],
            scene=state["scene"],
            findings=len(verdict.findings),
            rewrites=state["rewrites"],
            done=done,
        )
        return change | {"done": done}

    async def rewrite(self, state: SceneState) -> Change:
        """The writer mends the paragraphs at fault and no others."""
        table, rewrites = self.table, state["rewrites"] + 1
        verdict = table.get(DraftVerdict, state["verdict"])
        task = RewriteTask(
            write=self._task(state), paragraphs=paragraphs_of(verdict.draft), faults=faults_of(verdict)
        )
        try:
            changes = await prose.rewrite(table.seats["prose"], self._key(state, f"rewrite{rewrites}"), task)
        except GatewayError as error:
            return {"trouble": trouble_of(error, table.language), "rewrites": rewrites}
        draft = replace_paragraphs(verdict.draft, changes)
        return {"draft": table.store.put_text(draft), "rewrites": rewrites, "trouble": None}

    # --- parts ---------------------------------------------------------------------------------------

    def _key(self, state: SceneState, step: str) -> str:
        return f"ch{state['chapter']}/{state['scene']}/{step}"

    def _plan(self, state: SceneState) -> tuple[Proposal, ScenePlan]:
        proposal = self.table.get(PlanState, state["plan"]).proposal
        scene = proposal.scene(state["scene"])
        assert scene is not None, state["scene"]
        return proposal, scene

    def _task(self, state: SceneState) -> WriteTask:
        proposal = self.table.get(PlanState, state["plan"]).proposal
        return write_task(self, state["chapter"], proposal, state["scene"])


def write_task(seated: Seated, chapter: int, proposal: Proposal, scene_id: str) -> WriteTask:
    """Return what the writer of a scene is given; the scene is one of the plan's."""
    table = seated.table
    at = next(n for n, scene in enumerate(proposal.scenes) if scene.id == scene_id)
    scene = proposal.scenes[at]
    return WriteTask(
        seed=table.options.seed,
        canon=table.canon_now(),
        outline=table.outline(chapter),
        scene=scene,
        mechanics=seated.plan_lint.mechanics(scene),
        starts_in=proposal.scenes[at - 1].state_change if at else "",
        ends_in=scene.state_change,
        next_title=proposal.scenes[at + 1].title if at + 1 < len(proposal.scenes) else "",
        scene_ids=tuple(s.id for s in proposal.scenes),
    )
