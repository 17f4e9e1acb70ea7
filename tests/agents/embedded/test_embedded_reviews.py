"""Damián's and Rubén's heuristics, and what Iris makes of objections: by plans written by hand."""

from typing import Any

import pytest

from agents.embedded.analysis import problems_of, unknown_names
from agents.embedded.brief import make_brief
from agents.types import CheckOdds, LintNote
from concilio.domain.adventure import ChapterOutline
from concilio.domain.debate import Objection
from concilio.domain.plan import Outcome, Proposal, ScenePlan
from tests.agents.embedded.support import CAST_EN, CAST_ES, canon, debate, merged, propose, refine, review

OUTLINE = ChapterOutline(number=5, title="El muelle", kind="Social", scenes=2)
SUCCESS = Outcome(label="Éxito", degree="success", text="Sale bien.", leads_to="5.2")
PARTIAL = Outcome(label="Éxito parcial", degree="partial", text="Sale a medias.", leads_to="5.2")
FAILURE = Outcome(label="Fallo", degree="failure", text="Sale mal.", leads_to="5.2")
TWO_WAYS = "Una prueba de Carisma (Persuasión) CD 15, o bien una prueba de Sabiduría (Perspicacia) CD 13."
ONE_WAY = "Todo se juega a una prueba de Carisma (Persuasión) CD 15."


def scene(number: int = 1, **values: Any) -> ScenePlan:
    """Return a scene without fault, with some fields changed."""
    action = TWO_WAYS if number % 2 else TWO_WAYS.replace("Persuasión", "Engaño")
    whole: dict[str, Any] = {
        "id": f"5.{number}",
        "title": f"Escena {number}",
        "place": "El muelle.",
        "present": "Los personajes y la Capitana Ferrán.",
        "situation": "Hay que hablar.",
        "player_action": action,
        "outcomes": (SUCCESS, PARTIAL, FAILURE),
        "state_change": "Ya se ha hablado.",
    }
    return ScenePlan.model_validate(whole | values)


def closing(*outcomes: Outcome) -> tuple[Outcome, ...]:
    """Return outcomes that end the chapter."""
    return tuple(outcome.model_copy(update={"leads_to": "end"}) for outcome in outcomes)


LAST = scene(2, outcomes=closing(SUCCESS, PARTIAL, FAILURE))


def kinds(first: ScenePlan, last: ScenePlan = LAST) -> list[tuple[str, str]]:
    """Return the faults found as (kind, scene)."""
    brief = make_brief(canon("es", CAST_ES), OUTLINE, 1)
    return [(p.kind, p.scene) for p in problems_of(brief, Proposal(scenes=(first, last)))]


FAULTS: list[tuple[ScenePlan, list[str]]] = [
    (scene(), []),
    (scene(player_action=ONE_WAY), ["single_roll"]),
    (scene(player_action="Todo se juega a una prueba de Persuasión o Engaño CD 15."), []),
    (scene(outcomes=(SUCCESS, FAILURE)), ["no_partial"]),
    (scene(outcomes=(SUCCESS, PARTIAL, FAILURE.model_copy(update={"leads_to": None}))), ["leads_nowhere"]),
    (scene(outcomes=(SUCCESS, PARTIAL, FAILURE.model_copy(update={"leads_to": "5.9"}))), ["leads_nowhere"]),
    (scene(outcomes=(SUCCESS, PARTIAL, FAILURE.model_copy(update={"text": "Sale bien."}))), ["indistinct"]),
    (scene(player_action=TWO_WAYS.replace("15,", "25,")), ["odds_hard"]),
    (scene(player_action=TWO_WAYS.replace("15,", "5,")), ["odds_easy"]),
    (scene(present="Los personajes y Morgana Vex."), ["unknown_name"]),
    (scene(present="Los personajes, varios lobos de mar y el público."), []),
    (scene(player_action="Decidir si se embarcan.", outcomes=(SUCCESS, PARTIAL, FAILURE)), []),
    (
        scene(
            player_action="Decidir si se embarcan.",
            outcomes=(Outcome(label="Se embarcan", text="Zarpan.", leads_to="5.2"),),
        ),
        [],
    ),
]


