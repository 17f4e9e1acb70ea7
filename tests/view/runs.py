"""Folders of runs for the page's tests: small, made by hand, and one that is as hostile as a file can be."""

import json
from pathlib import Path
from typing import Any

from concilio.chapterfile.json_file import dump_chapter
from concilio.chapterfile.names import chapter_file_stem
from concilio.chapterfile.plan_markdown import render_plan
from concilio.domain.base import Language
from concilio.domain.chapter import AgentUse, Chapter, Provenance, SceneProse
from concilio.domain.debate import Ledger, Message, Objection
from concilio.domain.plan import Mechanic, Outcome, Proposal, ScenePlan
from concilio.domain.playtest import PlayedEnd, PlayedPlan
from concilio.review.model import Pending
from graphs.reviewing import versioned
from rules.findings import Finding

RUN = "20261202-150504-the-bridge"
HOSTILE = (
    "<script>window.ran = 1</script><img src=x onerror='window.ran = 1'>"
    '[a](javascript:window.ran=1) <svg onload=window.ran=1> "onmouseover="window.ran=1 {{ 7 * 7 }} {% raw %}'
    " ![p](https://example.invalid/p.png) </details></article><iframe src='javascript:window.ran=1'></iframe>"
)


def plan_of(number: int, dc: int = 15, text: str = "The river has risen.") -> ScenePlan:
    return ScenePlan(
        id=f"{number}.1",
        title="The Bridge",
        place="A bridge of rope",
        present="The party and the toll keeper",
        situation=text,
        player_action=f"Whoever crosses rolls a DC {dc} Dexterity (Acrobatics) check.",
        outcomes=(
            Outcome(label="Success", degree="success", text="They are across.", leads_to="end"),
            Outcome(label="Failure", degree="failure", text="They hang from the rope.", leads_to="end"),
        ),
        state_change="The bridge has one rope less.",
    )


def finding(quote: str, message: str = "The plan says DC 15.", severity: Any = "error") -> Finding:
    return Finding(
        rule="dc-drift", severity=severity, scene="1.1", part="prose", line=1, column=1, quote=quote,
        message=message, expected="DC 15", source="plan 1.1",
    )  # fmt: skip


def chapter_of(number: int = 1, language: Language = "en", hostile: str = "") -> Chapter:
    """A chapter whose debate changes a DC, with a finding in its prose; `hostile` stands in every field."""
    first, kept = plan_of(number, 25), plan_of(number)
    revised = f"- O1 (fixed): done. {hostile}\n\n{rendered(kept, number)}"
    told = [
        Message(round=1, agent="iris", name=f"Iris Vela{hostile}", text=rendered(first, number)),
        Message(round=1, agent="ruben", name="Rubén Veinte", text=f"Too hard. **Lower it.** {hostile}"),
        Message(
            round=2,
            agent="iris",
            name="Iris Vela",
            text=revised,
        ),
    ]
    objection = Objection(
        id="O1", author="ruben", scene=f"{number}.1", field="player action" + hostile, severity="major",
        text="DC 25 is out of bounds." + hostile, proposal="Lower it." + hostile, state="fixed", raised_in=1,
        closed_in=2, answer="Lowered." + hostile,
    )  # fmt: skip
    prose = f"The ropes *creak*. Whoever crosses makes a DC **18** Dexterity check.\n\n{hostile}\n"
    plan = kept.model_copy(update={"title": kept.title + hostile, "situation": kept.situation + hostile})
    mechanic = Mechanic(ref=f"{number}.1-a", text="a DC 15 Dexterity (Acrobatics) check", kind="check")
    found = (finding("a DC **18** Dexterity check", "The plan says DC 15." + hostile), finding(""))
    return Chapter(
        adventure="The Bridge" + hostile,
        language=language,
        number=number,
        title="The Toll" + hostile,
        ending="accepted",
        round_kept=2,
        plan=Proposal(scenes=(plan,)),
        playtest=PlayedPlan(
            party="Ada (level 3)" + hostile,
            minutes=27,
            best=0.62,
            ends=(PlayedEnd(scene=f"{number}.1", label="Success" + hostile, chance=0.62),),
        ),
        debate=tuple(told),
        ledger=Ledger(objections=(objection,)),
        scenes=(SceneProse(plan=plan, mechanics=(mechanic,), prose=prose, findings=found),),
        provenance=Provenance(
            seed=1,
            ruleset="srd5e",
            rounds=2,
            agents=(
                AgentUse(
                    agent="iris", model="m" + hostile, calls=2, tokens_in=1200, tokens_out=800, cost_usd=0.01
                ),
                AgentUse(agent="ruben", model="n", calls=2),
            ),
        ),
    )


