"""The debate: propose, lint, check and criticise side by side, judge, refine, until it ends.

Nodes are a few lines: they call an agent or the engine and return the change of state. A gateway's error
never raises out of a node (a raising branch would cancel its sibling, and its call would be paid again).
"""

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any

from agents import damian, iris, ruben
from agents.types import ProposeTask, RefineTask, ReviewTask
from concilio.catalogue import say
from concilio.domain.debate import AgentId, Ending, Ledger, Message, ObjectionDraft, Review
from concilio.domain.plan import Proposal
from concilio.gateway.errors import GatewayError
from concilio.review.model import Decision, Pending
from graphs import judging, linting, reviewing, transcript
from graphs.ledger import answer_objections, apply_review, set_engine_objections, signature
from graphs.plan_faults import plan_faults
from graphs.records import LogEntry, PlanState
from graphs.revising import revised
from graphs.routing import after_designer, after_judge, after_lint, after_propose
from graphs.seated import Seated
from graphs.state import DebateState, Trouble
from graphs.table import Table

Change = dict[str, Any]
REVIEWERS: tuple[AgentId, AgentId] = ("damian", "ruben")


def build_debate(table: Table | None = None) -> Any:
    """Return the debate as a LangGraph builder; the caller compiles it with its checkpointer.

    Args:
        table: None for the one of the run that is going on (`graphs.seated`).
    """
    from langgraph.graph import END, START, StateGraph

    nodes = DebateNodes(table)
    graph: Any = StateGraph(DebateState)  # its types are not whole
    for name in ("propose", "lint", "check", "criticise", "judge", "designer", "refine", "again", "fail"):
        graph.add_node(name, getattr(nodes, name))
    graph.add_edge(START, "propose")
    graph.add_conditional_edges("propose", after_propose, ["lint", "fail"])
    graph.add_conditional_edges("lint", after_lint, ["refine", "check", "criticise", "judge"])
    graph.add_edge("check", "judge")
    graph.add_edge("criticise", "judge")
    goes = {"refine": "refine", "again": "again", "end": END}
    graph.add_conditional_edges("judge", after_judge, {**goes, "designer": "designer"})
    graph.add_conditional_edges("designer", after_designer, goes)
    graph.add_conditional_edges("refine", after_propose, ["lint", "fail"])
    graph.add_edge("again", "lint")
    graph.add_edge("fail", END)
    return graph


def trouble_of(error: GatewayError, language: str) -> Trouble:
    """Return a gateway's error as data."""
    return {"kind": type(error).__name__, "message": error.explain(language)}


