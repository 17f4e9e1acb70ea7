"""`concilio playtest`: what it prints, draws and refuses."""

import json
import xml.etree.ElementTree as Tree
from pathlib import Path
from typing import Any

import pytest

from concilio.catalogue import has_text
from concilio.chapterfile.json_file import dump_chapter
from concilio.chapterfile.render import render_chapter
from concilio.cli.main import run_command_line
from concilio.domain.base import Language
from concilio.domain.chapter import Chapter, Provenance
from concilio.domain.plan import Outcome, Proposal, ScenePlan
from tests.playtest.chapters import Scene, chapter

SHARED = Path(__file__).parents[3] / "shared"
ADVENTURE = SHARED / "cases" / "banquete.adventure.md"
SVG = "{http://www.w3.org/2000/svg}"
SCENE = ScenePlan(
    id="3.1",
    title="Escalera",
    place="Torre.",
    present="El grupo.",
    situation="De noche.",
    player_action="Sigilo (CD 15).",
    outcomes=(Outcome(label="Éxito", text="Pasan."), Outcome(label="Fallo", text="Los ven.")),
    state_change="Nada.",
)
HOSTILE = "Éxito <script>alert(1)</script> & \u001b[31m{0} %s: Pasan. (→ 3.2)"
SCENES = [
    Scene("Sigilo (CD 15).", (HOSTILE, "Fallo: Los ven. (→ fin)")),
    Scene("Hablan.", ("Acuerdo: Firman. (→ 3.1)", "Riña: Se van. (→ fin)")),
]


@pytest.fixture(autouse=True, params=["es", "en"])
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every test runs in both languages."""
    monkeypatch.setenv("CONCILIO_LANG", request.param)
    return str(request.param)


class Printed:
    """What a command left."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.out)


@pytest.fixture
def playtest(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: str) -> Printed:
        status = run_command_line(["playtest", *arguments])
        captured = capsys.readouterr()
        return Printed(status, captured.out, captured.err)

    return run


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "chapter.md"
    path.write_text(chapter("es", SCENES).source, encoding="utf-8")
    return str(path)


def seed(name: str) -> str:
    path = SHARED / "seeds" / name
    if not path.is_file() or not ADVENTURE.is_file():
        pytest.skip("the user's texts are not beside this repository")
    return str(path)


def test_the_seed_of_chapter_4_tells_its_three_consequences(playtest: Any) -> None:
    found = playtest(seed("capitulo_04.es.md"), "--adventure", str(ADVENTURE), "--format", "json")
    assert found.status == 0
    told = found.json["consequences"]
    assert [one["scene"] for one in told] == ["4.3"] * 3
    # Lyra's +9 against 15: 75 %, then Kaelen's +9 with advantage against 12; else against 15, plainly.
    eased = {"fail": 0.1**2, "near": 0.1**2}
    clean = 0.75 * (1 - eased["fail"]) + 0.25 * 0.75
    near = 0.75 * eased["near"] + 0.25 * 0.2
    assert [one["chance"] for one in told] == pytest.approx([clean, near, 1 - clean - near])
    assert found.json["best"] == pytest.approx(clean)


def test_the_seed_of_chapter_4_in_words(playtest: Any, language: str) -> None:
    found = playtest(seed("capitulo_04.es.md"))
    assert found.status == 0
    heading = {"es": "Consecuencias escalonadas", "en": "Graded consequences"}[language]
    section = found.out.split(heading)[1].split("\n\n")[0].strip().splitlines()
    assert len([line for line in section if "%" in line]) == 3
    assert all(len(line) <= 80 for line in section)
    told = " ".join(line.strip() for line in section)
    assert "…" not in told  # each is told whole, on as many lines as it takes
    assert "la guardia se pone en alerta" in told
    assert "Salto directo al combate del Cap 5." in told


def test_the_seed_of_chapter_5_names_what_leads_nowhere(playtest: Any, language: str) -> None:
    path = seed("capitulo_05.es.md")
    dead = playtest(path, "--adventure", str(ADVENTURE), "--format", "json").json["dead_ends"]
    named = {(one["scene"], one["label"]) for one in dead}
    assert ("5.1", "Fallo en cobertura") in named
    assert ("5.4", "Intento fallado") in named
    assert ("5.4", "Rescatan a Vaelen") not in named  # it says what changes in the next chapter
    assert ("5.5", "") in named
    shown = playtest(path).out.split({"es": "No llevan a ninguna parte", "en": "Lead nowhere"}[language])[1]
    assert "Fallo en cobertura" in shown