def pause_of(hostile: str = "", **values: Any) -> Pending:
    """A pause after a debate that did not agree; `hostile` stands in every field."""
    plan = plan_of(1).model_copy(
        update={key: f"{getattr(plan_of(1), key)}{hostile}" for key in ("title", "place", "situation")}
    )
    outcomes = (Outcome(label="Fall" + hostile, text="They fall." + hostile, leads_to="end"), *plan.outcomes)
    objection = Objection(
        id="O1" + hostile, author="ruben", scene="1.1", field="place" + hostile, severity="blocker",
        text="No way back." + hostile, proposal="A raft." + hostile, answer=hostile, raised_in=1,
    )  # fmt: skip
    given: dict[str, Any] = {
        "chapter": 1, "kind": "plan", "round": 3, "language": "en", "ending": "max_rounds",
        "plan": Proposal(scenes=(plan.model_copy(update={"outcomes": outcomes}),)),
        "unfinished": {"1.2": f"### Scene 1.2 — Half{hostile}"} if hostile else {},
        "ledger": Ledger(objections=(objection,)), "verdicts": {"damian": "accept", "ruben": "refine"},
    }  # fmt: skip
    return versioned(given | values)


def rendered(plan: ScenePlan, number: int) -> str:
    return render_plan(Proposal(scenes=(plan,)), number, "en").strip()


def make_run(
    out: Path,
    numbers: tuple[int, ...] = (1,),
    *,
    run: str = RUN,
    hostile: str = "",
    language: Language = "en",
    status: str = "done",
    title: str = "",
) -> Path:
    """Write a run's folder, without a store: a page must do with what is there."""
    folder = out / run
    folder.mkdir(parents=True)
    results = [{"number": n, "ending": "accepted"} for n in numbers]
    info = {
        "id": run, "created": "2026-12-02T15:05:04Z", "status": status,
        "inputs": {"adventure": f"/somewhere/the_bridge{hostile}.md", "chapters": list(numbers),
                   "title": title + hostile},
        "result": {"exit": 0, "chapters": results},
    }  # fmt: skip
    (folder / "run.json").write_text(json.dumps(info), encoding="utf-8")
    for number in numbers:
        text = dump_chapter(chapter_of(number, language, hostile))
        (folder / f"{chapter_file_stem(number, language)}.json").write_text(text, encoding="utf-8")
    (folder / "events.jsonl").write_text("".join(events(numbers, hostile)), encoding="utf-8")
    return folder


def events(numbers: tuple[int, ...], hostile: str = "") -> list[str]:
    call = {"kind": "call", "agent": "iris", "model": "m" + hostile, "seconds": 2.5, "characters": 99}
    rows: list[dict[str, Any]] = []
    for n in numbers:
        rows += [
            {"kind": "round", "chapter": n, "round": 1},
            call | {"tokens_in": 10, "tokens_out": 5, "cost_usd": None},
            {"kind": "reviewed", "chapter": n, "round": 1, "agent": "ruben", "verdict": "refine"}
            | {"objections": 1},
            {"kind": "judged", "chapter": n, "round": 1, "ending": None, "open": 1},
            {"kind": "judged", "chapter": n, "round": 2, "ending": "accepted", "open": 0},
            {"kind": "scene", "chapter": n, "scene": f"{n}.1{hostile}", "findings": 1, "done": True},
            {"kind": "chapter", "chapter": n, "ending": "accepted", "scenes": 1},
            {"kind": hostile or "something", "chapter": n},
        ]
    return [json.dumps({"at": "2026-12-02T15:05:15.755+00:00", **row}) + "\n" for row in rows]
