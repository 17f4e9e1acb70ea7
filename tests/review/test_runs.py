"""A run pauses for its designer, for days if it must, and goes on as decided; nothing is paid twice."""

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from concilio.batch.runs import run_row
from concilio.chapterfile.reader import read_chapter
from concilio.cli import review_terminal
from concilio.cli.main import run_command_line
from concilio.domain.debate import ObjectionDraft
from concilio.domain.plan import ScenePlan
from concilio.review import Decision, pending
from tests.review.conftest import Seat
from tests.table_scripts import ACCEPT, PLAN, REFINE, SCENE_2, table_script

FIXED = f"{SCENE_2}\n\nRESPUESTA O2 | corregida | la guardia acude a la llamada\n"


def edited_plan(seat: Seat, before: str, after: str) -> ScenePlan:
    scene = seat.pause.plan.scenes[1]
    assert before in scene.place
    return scene.model_copy(update={"place": scene.place.replace(before, after)})


def test_a_run_waits_where_nobody_sits_and_goes_on_when_it_is_accepted(seat: Seat) -> None:
    assert seat.begin(table_script(), "--review") == 1
    assert f"concilio resume {seat.run} --review" in seat.err
    assert not list(seat.run.glob("capitulo*"))
    assert run_row(seat.run).state == "waiting"
    assert run_row(seat.run).resumable
    assert (seat.pause.kind, seat.pause.ending, len(seat.pause.plan.scenes)) == ("plan", "accepted", 2)
    asked = len(seat.model.requests)
    assert seat.resume() == 1, "nobody has decided"
    assert len(seat.model.requests) == asked
    seat.decide("accept")
    assert pending(seat.run) is None
    assert seat.resume() == 0
    assert seat.chapter.ending == "accepted"
    assert [m.agent for m in seat.chapter.debate][-1] == "designer"
    debate = [r for r in seat.model.requests if r.model in ("iris", "damian", "ruben")]
    assert len(debate) == 3, "nothing of the debate was asked again"


def test_an_edit_is_what_the_next_round_sees(seat: Seat) -> None:
    seat.begin(table_script(iris=[PLAN, FIXED]), "--review")
    objection = ObjectionDraft(scene="1.1", severity="major", text="Mirel sees nothing", proposal="A lamp")
    seat.decide("round", scenes=(edited_plan(seat, "alta", "del pozo"),), objections=(objection,))
    assert seat.resume() == 1, "it waits once more"
    revision = seat.model.of("iris")[-1].messages[-1]["content"]
    assert "Mirel sees nothing" in revision
    assert "El diseñador ha escrito esta escena" in revision
    for reviewer in ("damian", "ruben"):
        told = seat.model.of(reviewer)[-1].messages[-1]["content"]
        assert "La sala del pozo." in told
        assert "El diseñador ha escrito esta escena" in told
        assert "Han cambiado desde la ronda anterior: 1.2" in told
    (own,) = [o for o in seat.pause.ledger.objections if o.author == "designer"]
    assert own.state == "open"
    assert seat.pause.plan.scenes[1].place == "La sala del pozo."


def test_iris_does_not_write_over_what_the_designer_has_written(seat: Seat) -> None:
    """She writes the whole scene that Rubén objects to: the designer's field stands, the rest is hers."""
    revision = FIXED.replace("La sala alta.", "La sala de Iris.").replace("O2", "O1")
    hers = revision.replace("La llave ya no está en la torre.", "La llave está a salvo.")
    assert hers != revision != FIXED.replace("O2", "O1")
    seat.begin(table_script(iris=[PLAN, hers], ruben=[REFINE, ACCEPT]), "--review", "--rounds", "1")
    assert [o.scene for o in seat.pause.ledger.open()] == ["1.2"]
    seat.decide("round", scenes=(edited_plan(seat, "alta", "del pozo"),))
    seat.resume()
    scene = seat.pause.plan.scenes[1]
    assert scene.place == "La sala del pozo."
    assert scene.state_change == "La llave está a salvo."
    assert "La sala del pozo." in seat.model.of("ruben")[-1].messages[-1]["content"]


def test_iris_does_not_take_out_a_scene_that_the_designer_has_written(seat: Seat) -> None:
    gone = "ELIMINADAS: 1.2\n\nRESPUESTA O1 | corregida | fuera\n"
    seat.begin(table_script(iris=[PLAN, gone], ruben=[REFINE, ACCEPT]), "--review", "--rounds", "1")
    seat.decide("round", scenes=(edited_plan(seat, "alta", "del pozo"),))
    seat.resume()
    assert [s.place for s in seat.pause.plan.scenes][1:] == ["La sala del pozo."]