def test_the_seed_of_chapter_5_weighs_its_fights_by_both_budgets(playtest: Any) -> None:
    fights = playtest(seed("capitulo_05.es.md"), "--adventure", str(ADVENTURE), "--format", "json").json[
        "encounters"
    ]
    first = fights[0]
    assert first["foes"] == [["Xylanth", 1], ["Guardia de Honor", 4]]
    assert first["degrees"] == {"2014": "deadly", "2024": "high"}
    assert first["win"] < 0.05
    assert first["losses"] > 3
    assert 1 < first["rounds"] < 10
    assert first["xp"] == 10_000 + 4 * 700
    # Four of level 5: 250, 500, 750 and 1,100 for each; 500, 750 and 1,100.
    assert first["budgets"]["2014"] == {"easy": 1000, "medium": 2000, "hard": 3000, "deadly": 4400}
    assert first["budgets"]["2024"] == {"low": 2000, "moderate": 3000, "high": 4400}
    assert first["left_out"] == ["Xylanth"]


def test_a_chapter_is_drawn_and_told(playtest: Any, file: str, tmp_path: Path) -> None:
    picture = tmp_path / "chapter.svg"
    found = playtest(file, "--svg", str(picture), "--level", "3")
    assert found.status == 0
    assert "\u001b" not in found.out
    tree = Tree.parse(picture).getroot()
    boxes = [rect for rect in tree.iter(f"{SVG}rect") if rect.get("class") == "b"]
    texts = ["".join(text.itertext()) for text in tree.iter(f"{SVG}text")]
    assert len(boxes) == 2
    assert sum("→" in text for text in texts) == 4
    assert any("<script>" in text for text in texts)
    assert not list(tree.iter(f"{SVG}script"))


def test_the_object_holds_together(playtest: Any, file: str) -> None:
    found = playtest(file, "--format", "json").json
    assert [scene["id"] for scene in found["scenes"]] == ["3.1", "3.2"]
    for scene in found["scenes"]:
        assert sum(way["chance"] for way in scene["ways"]) == pytest.approx(1)
    assert sum(end["chance"] for end in found["ends"]) == pytest.approx(1)
    assert found["party"][0]["level"] == 1


def test_same_chapter_same_bytes(playtest: Any, file: str) -> None:
    first = playtest(file, "--format", "json").out
    assert playtest(file, "--format", "json").out == first


def test_the_level_of_the_default_party_counts(playtest: Any, file: str) -> None:
    chances = [
        playtest(file, "--level", n, "--format", "json").json["scenes"][0]["ways"][0]["chance"]
        for n in ("1", "17")
    ]
    assert chances[1] > chances[0]


