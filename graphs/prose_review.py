"""The designer looks at the prose: takes it, writes in it, has scenes mended, or stops."""

from typing import Any, Literal

from agents import prose
from agents.prose_reading import paragraphs_of, replace_paragraphs
from agents.types import ProseFault, RewriteTask
from concilio.catalogue import say
from concilio.domain.debate import Answer, Ledger, Message, Objection
from concilio.domain.plan import Proposal
from concilio.gateway.errors import GatewayError
from concilio.review.model import Decision, Pending
from graphs import reviewing
from graphs.debate import trouble_of
from graphs.drafting import judge_draft
from graphs.ledger import answer_objections
from graphs.records import DraftVerdict, LogEntry, PlanState
from graphs.scene import write_task
from graphs.seated import Seated
from graphs.state import ChapterState

Change = dict[str, Any]


class ProseReview(Seated):
    """The nodes between a chapter's prose and its file."""

    def after_read(self, state: ChapterState) -> Literal["designer", "assemble"]:
        """The designer is asked where the run pauses there, and where there is prose."""
        asks = "prose" in self.table.options.pauses and state.get("written")
        return "designer" if asks else "assemble"

    async def designer(self, state: ChapterState) -> Change:
        """The run waits for the designer's word on the prose."""
        table, debate = self.table, state["debate"]
        looks = state.get("looks", 0) + 1
        if "prose" not in table.options.pauses:  # settings may change while a run waits
            return {"pause": ""}
        decision = reviewing.answered(
            table.put, lambda reference: table.get(Decision, reference), self._pending(state, looks)
        )
        plan, ledger = table.get(PlanState, state["plan"]), self._ledger(state)
        made = reviewing.decided(plan, ledger, decision, debate["round"], lambda _, before: before)
        number, language = state["chapter"], table.language
        text = reviewing.turn_of(decision, made.ledger, debate["round"], number, language)
        name = say("debate.agent.designer", language)
        message = Message(round=debate["round"], agent="designer", name=name, text=text)
        table.store.events.emit("decided", chapter=number, action=decision.action, pause="prose")
        changed = {"best_ledger": table.put(made.ledger)} | (
            {"ending": "stopped"} if _stops(decision) else {}
        )
        log = table.put(LogEntry(previous=debate["log"], message=message))
        return {
            "pause": "again" if decision.action == "round" else "",
            "looks": looks,
            "debate": {**debate, **changed, "log": log},
            "written": {scene: self._edited(state, scene, text) for scene, text in decision.prose.items()},
        }

    async def amend(self, state: ChapterState) -> Change:
        """The writer mends the scenes that the designer objects to, one after the other."""
        written: dict[str, str] = {}
        troubles: dict[str, str] = {}
        kinds: dict[str, str] = {}
        ledger = self._ledger(state)
        for scene in self._proposal(state).scenes:
            own = [o for o in ledger.open() if _is_on(o, scene.id, state["chapter"])]
            if not own or scene.id not in state.get("written", {}):
                continue
            try:
                written[scene.id] = await self._mended(state, scene.id, own)
            except GatewayError as error:
                trouble = trouble_of(error, self.table.language)
                troubles[scene.id], kinds[scene.id] = trouble["message"], trouble["kind"]
                continue
            done = say("review.mended", self.table.language)
            answers = [Answer(objection=o.id, kind="fixed", text=done) for o in own]
            ledger = answer_objections(ledger, answers)
        debate = {**state["debate"], "best_ledger": self.table.put(ledger)}
        return {"written": written, "troubles": troubles, "trouble_kinds": kinds, "debate": debate}

    # --- parts ---------------------------------------------------------------------------------------

    def _proposal(self, state: ChapterState) -> Proposal:
        return self.table.get(PlanState, state["plan"]).proposal

    def _ledger(self, state: ChapterState) -> Ledger:
        debate = state["debate"]
        return self.table.get(Ledger, debate.get("best_ledger") or debate["ledger"])

    def _verdict(self, state: ChapterState, scene: str) -> DraftVerdict:
        return self.table.get(DraftVerdict, state.get("written", {})[scene])

    def _pending(self, state: ChapterState, looks: int) -> Pending:
        debate = state["debate"]
        drafts = {scene: self._verdict(state, scene) for scene in sorted(state.get("written", {}))}
        return reviewing.versioned(
            {
                "chapter": state["chapter"],
                "kind": "prose",
                "round": debate["round"],
                "look": looks,
                "language": self.table.language,
                "ending": debate.get("ending"),
                "plan": self._proposal(state),
                "ledger": self._ledger(state),
                "prose": {scene: draft.text for scene, draft in drafts.items()},
                "findings": tuple(f for draft in drafts.values() for f in draft.findings),
            }
        )

    def _edited(self, state: ChapterState, scene_id: str, text: str) -> str:
        """Return the reference of a scene as the designer wrote it, with what the engine finds in it."""
        return self.table.put(self._judged(state, scene_id, text))

    def _judged(self, state: ChapterState, scene_id: str, draft: str) -> DraftVerdict:
        table, proposal = self.table, self._proposal(state)
        plan = proposal.scene(scene_id)
        assert plan is not None, scene_id
        mechanics = self.plan_lint.mechanics(plan)
        written = state.get("written", {}).get(scene_id)
        rewrites = table.get(DraftVerdict, written).rewrites if written else 0
        return judge_draft(self.plan_lint, state["chapter"], proposal, plan, mechanics, draft, rewrites)

    async def _mended(self, state: ChapterState, scene_id: str, objections: list[Objection]) -> str:
        """Return the reference of a scene after the writer has answered the designer.

        Raises:
            GatewayError: the writer could not be asked.
        """
        table, draft = self.table, self._verdict(state, scene_id).draft
        faults = tuple(
            ProseFault(
                paragraph=0, rule=reviewing.DESIGNER_RULE, quote="", message=o.text, expected=o.proposal
            )
            for o in objections
        )
        task = RewriteTask(
            write=write_task(self, state["chapter"], self._proposal(state), scene_id),
            paragraphs=paragraphs_of(draft),
            faults=faults,
        )
        key = f"ch{state['chapter']}/{scene_id}/designer{state.get('looks', 1)}"
        changes = await prose.rewrite(table.seats["prose"], key, task)
        return self.table.put(self._judged(state, scene_id, replace_paragraphs(draft, changes)))


def _stops(decision: Decision) -> bool:
    return decision.action == "stop"


def _is_on(objection: Objection, scene: str, chapter: int) -> bool:
    """Tell whether an objection is the designer's, unanswered, and on a scene or the whole chapter."""
    waits = objection.author == "designer" and not objection.answer
    return waits and objection.scene in (scene, str(chapter))