def test_an_own_objection_that_is_answered_and_waived_is_waived(seat: Seat) -> None:
    answered = FIXED.replace("O2", "O1")
    objection = ObjectionDraft(scene="1.2", severity="major", text="Mirel sees nothing", proposal="A lamp")
    seat.begin(table_script(iris=[PLAN, answered]), "--review", "--rounds", "1")
    seat.decide("round", objections=(objection,))
    seat.resume()
    (own,) = seat.pause.ledger.open()
    assert own.answer_kind == "fixed"
    seat.decide("accept", waived=(own.id,))
    assert seat.resume() == 0
    assert [o.state for o in seat.chapter.ledger.objections] == ["waived"]


def test_an_edit_alone_goes_to_the_reviewers_without_iris(seat: Seat) -> None:
    seat.begin(table_script(), "--review")
    seat.decide("round", scenes=(edited_plan(seat, "alta", "del pozo"),))
    seat.resume()
    assert len(seat.model.of("iris")) == 1
    assert len(seat.model.of("damian")) == 2
    assert "La sala del pozo." in seat.model.of("ruben")[-1].messages[-1]["content"]
    assert seat.pause.round == 2
    seat.decide("accept")
    assert seat.resume() == 0
    (path,) = seat.run.glob("capitulo*.md")
    assert "La sala del pozo." in path.read_text(encoding="utf-8")


def test_accepting_over_open_objections_is_said_in_the_file_and_the_summary(seat: Seat) -> None:
    seat.begin(table_script(ruben=REFINE), "--review", "--rounds", "1")
    assert seat.pause.ending == "max_rounds"
    (theirs,) = seat.pause.ledger.open()
    seat.decide("accept")
    assert seat.resume() == 0, "it is grave, and bars nothing"
    assert seat.chapter.ending == "accepted"
    assert f"by the designer's word; still open: {theirs.id}" in seat.out
    (path,) = seat.run.glob("capitulo*.md")
    assert "Por palabra del diseñador" in path.read_text(encoding="utf-8")
    seat.command("check", str(path))
    assert "accepted-unresolved" not in seat.out


def test_accepting_over_a_blocker_ends_unresolved_and_marks_the_chapter(seat: Seat) -> None:
    blocking = REFINE.replace("| grave |", "| bloqueante |")
    seat.begin(table_script(ruben=blocking), "--review", "--rounds", "1")
    assert [o.severity for o in seat.pause.ledger.open()] == ["blocker"]
    seat.decide("accept")
    assert seat.resume() == 1
    (path,) = seat.run.glob("capitulo*.md")
    first_lines = path.read_text(encoding="utf-8")[:400]
    assert "Por palabra del diseñador; sigue sin resolver 1 objeción bloqueante." in first_lines
    assert "el fallo no tiene precio" in first_lines
    assert read_chapter(path.read_text(encoding="utf-8")) == seat.chapter


def test_what_is_waived_stays_so(seat: Seat) -> None:
    seat.begin(table_script(ruben=REFINE), "--review", "--rounds", "1")
    (theirs,) = seat.pause.ledger.open()
    seat.decide("round", waived=(theirs.id,))
    seat.resume()
    assert [o.state for o in seat.pause.ledger.objections] == ["waived"], "he raises it again in vain"


def test_a_decision_on_another_version_is_damage_and_no_endless_question(seat: Seat) -> None:
    seat.begin(table_script(), "--review")
    version = seat.pause.version
    foreign = Decision(version="f" * 32, action="accept").model_dump_json()
    (seat.run / "review" / f"{version}.decision.json").write_text(foreign, encoding="utf-8")
    assert seat.resume() == 2
    assert f"{version}.decision.json" in seat.err
    assert "Traceback" not in seat.err


def test_stop_ends_the_chapter_without_prose(seat: Seat) -> None:
    seat.begin(table_script(), "--review")
    seat.decide("stop")
    assert seat.resume() == 1
    assert seat.chapter.ending == "stopped"
    assert not seat.model.of("prose")
    assert len(seat.chapter.plan.scenes) == 2