def test_a_terminal_without_blocks_gets_plain_signs(
    playtest: Any, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("concilio.cli.playtest_output._can_draw", lambda: False)
    assert "█" not in playtest(file).out
    assert "#" in playtest(file).out


BAD: list[tuple[list[str], str]] = [
    (["{folder}/none.md"], "none.md"),
    (["{folder}"], ""),
    (["{folder}/prose.md"], "prose.md"),
    (["{file}", "--adventure", "{folder}/none.md"], "none.md"),
    (["{file}", "--adventure", "{file}", "--level", "3"], "--level"),
    (["{file}", "--svg", "{folder}"], "{folder}"),
    (["{file}", "--level", "21"], "--level"),
]


@pytest.mark.parametrize(("arguments", "named"), BAD)
def test_what_cannot_be_played_is_one_line(
    playtest: Any, file: str, tmp_path: Path, arguments: list[str], named: str
) -> None:
    (tmp_path / "prose.md").write_text("Una tarde de lluvia en el puerto.\n", encoding="utf-8")
    values = {"{folder}": str(tmp_path), "{file}": file}
    for key, value in values.items():
        *arguments, named = [argument.replace(key, value) for argument in (*arguments, named)]
    found = playtest(*arguments)
    assert found.status == 2
    assert found.out == ""
    assert named in found.err
    assert "Traceback" not in found.err


def test_a_chapters_json_is_played_as_its_markdown(playtest: Any, tmp_path: Path, language: Language) -> None:
    made = Chapter(
        adventure="La torre",
        language=language,
        number=3,
        title="La subida",
        ending="accepted",
        plan=Proposal(scenes=(SCENE,)),
        provenance=Provenance(seed=1, ruleset="srd5e"),
    )
    (tmp_path / "c.json").write_text(dump_chapter(made), encoding="utf-8")
    (tmp_path / "c.md").write_text(render_chapter(made), encoding="utf-8")
    told = playtest(str(tmp_path / "c.json"))
    assert told.status == 0
    assert told.out == playtest(str(tmp_path / "c.md")).out


@pytest.mark.parametrize("text", ["{", '{"a": 1}', '{"schema_version": 999}'])
def test_json_that_is_no_chapter_is_one_line(playtest: Any, tmp_path: Path, text: str) -> None:
    (tmp_path / "c.json").write_text(text, encoding="utf-8")
    found = playtest(str(tmp_path / "c.json"))
    assert found.status == 2
    assert "c.json" in found.err
    assert found.err.count("\n") == 1
    assert ".." not in found.err


def test_that_there_is_no_fight_is_said(playtest: Any, file: str, language: str) -> None:
    heading, none = {"es": ("Combates", "Ninguno"), "en": ("Fights", "None")}[language]
    assert none in playtest(file).out.split(heading)[1].split("\n\n")[0]


def test_every_code_has_its_words(language: str) -> None:
    codes = ["near", "far", "no_roll", "decision", "opponent", "no_dc", "no_trait", "links", "some_advantage"]
    names = [f"playtest.note.{code}" for code in codes]
    names += [f"playtest.{why}" for why in ("unknown_scene", "no_outcomes", "unstated")]
    names += [f"playtest.problem.{code}" for code in ("no_scenes", "no_party", "too_large")]
    assert [name for name in names if not has_text(name, language)] == []


def test_lines_fit_a_terminal_and_columns_add_up(playtest: Any, tmp_path: Path, language: str) -> None:
    path = tmp_path / "chapter.md"
    people = ("PJs, 3 goblins, 2 ogros.", "Atacan los goblins y los ogros.")
    outcomes = ("Éxito: Pasan. (→ 3.2)", "Fallo por 5 o más: Caen. (→ fin)", "Fallo: Los ven. (→ fin)")
    scenes = [Scene("Sigilo en grupo CD 13 con desventaja, y luego Atletismo CD 17.", outcomes, *people)] * 2
    path.write_text(chapter("es", scenes).source, encoding="utf-8")
    found = playtest(str(path), "--level", "5")
    assert found.status == 0
    assert [line for line in found.out.splitlines() if len(line) > 80] == []
    mark = "," if language == "es" else "."
    branches = [line for line in found.out.splitlines() if line.startswith(("   ├─", "   └─"))]
    shares = [line.split("%")[0].split()[-1] for line in branches]
    assert len(shares) == 6
    for column in (shares[:3], shares[3:]):
        assert sum(int(share.replace(mark, "")) for share in column) == 1000
    words = {
        "es": ("en grupo, con desventaja", "ajustados"),
        "en": ("in a group, with disadvantage", "adjusted"),
    }
    told = " ".join(found.out.split())
    assert all(each in told for each in words[language])


def test_scenes_of_one_number_and_a_party_of_nobody_are_said(
    playtest: Any, tmp_path: Path, language: str
) -> None:
    text = chapter("es", SCENES).source
    path, adventure = tmp_path / "same.md", tmp_path / "nobody.md"
    path.write_text(text.replace("3.2 —", "3.1 —"), encoding="utf-8")
    adventure.write_text(
        "---\ntitle: T\nlanguage: es\nparty: []\n---\n\n# Capítulo 3 · Uno\n\n- OBJETIVO: Pasar.\n",
        encoding="utf-8",
    )
    found = playtest(str(path), "--adventure", str(adventure))
    assert found.status == 0
    head = " ".join(found.out.split("\n\n")[0].split())
    assert "«party»" in head or "`party`" in head
    assert "--adventure" not in head
    assert "same_number" in playtest(str(path), "--format", "json").json["notes"]
