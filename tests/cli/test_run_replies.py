"""`concilio run` at a table whose models answer in ways that must never pass for a plan or for consent."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.fake_model import FakeModel
from tests.table_scripts import ACCEPT, PLAN, SCENE_1, SCENE_2, table_script

pytestmark = pytest.mark.usefixtures("litellm_loaded")
Runner = Callable[..., Any]

IN_ENGLISH = (
    "Both scenes can be run tonight: the climb has a price, the guard has her reasons, and every outcome "
    "leads somewhere that the party can use.\n\nVERDICT: accept"
)
PLAN_IN_ENGLISH = """### Chapter 1 · Scene 1.1 — The wall
- PLACE: The wall of the tower.
- PRESENT: The party, Mirel.
- INITIAL SITUATION: Mirel keeps watch from the only window while water runs down the stones.
- PLAYER ACTION: Climb the wall with a DC 12 Strength (Athletics) check.
- POSSIBLE OUTCOMES:
    - Success: The party reaches the window before Mirel looks up. (→ end)
    - Failure: Mirel cries out, and the party comes in through the flooded cellar. (→ end)
- STATE CHANGE: The party is inside the tower.
"""


def test_a_review_in_another_language_is_no_verdict(at_table: Runner, fake_model: FakeModel) -> None:
    """Asked again once; then it counts as none, says why, and is not asked for its verdict alone."""
    done = at_table(table_script(damian={"reply": IN_ENGLISH, "repeat": True}), "--rounds", "1")
    assert (done.status, done.chapter.ending) == (1, "max_rounds")
    assert len(fake_model.of("damian")) == 2
    assert "otro idioma" in done.markdown
    assert [o.field for o in done.chapter.ledger.open()] == ["verdict"]


def test_a_short_verdict_has_no_language(at_table: Runner) -> None:
    """A plain acceptance is understood in either."""
    assert at_table(table_script(damian="VERDICT: accept")).status == 0


def test_a_plan_in_another_language_is_none(at_table: Runner, fake_model: FakeModel) -> None:
    """The debate fails, and says why."""
    done = at_table(table_script(iris={"reply": PLAN_IN_ENGLISH, "repeat": True}))
    assert (done.status, done.chapter.ending) == (1, "failed")
    assert "otro idioma" in done.out + done.markdown
    assert len(fake_model.of("iris")) == 2
    assert fake_model.of("damian") == []


def test_a_review_that_a_filter_held_back_is_no_verdict(at_table: Runner, fake_model: FakeModel) -> None:
    """Whatever it let through."""
    held = {"reply": ACCEPT, "finish_reason": "content_filter", "repeat": True}
    done = at_table(table_script(ruben=held), "--rounds", "1")
    assert (done.status, done.chapter.ending) == (1, "max_rounds")
    assert "filtro" in done.markdown


ALL_BAD = "MARCAS | acción: mal | cambio de estado: mal | resultados: mal | ritmo: mal | números: mal\n\n"


def test_an_acceptance_of_what_is_all_bad_is_none(at_table: Runner, fake_model: FakeModel) -> None:
    """It becomes an objection that Iris must answer."""
    done = at_table(table_script(damian=ALL_BAD + ACCEPT), "--rounds", "1")
    assert (done.status, done.chapter.ending) == (1, "max_rounds")
    (objection,) = done.chapter.ledger.open()
    assert (objection.author, objection.severity) == ("damian", "blocker")
    assert "acción, cambio de estado" in objection.text


def test_an_acceptance_with_a_blocker_of_its_own_is_none(at_table: Runner) -> None:
    """The judge counts blockers, not praise."""
    blocker = "OBJECIÓN | escena 1.2 | resultados | bloqueante | el fallo no lleva a nada | que lleve\n\n"
    done = at_table(table_script(ruben=blocker + ACCEPT), "--rounds", "1")
    assert (done.status, done.chapter.ending) == (1, "max_rounds")


def test_an_outcome_without_a_label_bars_acceptance(at_table: Runner) -> None:
    """Nobody can tell when it happens."""
    nameless = PLAN.replace("- Éxito: El grupo llega a la ventana", "- El grupo llega a la ventana")
    assert nameless != PLAN
    done = at_table(table_script(iris=nameless), "--rounds", "1")
    assert (done.status, done.chapter.ending) == (1, "max_rounds")
    assert any("llega a la ventana" in o.text for o in done.chapter.ledger.open())


def _scenes(count: int) -> str:
    middle = [SCENE_1.replace("1.1", f"1.{n}").replace("(→ 1.2)", f"(→ 1.{n + 1})") for n in range(1, count)]
    return "\n\n".join([*middle, SCENE_2.replace("1.2", f"1.{count}")])


def test_a_plan_of_far_more_scenes_is_an_objection(at_table: Runner) -> None:
    """Where it can still be read."""
    done = at_table(table_script(iris=_scenes(7)), "--rounds", "1")
    assert (done.status, done.chapter.ending) == (1, "max_rounds")
    assert any((o.author, o.field) == ("engine", "scene-count") for o in done.chapter.ledger.open())


def test_sixty_scenes_are_not_read_and_nothing_is_written(at_table: Runner, fake_model: FakeModel) -> None:
    """Asked again with the numbers; where it stays so, the debate fails and says why."""
    done = at_table(table_script(iris={"reply": _scenes(60), "repeat": True}))
    assert (done.status, done.chapter.ending) == (1, "failed")
    assert "60" in fake_model.of("iris")[1].last
    assert "60 escenas" in done.out
    assert fake_model.of("prose") == []


def test_what_a_model_is_told_of_its_reply_is_in_the_adventure_s_language(
    at_table: Runner, fake_model: FakeModel
) -> None:
    """Prompts do not mix languages."""
    broken: dict[str, Any] = {"json": {"scenes": [], "removed": 5}}
    at_table(table_script(iris=[broken, "nada", PLAN]))
    told = [r.last for r in fake_model.of("iris")[1:]]
    assert "no hay ninguna escena" in told[0]
    assert not any(word in " ".join(told) for word in ("there is", "Field required", "Input should"))


def test_a_long_wait_is_told_and_one_beyond_the_longest_ends_it(
    at_table: Runner, fake_model: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With who asks for it, how long, and what to change."""
    busy = {"status": 429, "retry_after": 4000, "reply": "cola llena", "repeat": True}
    done = at_table(table_script(iris=busy))
    assert done.status == 3
    assert "4000 s" in done.out + done.err
    assert "longest_wait_s" in done.out + done.err
    assert len(fake_model.of("iris")) == 1


def test_no_credit_ends_the_run_at_once(at_table: Runner, fake_model: FakeModel) -> None:
    """In two lines that say what to do."""
    error = {"message": "You exceeded your current quota.", "code": "insufficient_quota"}
    done = at_table(table_script(iris={"status": 429, "body": {"error": error}, "repeat": True}))
    assert done.status == 3
    assert "crédito" in done.out + done.err
    assert len(fake_model.of("iris")) == 1