def test_every_round_and_the_prose(seat: Seat) -> None:
    """With `all`: a round that is not the last, the end of the debate, the prose, and its amendment."""
    mended = {"when": "Falta niebla", "reply": "[1]\nLa niebla sube por el muro.\n", "repeat": True}
    script = table_script(iris=[PLAN, SCENE_2 + "\nRESPUESTA O1 | corregida | ya"], ruben=[REFINE, ACCEPT])
    script["models"]["prose"].insert(0, mended)
    seat.begin(script, "--review", "all")
    kinds = [seat.pause.kind]
    seat.decide("round")
    seat.resume()
    kinds.append(seat.pause.kind)
    seat.decide("accept")
    seat.resume()
    kinds.append(seat.pause.kind)
    assert set(seat.pause.prose) == {"1.1", "1.2"}
    seat.decide("round", objections=(ObjectionDraft(scene="1.1", text="Falta niebla"),))
    seat.resume()
    assert kinds == ["round", "plan", "prose"]
    assert "La niebla sube" in seat.pause.prose["1.1"]
    written = seat.pause.prose["1.2"].replace("El gancho", "El garfio")
    seat.decide("accept", prose={"1.2": written})
    asked = len(seat.model.requests)
    seat.resume()
    assert len(seat.model.requests) == asked
    assert "El garfio" in seat.chapter.scenes[1].prose
    assert "La niebla sube" in seat.chapter.scenes[0].prose
    assert [o.state for o in seat.chapter.ledger.objections if o.author == "designer"] == ["fixed"]


def test_a_pause_that_is_taken_out_of_the_settings_is_passed(seat: Seat) -> None:
    seat.begin(table_script(), "--review")
    assert seat.resume("--review", "none") == 0
    assert seat.chapter.ending == "accepted"
    assert pending(seat.run) is None


def test_the_same_decisions_make_the_same_chapter_from_the_journal(seat: Seat) -> None:
    """The checkpoints are lost, as after a crash of the disk: journal and decisions are enough."""
    seat.begin(table_script(), "--review", "plan")
    seat.decide("round", scenes=(edited_plan(seat, "alta", "del pozo"),))
    seat.resume()
    seat.decide("accept")
    seat.resume()
    first, asked = seat.chapter, len(seat.model.requests)
    for path in (*seat.run.glob("checkpoints*"), *seat.run.glob("capitulo*")):
        path.unlink()
    assert seat.resume() == 0
    assert seat.chapter == first
    assert len(seat.model.requests) == asked


def test_the_terminal(
    seat: Seat, typed: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken edit is explained and kept, a second one is taken; an objection, another round, acceptance."""
    editor = tmp_path / "editor.sh"
    editor.write_text(
        "#!/bin/sh\n"
        'if grep -q "CAMBIO" "$1"; then sed -i "s/^- CAMBIO.*//; s/La sala alta/La sala baja/" "$1"\n'
        'else echo "- CAMBIO DE ESTADO: La llave ya no cuelga." >> "$1"; fi\n',
        encoding="utf-8",
    )
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    monkeypatch.setenv("EDITOR", str(editor))
    typed("x", "e", "1.2", "y", "o", "1.1", "Mirel duerme", "major", "", "r", "a")
    assert seat.begin(table_script(iris=[PLAN, "RESPUESTA O1 | rebatida | no\n"]), "--review") == 0
    assert "Scene 1.2: missing or empty: state change" in seat.err
    assert "Not understood. You can: [a]ccept" in seat.err
    assert seat.chapter.plan.scenes[1].place == "La sala baja."
    (own,) = [o for o in seat.chapter.ledger.objections if o.author == "designer"]
    assert own.text == "Mirel duerme"


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Sets what the editor does to the file that it is given, as a line of a shell."""

    def use(line: str) -> None:
        script = tmp_path / "editor.sh"
        script.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        script.chmod(0o755)
        for name in ("VISUAL", "EDITOR"):
            monkeypatch.setenv(name, str(script))

    return use


def test_what_is_not_sent_is_kept_for_the_next_time(
    seat: Seat, typed: Callable[..., None], editor: Callable[[str], None]
) -> None:
    editor('sed -i "s/La sala alta/La sala baja/" "$1"')
    typed("e", "1.2", "o", "1.1", "Mirel duerme", "major", "", "q")
    assert seat.begin(table_script(), "--review") == 1
    assert "What you have said so far is kept for then." in seat.err
    typed("s", "a")
    assert seat.resume("--review") == 0
    assert "Edits 1.2. Objects to 1.1." in seat.err
    assert seat.chapter.plan.scenes[1].place == "La sala baja."
    assert not list(seat.run.glob("review/unsent*"))


def test_what_was_said_at_a_terminal_outlasts_a_decision_made_elsewhere(
    seat: Seat, typed: Callable[..., None], editor: Callable[[str], None]
) -> None:
    editor('sed -i "s/La sala alta/La sala baja/" "$1"')
    typed("e", "1.2", "q")
    seat.begin(table_script(), "--review")
    seat.decide("accept", waived=())
    assert seat.resume() == 0
    (kept,) = seat.run.glob("review/unsent*")
    assert "La sala baja." in kept.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "line", ["printf '\\377\\376\\000' > \"$1\"", 'rm "$1"', 'printf "caf\\351" >> "$1"', "exit 3"]
)
def test_what_an_editor_does_is_no_crash(
    seat: Seat, typed: Callable[..., None], editor: Callable[[str], None], line: str
) -> None:
    editor(line)
    typed("o", "1.1", "Mirel duerme", "major", "", "e", "1.2", "q")
    assert seat.begin(table_script(), "--review") == 1
    assert "Nothing is decided." in seat.err
    assert "The editor left no text that can be read" in seat.err
    assert not list(seat.folder.rglob("crash*"))
    (kept,) = seat.run.glob("review/unsent*")
    assert "Mirel duerme" in kept.read_text(encoding="utf-8")


