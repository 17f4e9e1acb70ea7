"""What the reader says becomes findings where its quotes stand, at their place in the chapter's file."""

from typing import Any

import pytest

from agents.types import Canon, ContradictionReply, Person, ReaderReply
from concilio.chapterfile.reader import read_chapter
from concilio.chapterfile.render import render_chapter
from concilio.domain.adventure import OutlineField
from concilio.domain.chapter import Chapter, Provenance, SceneProse
from concilio.domain.plan import Outcome, Proposal, ScenePlan
from graphs.reader import with_reading, without_reading


def scene(number: int, situation: str) -> ScenePlan:
    return ScenePlan(
        id=f"5.{number}",
        title=f"T{number}",
        place="El salón.",
        present="PJs, Xylanth.",
        situation=situation,
        player_action="Cruzar.",
        outcomes=(Outcome(label="Éxito", text="Pasan.", leads_to="end"),),
        state_change="Están dentro.",
    )


ONE, TWO = scene(1, "Xylanth duerme y nadie lo ha herido."), scene(2, "El vapor no ciega a Xylanth.")
PROSE = "La puerta cede.\n\nLa **herida abierta** por el hechizo de la escena anterior supura."
CANON = Canon(
    adventure="A", language="es", ruleset="srd5e", level=1, cast=(Person(name="Odalys", note="rehén ciega"),)
)
CHAPTER = Chapter(
    adventure="A",
    language="es",
    number=5,
    title="El salón",
    header=(OutlineField(label="TÁCTICA", text="El vapor ciega a Xylanth y le quita los rayos."),),
    ending="accepted",
    plan=Proposal(scenes=(ONE, TWO)),
    scenes=(SceneProse(plan=ONE, prose="El salón huele a cobre."), SceneProse(plan=TWO, prose=PROSE)),
    provenance=Provenance(seed=1, ruleset="srd5e"),
)
IN_PLAN: dict[str, Any] = {
    "scene": "5.2",
    "part": "plan",
    "quote": "el vapor no ciega a Xylanth",
    "against": "outline",
    "other": "El vapor ciega a Xylanth",
    "why": "El outline dice que lo ciega.",
}
IN_PROSE: dict[str, Any] = {
    "scene": "5.2",
    "part": "prose",
    "quote": "La herida abierta por el hechizo",
    "against": "scene",
    "other": "nadie lo ha herido",
    "why": "En 5.1 nadie lo hiere.",
}


def read(*said: dict[str, Any]) -> Chapter:
    reply = ReaderReply(contradictions=[ContradictionReply.model_validate(one) for one in said])
    return with_reading(CHAPTER, CANON, reply)


def findings(chapter: Chapter) -> list[Any]:
    return [*chapter.plan_findings, *(f for s in chapter.scenes for f in s.findings)]


def test_contradictions_become_findings_at_their_place() -> None:
    chapter = read(IN_PLAN, IN_PROSE)
    (plan,), (prose,) = chapter.plan_findings, chapter.scenes[1].findings
    assert (plan.rule, plan.severity, plan.part) == ("contradicts-outline", "error", "plan")
    assert plan.quote == "El vapor no ciega a Xylanth"
    assert (prose.rule, prose.part, prose.scene) == ("contradicts-scene", "prose", "5.2")
    assert (prose.quote, prose.expected) == ("La **herida abierta** por el hechizo", "nadie lo ha herido")
    assert "5.1" in prose.source
    lines = render_chapter(chapter).split("\n")
    for finding in (plan, prose):
        assert lines[finding.line - 1][finding.column - 1 :].startswith(finding.quote)


def test_the_file_reads_back() -> None:
    chapter = read(IN_PLAN, IN_PROSE)
    assert read_chapter(render_chapter(chapter)) == chapter


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"quote": "el vapor no afecta a Xylanth"}, "its quote stands nowhere"),
        ({"quote": ""}, "no quote"),
        ({"scene": "5.1"}, "the quote stands in another scene"),
        ({"scene": "9.9"}, "no such scene"),
        ({"other": "El vapor le da alas"}, "what it is held against stands nowhere"),
        ({"against": "scene", "other": "el vapor no ciega"}, "no scene but itself"),
    ],
)
def test_what_cannot_be_verified_is_dropped(change: dict[str, Any], why: str) -> None:
    assert findings(read({**IN_PLAN, **change})) == [], why


def test_what_never_happened_needs_no_second_quote() -> None:
    (finding,) = read({**IN_PROSE, "other": ""}).scenes[1].findings
    assert finding.expected == ""


def test_the_canon_counts_as_outline() -> None:
    said = {**IN_PROSE, "against": "outline", "other": "rehén ciega"}
    assert [f.rule for f in findings(read(said))] == ["contradicts-outline"]


def test_the_same_twice_is_one_finding() -> None:
    assert len(findings(read(IN_PLAN, IN_PLAN))) == 1


def test_a_chapter_that_nobody_read_says_so() -> None:
    (note,) = without_reading(CHAPTER, "nadie responde").plan_findings
    assert (note.severity, note.rule) == ("note", "contradicts-scene")
    assert "nadie responde" in note.message