@pytest.mark.parametrize(("first", "found"), FAULTS)
def test_faults_of_a_scene(first: ScenePlan, found: list[str]):
    assert kinds(first) == [(kind, "5.1") for kind in found]


def test_the_same_skill_twice_running_is_a_minor_fault():
    brief = make_brief(canon("es", CAST_ES), OUTLINE, 1)
    again = LAST.model_copy(update={"player_action": TWO_WAYS})
    found = problems_of(brief, Proposal(scenes=(scene(), again)))
    assert [(p.kind, p.scene, p.severity) for p in found] == [("same_skill", "5.2", "minor")]


def test_the_engines_odds_win_over_our_arithmetic():
    brief = make_brief(canon("es"), OUTLINE, 1)
    odds = CheckOdds(
        scene="5.1",
        text="prueba de Carisma (Persuasión) CD 15",
        trait="persuasion",
        dc=15,
        best_name="Ulla",
        best_bonus=-1,
        best_chance=0.25,
        mean_chance=0.1,
    )
    found = problems_of(brief, Proposal(scenes=(scene(), LAST)), [odds])
    assert [(p.kind, p.values["best"], p.values["chance"]) for p in found] == [("odds_hard", "Ulla", "25")]


NAMES = [
    ("Los personajes, la Capitana Ferrán y Odalys.", ()),
    ("PJs, Ferrán, Lobo de mar (3).", ()),
    ("Los personajes y la guardia.", ()),
    ("Nadie.", ()),
    ("PJs, Odalys, Tobías el Mudo.", ("Tobías Mudo",)),
]


@pytest.mark.parametrize(("present", "unknown"), NAMES)
def test_names_that_the_cast_does_not_have(present: str, unknown: tuple[str, ...]):
    assert unknown_names(make_brief(canon("es", CAST_ES), OUTLINE, 1), present) == unknown


def base(language: str = "es") -> dict[str, Any]:
    """Return what every task carries."""
    cast = CAST_ES if language == "es" else CAST_EN
    return {"seed": 1, "canon": canon(language, cast), "outline": OUTLINE, "scene_target": 2}


def test_the_reviewers_look_for_different_faults():
    bad = scene(player_action=ONE_WAY, outcomes=(SUCCESS, FAILURE))
    plan = Proposal(scenes=(bad, LAST))
    checker, critic = review("check", plan, base()), review("criticise", plan, base())
    assert [o.field for o in checker.objections] == ["outcomes"]
    assert [o.field for o in critic.objections] == ["player_action"]
    assert checker.verdict == critic.verdict == "refine"
    assert checker.rows[0].marks.outcomes == "bad"
    assert critic.rows[0].marks.action == "bad"
    assert checker.rows[1].marks.outcomes == "good"
    assert all(o.text and o.proposal for o in [*checker.objections, *critic.objections])


def test_an_objection_stays_open_until_the_plan_has_changed():
    plan = Proposal(scenes=(scene(outcomes=(SUCCESS, FAILURE)), LAST))
    raised = review("check", plan, base()).objections[0]
    own = Objection(
        id="O1",
        author="damian",
        raised_in=1,
        answer="Hecho.",
        answer_kind="fixed",
        **raised.model_dump(),
    )
    claimed = review("check", plan, base(), objections=(own,), changed=("5.1",), round=2)
    assert (claimed.closed, claimed.verdict, claimed.objections) == ([], "refine", [])
    mended = Proposal(scenes=(scene(), LAST))
    settled = review("check", mended, base(), objections=(own,), changed=("5.1",), round=2)
    assert (settled.closed, settled.verdict) == (["O1"], "accept")


def test_an_error_of_the_engine_is_no_matter_of_taste():
    note = LintNote(scene="5.1", rule="crit-on-check", severity="error", message="No hay pifias.")
    plan = Proposal(scenes=(scene(), LAST))
    told = review("check", plan, base(), notes=(note,))
    assert told.verdict == "refine"
    assert "No hay pifias." in told.objections[0].text
    assert review("criticise", plan, base(), notes=(note,)).verdict == "accept"