def test_no_text_of_a_model_is_obeyed_by_the_terminal(seat: Seat, typed: Callable[..., None]) -> None:
    hostile = REFINE.replace("no tiene precio", "no \x1b]0;PWN\x07\x1b[31m\u202etiene precio")
    typed("a")
    seat.begin(table_script(ruben=hostile), "--review", "--rounds", "1")
    assert "PWN" in seat.err
    assert not {"\x1b", "\x07", "\u202e"} & set(seat.err + seat.out)


def test_a_draft_is_of_its_pause_and_an_emptied_one_is_given_up(
    seat: Seat, typed: Callable[..., None], editor: Callable[[str], None]
) -> None:
    editor('sed -i "s/^- CAMBIO.*//" "$1"')
    typed("e", "1.2", "n", "q")
    seat.begin(table_script(), "--review")
    (draft,) = seat.run.glob("review/draft*")
    editor(': > "$1"')
    typed("e", "1.2", "q")
    assert seat.resume("--review") == 1
    assert "Nothing is changed." in seat.err or "changed" in seat.err
    assert not draft.exists()


def test_an_unresolved_debate_is_asked_about_at_the_terminal(seat: Seat, typed: Callable[..., None]) -> None:
    """`on_unresolved: ask` is a pause like any other: who leaves may decide later, and elsewhere."""
    typed("q")
    flags = ("--rounds", "1", "--on-unresolved", "ask")
    assert seat.begin(table_script(ruben=REFINE), *flags) == 1
    assert (seat.pause.kind, seat.pause.ending) == ("plan", "max_rounds")
    assert seat.resume() == 1, "nobody sits there, and the question stands"
    seat.decide("accept")
    assert seat.resume() == 0
    assert len(seat.chapter.scenes) == 2


def test_an_agreed_plan_is_not_asked_about(seat: Seat, typed: Callable[..., None]) -> None:
    typed()
    assert seat.begin(table_script(), "--on-unresolved", "ask") == 0


def test_a_terminal_that_waits_goes_on_from_a_decision_made_elsewhere(
    seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody types anything there."""
    theirs, mine = os.pipe()
    ended = threading.Event()

    def decide_elsewhere() -> None:
        while not (list((seat.folder / "out").glob("*/review/now.json")) or ended.wait(0.02)):
            pass
        seat.decide("accept")

    elsewhere = threading.Thread(target=decide_elsewhere)
    with os.fdopen(theirs, encoding="utf-8") as terminal, os.fdopen(mine, "w"):
        monkeypatch.setattr(review_terminal, "somebody_is_there", lambda: True)
        monkeypatch.setattr(sys, "stdin", terminal)
        elsewhere.start()
        try:
            assert seat.begin(table_script(), "--review") == 0
        finally:
            ended.set()
            elsewhere.join()
    assert "It has been decided meanwhile" in seat.err
    assert seat.chapter.ending == "accepted"


@pytest.mark.parametrize("lines", [("q",), (), ("t", "n", "q"), ("w", "q")])
def test_who_leaves_the_terminal_has_decided_nothing(
    seat: Seat, typed: Callable[..., None], lines: tuple[str, ...]
) -> None:
    typed(*lines)
    assert seat.begin(table_script(), "--review") == 1
    assert "Nothing is decided. To go on: concilio resume" in seat.err
    assert run_row(seat.run).state == "waiting"
    assert seat.pause.kind == "plan"


def test_the_list_of_runs_says_how_to_decide(seat: Seat, capsys: pytest.CaptureFixture[str]) -> None:
    seat.begin(table_script(), "--review")
    run_command_line(["runs", "--out", "out"])
    (told,) = (line for line in capsys.readouterr().out.splitlines() if "concilio resume" in line)
    assert told.endswith(f"concilio resume out/{seat.run.name} --review")
