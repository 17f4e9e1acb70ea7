"""What `concilio check` holds texts against is found beside them: severities, and rulesets of one's own."""

import json
from pathlib import Path

import pytest

from concilio.cli import main

WRONG = "La mesa ofrece cobertura ligera y cae.\n"
ADVENTURE = "---\nlanguage: es\n{}---\n\n# Capítulo 1 · «La cueva»\n\n- OBJETIVO NARRATIVO: Salir.\n"
RULES = '[rules]\ncover-degree = "{}"\n'


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    monkeypatch.setenv("CONCILIO_LANG", "es")
    return home


def write(name: str, text: str) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return name


PLACES: list[tuple[dict[str, str], bool, str | None, str]] = [
    # (severity by place of the settings, with the adventure, severity that holds, why)
    ({"a/b/concilio.toml": "note"}, False, "note", "beside the text"),
    ({"a/concilio.toml": "note"}, False, "note", "above the text"),
    ({"concilio.toml": "note"}, False, "note", "the current folder is above it"),
    ({"../concilio.toml": "note"}, False, "note", "above the current folder"),
    ({"a/b/concilio.toml": "off"}, False, None, "off"),
    ({"a/b/concilio.toml": "note", "a/concilio.toml": "warning"}, False, "note", "the nearest"),
    ({"a/b/concilio.toml": "", "a/concilio.toml": "warning"}, False, "warning", "the nearest that has rules"),
    ({"c/concilio.toml": "note"}, False, "error", "elsewhere"),
    ({"c/concilio.toml": "note"}, True, "note", "beside the adventure"),
    (
        {"c/concilio.toml": "note", "a/b/concilio.toml": "warning"},
        True,
        "note",
        "the adventure's before the text's",
    ),
    ({"a/b/concilio.toml": "warning"}, True, "warning", "the text's where the adventure has none"),
]


@pytest.mark.parametrize(("settings", "with_adventure", "severity", "why"), PLACES)
def test_the_nearest_rules_hold(
    settings: dict[str, str],
    with_adventure: bool,
    severity: str | None,
    why: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for place, level in settings.items():
        write(place, RULES.format(level) if level else "rounds = 3\n")
    text, adventure = write("a/b/t.md", WRONG), write("c/x.adventure.md", ADVENTURE.format(""))
    flags = ["--adventure", adventure] if with_adventure else []
    status = main.run_command_line(["check", text, "--format", "json", *flags])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [f["severity"] for f in found] == ([severity] if severity else []), why
    assert status == (1 if severity == "error" else 0)


def test_each_text_has_its_own_rules(capsys: pytest.CaptureFixture[str]) -> None:
    write("a/concilio.toml", RULES.format("note"))
    write("b/concilio.toml", RULES.format("warning"))
    files = [write(f"{place}/t.md", WRONG) for place in ("a", "b", "c")]
    main.run_command_line(["check", *files, "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    assert [f["severity"] for one in data for f in one["findings"]] == ["note", "warning", "error"]


def test_a_fix_keeps_to_the_rules_of_its_folder(capsys: pytest.CaptureFixture[str]) -> None:
    write("a/concilio.toml", '[rules]\ndamage-type = "off"\n')
    text = write("a/t.md", "Causa 2d6 de daño aplastante.\n")
    main.run_command_line(["check", text, "--fix"])
    assert "0 lugares" in capsys.readouterr().err
    assert "aplastante" in Path(text).read_text(encoding="utf-8")


def test_wrong_rules_are_told_with_their_place(capsys: pytest.CaptureFixture[str]) -> None:
    write("a/concilio.toml", 'rounds = 3\n\n[rules]\ncover-degre = "note"\n')
    assert main.run_command_line(["check", write("a/t.md", WRONG)]) == 2
    told = capsys.readouterr().err
    assert f"{Path('a/concilio.toml').resolve()}:4" in told
    assert "cover-degree" in told


MESA = "id: mesa\nextends: srd5e\ntitle: {{es: Mesa, en: Table}}\n{}"


@pytest.mark.parametrize("at", ["t/rulesets/mesa.yaml", "t/rulesets/mesa/ruleset.yaml", "rulesets/mesa.yaml"])
def test_a_ruleset_is_found_beside_the_text_and_in_the_current_folder(
    at: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(at, MESA.format(""))
    text = write("t/x.md", WRONG)
    main.run_command_line(["check", text, "--ruleset", "mesa", "--format", "json"])
    assert json.loads(capsys.readouterr().out)["ruleset"] == "mesa"


@pytest.mark.parametrize(("language", "words"), [("es", "Se ha buscado en"), ("en", "Looked for")])
def test_a_ruleset_that_is_not_there_is_told_with_the_places(
    language: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("t/rulesets/masa.yaml", MESA.format(""))
    text = write("t/x.md", WRONG)
    adventure = write("c/x.adventure.md", ADVENTURE.format(""))
    arguments = ["--lang", language, "check", text, "--ruleset", "mesa", "--adventure", adventure]
    assert main.run_command_line(arguments) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert words in told
    assert all(str(Path(place, "rulesets", "mesa").resolve()) in told for place in ("t", "c", "."))
    assert "combate, ia, masa, srd5e" in told


FAULTS = [
    # (what the ruleset says, es, en)
    ("skils: {}\n", "¿querías decir «skills»?", "did you mean “skills”?"),
    ("creaturs: {}\n", "¿querías decir «creatures»?", "did you mean “creatures”?"),
    ("skills: {stealth: {abillity: dex}}\n", "¿querías decir «ability»?", "did you mean “ability”?"),
    ("cover: {half: {armor_clas: 2}}\n", "«armor_class»", "“armor_class”"),
    ("cover: {half: {armor_class: two}}\n", "un número entero, no «two»", "a whole number, not “two”"),
    (
        "creatures: {goblin: {hitpoints: 3}}\n",
        "no existe la clave «hitpoints»",
        "there is no key “hitpoints”",
    ),
    ("zzzz: 1\n", "las claves son: id, title", "the keys are: id, title"),
    ("skills: {stealth: {ability: luck}}\n", "no existe «luck»", "there is no “luck”"),
]


@pytest.mark.parametrize(("text", "es", "en"), FAULTS)
def test_a_fault_of_a_ruleset_is_told_in_our_words(
    text: str, es: str, en: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("rulesets/mesa.yaml", MESA.format(text))
    for language, words in (("es", es), ("en", en)):
        status = main.run_command_line(
            ["--lang", language, "check", write("x.md", WRONG), "--ruleset", "mesa"]
        )
        told = capsys.readouterr().err
        assert (status, words in told, "mesa.yaml" in told) == (2, True, True), told
        assert "permitted" not in told