OBJECTED = [
    scene(player_action=ONE_WAY),
    scene(outcomes=(SUCCESS, FAILURE)),
    scene(outcomes=(SUCCESS, PARTIAL, FAILURE.model_copy(update={"leads_to": None}))),
    scene(outcomes=(SUCCESS, PARTIAL, FAILURE.model_copy(update={"text": "Sale bien."}))),
    scene(player_action=TWO_WAYS.replace("15,", "25,")),
    scene(present="Los personajes, Odalys, Morgana Vex."),
    scene(
        player_action=ONE_WAY.replace("15", "30"), outcomes=(SUCCESS, FAILURE), present="Morgana Vex, Odalys."
    ),
]


@pytest.mark.parametrize("bad", OBJECTED)
def test_a_plan_by_somebody_else_is_mended_and_then_accepted(bad: ScenePlan):
    plan = Proposal(scenes=(bad, LAST))
    replies = {kind: review(kind, plan, base()) for kind in ("check", "criticise")}
    objections = [
        Objection(id=f"{kind}{i}", author="damian", raised_in=1, **draft.model_dump())
        for kind, reply in replies.items()
        for i, draft in enumerate(reply.objections)
    ]
    assert objections
    revision = refine(plan, base(), objections)
    assert [s.id for s in revision.scenes] == ["5.1"]
    assert {a.objection for a in revision.answers} == {o.id for o in objections}
    assert {a.kind for a in revision.answers} == {"fixed"}
    mended = merged(plan, revision)
    assert mended.scenes[1] == LAST
    for kind in replies:
        assert review(kind, mended, base(), round=2, changed=("5.1",)).verdict == "accept"


FREE = [
    ("5.1", "situation", "Que se note la urgencia."),
    ("5.1", "player_action", "No entiendo qué pueden hacer."),
    ("5.2", "outcomes", "Los finales me saben a poco."),
    ("5.2", "", "Le falta algo."),
    ("5", "", "Más ritmo en general, por favor."),
]


@pytest.mark.parametrize(("where", "field", "text"), FREE)
@pytest.mark.parametrize("own", [True, False])
def test_a_designers_wish_in_any_words_changes_the_plan(where: str, field: str, text: str, own: bool):
    given = base()
    plan = debate(given["canon"], OUTLINE, 1, 2).plan if own else Proposal(scenes=(scene(), LAST))
    wish = Objection(
        id="O7", author="designer", scene=where, field=field, severity="major", raised_in=1, text=text
    )
    revision = refine(plan, given, [wish])
    assert len(revision.scenes) == 1
    assert revision.scenes[0].id == (where if "." in where else "5.1")
    assert [(a.objection, a.kind) for a in revision.answers] == [("O7", "fixed")]
    for kind in ("check", "criticise"):
        assert review(kind, merged(plan, revision), given, round=2).verdict == "accept"


def test_an_objection_to_what_is_no_longer_so_is_argued_not_obeyed():
    plan = Proposal(scenes=(scene(), LAST))
    gone = Objection(
        id="O1",
        author="damian",
        scene="5.8",
        severity="major",
        raised_in=1,
        text="La escena 5.8 no tiene éxito parcial.",
    )
    assert [a.objection for a in refine(plan, base(), [gone]).answers] == ["O1"]


def test_only_scenes_under_objection_come_back():
    given = base()
    plan = propose(given["canon"], OUTLINE, 3, 6)
    replies = [review(kind, plan, {**given, "seed": 3}) for kind in ("check", "criticise")]
    drafts = [draft for reply in replies for draft in reply.objections]
    objections = [
        Objection(id=f"O{i}", author="ruben", raised_in=1, **draft.model_dump())
        for i, draft in enumerate(drafts)
    ]
    revision = refine(plan, {**given, "seed": 3, "scene_target": 6}, objections)
    assert {s.id for s in revision.scenes} == {o.scene for o in objections}