class DebateNodes(Seated):
    """The nodes of the debate, over one table."""

    async def propose(self, state: DebateState) -> Change:
        """Iris proposes the chapter's plan."""
        table, chapter = self.table, state["chapter"]
        task = ProposeTask(**self._common(chapter))
        self._emit("round", state, round=1)
        try:
            reading = await iris.propose(table.seats["iris"], f"ch{chapter}/r1/iris", task)
        except GatewayError as error:
            return {"round": 1, "proposer_trouble": trouble_of(error, table.language)}
        scenes = reading.proposal.scenes
        plan = PlanState(
            proposal=reading.proposal, unfinished=reading.unfinished, changed=tuple(s.id for s in scenes)
        )
        text = transcript.plan_turn(scenes, chapter, table.language)
        return {
            "round": 1,
            "plan": table.put(plan),
            "ledger": table.put(Ledger()),
            "log": self._logged("", 1, "iris", text),
            "proposer_trouble": None,
        }

    async def lint(self, state: DebateState) -> Change:
        """The engine reads the plan before anybody else is paid; a plan that is not whole goes no further.

        Its other faults travel with the plan, as objections that bar acceptance: one revision then answers
        the engine and both reviewers (docs/decisions.md).
        """
        table = self.table
        plan = table.get(PlanState, state["plan"])
        drafts = self._engine_objections(state["chapter"], plan)
        before = table.get(Ledger, state["ledger"])
        ledger = set_engine_objections(before, [*drafts, *_open_verdicts(before)], state["round"])
        bounce = not plan.complete and not state.get("bounced")
        self._emit("lint", state, faults=len(drafts), bounced=bounce)
        step = "refine" if bounce else "review" if plan.complete else "judge"
        change: Change = {"ledger": table.put(ledger), "step": step}
        if bounce:
            name = table.seats["iris"].name
            text = say("debate.bounced", table.language, name=name, count=len(drafts))
            change["log"] = self._logged(state["log"], state["round"], "engine", text)
        return change | {"bounced": bounce, "review": "", "critique": ""}

    async def check(self, state: DebateState) -> Change:
        """Damián checks."""
        return await self._review(state, "damian", damian.check, "review", "checker_trouble")

    async def criticise(self, state: DebateState) -> Change:
        """Rubén criticises, blind to Damián."""
        return await self._review(state, "ruben", ruben.criticise, "critique", "critic_trouble")

    async def judge(self, state: DebateState) -> Change:
        """Code decides how the round ended."""
        table, round_ = self.table, state["round"]
        trouble = state.get("checker_trouble") or state.get("critic_trouble")
        if trouble:
            return {"step": "end", "pause": ""} | self._failed(state, trouble)
        given = (state["review"], state["critique"])
        reviews = [table.get(Review, reference) for reference in given if reference]
        plan = table.get(PlanState, state["plan"])
        ledger = table.get(Ledger, state["ledger"])
        for review in reviews:
            ledger = apply_review(ledger, review, round_)
        drafts = [*self._engine_objections(state["chapter"], plan), *self._missing_verdicts(state, reviews)]
        ledger = set_engine_objections(ledger, drafts, round_)
        digest = hash_of((plan.proposal, sorted(plan.unfinished.items()), signature(ledger)))
        record = judging.RoundRecord(
            number=round_,
            plan_complete=plan.complete,
            reviews=tuple(reviews),
            ledger=ledger,
            repeats_last=digest == state.get("last"),
        )
        judgement = judging.judge(record, table.options.rounds + state.get("granted", 0))
        self._emit("judged", state, ending=judgement.ending, open=len(ledger.open()), weight=judgement.weight)
        return {
            "ledger": (ledger_ref := table.put(ledger)),
            "last": digest,
            "log": self._log_reviews(state, reviews),
            "step": judgement.step,
            "ending": judgement.ending,
            "pause": self._pause(judgement.ending),
            "edited": list[str](),
            "fixed_fields": dict[str, list[str]](),
        } | self._best(state, judgement, ledger_ref)

    async def designer(self, state: DebateState) -> Change:
        """The designer says how the debate goes on; the run waits, for days if it must."""
        table, round_, chapter = self.table, state["round"], state["chapter"]
        if not self._is_asked(state["pause"], state.get("ending")):  # settings may change while a run waits
            return {"pause": ""}
        plan_ref, ledger_ref = self._shown(state)
        plan, ledger = table.get(PlanState, plan_ref), table.get(Ledger, ledger_ref)
        decision = reviewing.answered(
            table.put, lambda reference: table.get(Decision, reference), self._pending(state, plan, ledger)
        )
        made = reviewing.decided(plan, ledger, decision, round_, partial(self._with_engine, chapter, round_))
        text = reviewing.turn_of(decision, made.ledger, round_, chapter, table.language)
        self._emit("decided", state, action=decision.action, edited=len(made.edited), pause=state["pause"])
        return {
            "pause": "",
            "plan": table.put(made.plan),
            "ledger": table.put(made.ledger),
            "log": self._logged(state["log"], round_, "designer", text),
            "step": reviewing.step_after(decision, made.ledger),
        } | self._follows(state, decision, made)

    async def refine(self, state: DebateState) -> Change:
        """Iris revises the scenes with open objections and answers each of them."""
        table, chapter = self.table, state["chapter"]
        plan, ledger = table.get(PlanState, state["plan"]), table.get(Ledger, state["ledger"])
        round_ = state["round"] if state.get("bounced") else state["round"] + 1
        objections = tuple(o for o in ledger.open() if o.field != judging.MISSING_VERDICT_FIELD)
        task = RefineTask(
            **self._common(chapter),
            plan=plan.proposal,
            objections=objections,
            odds=self.plan_lint.odds(chapter, plan.proposal),
            round=round_,
        )
        suffix = "lint" if state.get("bounced") else "refine"
        self._emit("round", state, round=round_)
        try:
            revision = await iris.refine(
                table.seats["iris"],
                f"ch{chapter}/r{round_}/iris/{suffix}",
                task,
                reviewing.notes_on(state.get("edited", ()), table.language),
            )
        except GatewayError as error:
            return {"proposer_trouble": trouble_of(error, table.language)}
        new = reviewing.as_worded(plan, revised(plan, revision, objections), state.get("fixed_fields", {}))
        new = _with_edits(new, state.get("edited", ()))
        changed = [s for s in new.proposal.scenes if s.id in new.changed]
        text = transcript.plan_turn(changed, chapter, table.language, revision.answers, revision.removed)
        return {
            "round": round_,
            "plan": table.put(new),
            "ledger": table.put(answer_objections(ledger, revision.answers)),
            "log": self._logged(state["log"], round_, "iris", text),
            "proposer_trouble": None,
        }

    async def again(self, state: DebateState) -> Change:
        """Nothing for Iris to change: the same plan goes to the reviewers once more."""
        plan = self.table.get(PlanState, state["plan"]).model_copy(update={"changed": ()})
        plan = _with_edits(plan, state.get("edited", ()))
        self._emit("round", state, round=state["round"] + 1)
        return {"round": state["round"] + 1, "plan": self.table.put(plan)}

    async def fail(self, state: DebateState) -> Change:
        """Iris could not be asked: what there is stays, and the ending says why."""
        trouble = state.get("proposer_trouble")
        return self._failed(state, trouble) if trouble else {"ending": "failed"}

    # --- parts ---------------------------------------------------------------------------------------

    def _common(self, chapter: int) -> dict[str, Any]:
        table = self.table
        return {
            "seed": table.options.seed,
            "canon": table.canon_now(),
            "outline": table.outline(chapter),
            "scene_target": table.scene_target(chapter),
        }

    def _engine_objections(self, chapter: int, plan: PlanState) -> tuple[ObjectionDraft, ...]:
        findings = self.plan_lint.findings(chapter, plan.proposal)
        return (
            *linting.blocking(findings),
            *linting.unfinished_objections(plan),
            *linting.dangling_objections(plan, self.table.language),
            *plan_faults(plan.proposal, chapter, self.table.scene_target(chapter), self.table.language),
        )

    async def _review(
        self,
        state: DebateState,
        agent: AgentId,
        ask: Callable[..., Awaitable[Review]],
        field: str,
        trouble_field: str,
    ) -> Change:
        table, chapter, round_ = self.table, state["chapter"], state["round"]
        plan, ledger = table.get(PlanState, state["plan"]), table.get(Ledger, state["ledger"])
        played = self.plan_lint.played(chapter, plan.proposal)
        task = ReviewTask(
            task="check" if agent == "damian" else "criticise",
            **self._common(chapter),
            plan=plan.proposal,
            odds=self.plan_lint.odds(chapter, plan.proposal),
            notes=(
                *linting.notes_of(self.plan_lint.findings(chapter, plan.proposal)),
                *played.notes,
                *reviewing.notes_on(state.get("edited", ()), table.language),
            ),
            minutes=dict(played.minutes),
            objections=tuple(o for o in ledger.open() if o.author == agent),
            changed=plan.changed,
            round=round_,
        )
        try:
            review = await ask(table.seats[agent], f"ch{chapter}/r{round_}/{agent}", task)
        except GatewayError as error:
            return {trouble_field: trouble_of(error, table.language)}
        review = transcript.with_field_names(review, table.language)
        self._emit("reviewed", state, agent=agent, verdict=review.verdict, objections=len(review.objections))
        return {field: table.put(review), trouble_field: None}

    def _missing_verdicts(self, state: DebateState, reviews: list[Review]) -> list[ObjectionDraft]:
        language = self.table.language
        return [
            ObjectionDraft(
                scene=str(state["chapter"]),
                field=judging.MISSING_VERDICT_FIELD,
                severity="blocker",
                text=say("debate.no_verdict_objection", language, name=self.table.seats[r.author].name),
                proposal=say("debate.no_verdict_proposal", language),
            )
            for r in reviews
            if r.verdict is None
        ]

    def _pause(self, ending: Ending | None) -> str:
        """Return at which pause the designer is asked, empty where none is."""
        kind = "round" if ending is None else "plan" if ending in reviewing.REVIEWED_ENDINGS else ""
        return kind if self._is_asked(kind, ending) else ""

    def _is_asked(self, kind: str, ending: Ending | None) -> bool:
        options = self.table.options
        return kind in options.pauses or (kind == "plan" and ending != "accepted" and options.asks_unresolved)

    def _shown(self, state: DebateState) -> tuple[str, str]:
        """Return plan and ledger that a pause is about: at the end those that are kept, else the current."""
        best = state.get("best_plan")
        if state["pause"] == "plan" and best:
            return best, state.get("best_ledger") or state["ledger"]
        return state["plan"], state["ledger"]

    def _pending(self, state: DebateState, plan: PlanState, ledger: Ledger) -> Pending:
        given = [self.table.get(Review, ref) for ref in (state["review"], state["critique"]) if ref]
        return reviewing.versioned(
            {
                "chapter": state["chapter"],
                "kind": state["pause"],
                "round": state["round"],
                "language": self.table.language,
                "ending": state.get("ending"),
                "plan": plan.proposal,
                "unfinished": plan.unfinished,
                "ledger": ledger,
                "verdicts": reviewing.verdicts_of(given),
                "known": self._known(state["chapter"], plan.proposal),
            }
        )

    def _known(self, chapter: int, proposal: Proposal) -> tuple[str, ...]:
        """Return what the designer has in sight beside a plan: the outline's aim, the engine's numbers."""
        odds, played = self.plan_lint.odds(chapter, proposal), self.plan_lint.played(chapter, proposal)
        return tuple(reviewing.known(self.table.outline(chapter), odds, played.notes, self.table.language))

    def _with_engine(self, chapter: int, round_: int, plan: PlanState, ledger: Ledger) -> Ledger:
        """Return the ledger with the engine's objections to a plan that the designer changed."""
        drafts = self._engine_objections(chapter, plan)
        return set_engine_objections(ledger, [*drafts, *_open_verdicts(ledger)], round_)

    def _follows(self, state: DebateState, decision: Decision, made: reviewing.Outcome) -> Change:
        """Return how the debate ends by a decision, or what its next round needs."""
        if decision.action == "round":
            granted = max(state.get("granted", 0), state["round"] + 1 - self.table.options.rounds)
            words = {scene: list(fields) for scene, fields in made.fields.items()}
            edits = {"edited": list(made.edited), "fixed_fields": words}
            return {"ending": None, "last": "", "granted": granted, **edits}
        ending: Ending = "accepted" if decision.action == "accept" else "stopped"
        self._emit("judged", state, ending=ending, open=len(made.ledger.open()), by="designer")
        return {
            "ending": ending,
            "best_round": state["round"] if state["pause"] == "round" else state.get("best_round", 0),
            "best_weight": made.ledger.weight(),
            "best_plan": self.table.put(made.plan),
            "best_ledger": self.table.put(made.ledger),
        }

    def _best(self, state: DebateState, judgement: judging.Judgement, ledger_ref: str) -> Change:
        better = judgement.ending == "accepted" or judgement.weight <= state.get(
            "best_weight", judgement.weight
        )
        if not better:
            return {}
        return {
            "best_round": state["round"],
            "best_weight": judgement.weight,
            "best_plan": state["plan"],
            "best_ledger": ledger_ref,
        }

    def _failed(self, state: DebateState, trouble: Trouble) -> Change:
        ending = "budget" if trouble["kind"] == "BudgetSpent" else "failed"
        self._emit("judged", state, ending=ending, cause=trouble["message"])
        change: Change = {"ending": ending, "proposer_trouble": trouble}
        if not state.get("best_plan") and state.get("plan"):
            change |= {
                "best_round": state["round"],
                "best_plan": state["plan"],
                "best_ledger": state["ledger"],
            }
        return change

    def _log_reviews(self, state: DebateState, reviews: list[Review]) -> str:
        log = state["log"]
        for review in reviews:
            text = transcript.review_turn(review, state["chapter"], self.table.language)
            log = self._logged(log, state["round"], review.author, text)
        return log

    def _logged(self, previous: str, round_: int, agent: AgentId, text: str) -> str:
        name = self.table.seats[agent].name if agent in self.table.seats else ""
        name = name or say(f"debate.agent.{agent}", self.table.language)
        message = Message(round=round_, agent=agent, name=name, text=text)
        return self.table.put(LogEntry(previous=previous, message=message))

    def _emit(self, kind: str, state: DebateState, **fields: object) -> None:
        values = {"chapter": state["chapter"], "round": state.get("round", 0)} | fields
        self.table.store.events.emit(kind, **values)


def _with_edits(plan: PlanState, edited: Iterable[str]) -> PlanState:
    """Return a plan that counts the designer's scenes among those that changed."""
    return plan.model_copy(update={"changed": tuple(sorted({*plan.changed, *edited}))})


def _open_verdicts(ledger: Ledger) -> list[ObjectionDraft]:
    """Return the engine's objections to missing verdicts: only a verdict closes them."""
    return [
        ObjectionDraft(scene=o.scene, field=o.field, severity=o.severity, text=o.text, proposal=o.proposal)
        for o in ledger.open()
        if o.field == judging.MISSING_VERDICT_FIELD
    ]


def hash_of(value: object) -> str:
    """Return a digest of a value's text: equal values, equal digests, in every process."""
    from hashlib import sha256

    return sha256(repr(value).encode()).hexdigest()[:16]


def messages_of(table: Table, log: str) -> tuple[Message, ...]:
    """Return the debate's turns in order, from the reference of the last."""
    turns: list[Message] = []
    while log:
        entry = table.get(LogEntry, log)
        turns.append(entry.message)
        log = entry.previous
    return tuple(reversed(turns))
