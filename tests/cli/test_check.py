"""`concilio check` as a user calls it: findings, forms, exit statuses, one line for what cannot be read."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from click.testing import CliRunner, Result

from concilio.cli.check import command
from concilio.report.checked import Checked
from concilio.report.github import to_github
from concilio.report.parallel import in_order
from concilio.report.sarif import to_sarif
from concilio.report.text import to_text
from rules.findings import Finding

RIGHT = "El grupo hace una prueba de Sigilo CD 12 para cruzar el patio.\n"
WRONG = "La mesa ofrece cobertura ligera y cae.\n\nLa trampa causa 2d6 de daño aplastante.\n"

ADVENTURE = """---
title: La cueva
language: es
level: 3
cast:
  - name: Ogla
    stat_block: {ac: 14, hp: 60, senses: {darkvision: 18 m}}
---

# Capítulo 1 · «La cueva»

- OBJETIVO NARRATIVO: Salir.
"""


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONCILIO_LANG", "es")


def run(*arguments: str, stdin: str | None = None) -> Result:
    """The command's output and status; an error with an exit status is what the frame would print."""
    return CliRunner().invoke(command, list(arguments), input=stdin, standalone_mode=False)


def write(name: str, text: str | bytes) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


def test_a_right_text_ends_with_0() -> None:
    result = run(write("bien.md", RIGHT))
    assert result.return_value == 0
    assert "Sin hallazgos en 1 archivo." in result.stdout


def test_a_wrong_text_ends_with_1_and_a_line_that_counts() -> None:
    result = run(write("mal.md", WRONG))
    assert result.return_value == 1
    assert "mal.md:1:" in result.stdout
    assert "cover-degree" in result.stdout
    assert result.stdout.rstrip().endswith("2 errores en 1 archivo.")


def test_json_is_one_object_with_the_published_keys() -> None:
    result = run(write("mal.md", WRONG), "--format", "json")
    data = json.loads(result.stdout)
    assert list(data) == ["file", "ruleset", "findings", "summary"]
    assert (data["file"], data["ruleset"]) == ("mal.md", "srd5e")
    assert data["summary"] == {"errors": 2, "warnings": 0}
    assert list(data["findings"][0]) == [
        "rule",
        "severity",
        "scene",
        "part",
        "line",
        "column",
        "quote",
        "message",
        "expected",
        "source",
    ]
    assert data["findings"][1]["expected"] == "contundente"


def test_several_files_give_a_list_in_order() -> None:
    result = run(write("a.md", RIGHT), write("b.md", WRONG), "--format", "json")
    assert [d["file"] for d in json.loads(result.stdout)] == ["a.md", "b.md"]


def test_a_folder_stands_for_its_markdown_files() -> None:
    write("todo/a.md", RIGHT)
    write("todo/sub/b.md", WRONG)
    write("todo/notas.txt", WRONG)
    result = run("todo", "--format", "json")
    assert [d["file"] for d in json.loads(result.stdout)] == ["todo/a.md", "todo/sub/b.md"]


def test_the_standard_input_is_read() -> None:
    result = run("-", "--format", "json", stdin=WRONG)
    assert json.loads(result.stdout)["file"] == "stdin"


UNREADABLE = [
    ("nada.md", None, "no existe"),
    ("vacio.md", b"", "está vacío"),
    ("blanco.md", b" \n\n\t", "está vacío"),
    ("binario.md", b"\x89PNG\x00\x01", "no es un archivo de texto"),
    ("latin.md", "acción".encode("latin-1"), "no es texto UTF-8"),
    ("", None, "la ruta está vacía"),
    ("con\x00nulo.md", None, "No se puede leer"),
    ("x" * 300 + ".md", None, "No se puede leer"),
]


@pytest.mark.parametrize(("name", "data", "message"), UNREADABLE, ids=range(len(UNREADABLE)))
def test_what_cannot_be_read_is_one_line_on_stderr(name: str, data: bytes | None, message: str) -> None:
    if data is not None:
        write(name, data)
    result = run(name)
    assert result.return_value == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_folder_without_markdown_cannot_be_checked() -> None:
    Path("hueca").mkdir()
    result = run("hueca")
    assert (result.return_value, "no tiene archivos .md" in result.stderr) == (2, True)


def test_an_unreadable_file_does_not_hide_the_others() -> None:
    result = run("nada.md", write("mal.md", WRONG))
    assert result.return_value == 2
    assert "cover-degree" in result.stdout


def test_a_carriage_return_text_and_a_byte_order_mark_are_read() -> None:
    result = run(write("mal.md", b"\xef\xbb\xbf" + WRONG.replace("\n", "\r\n").encode()), "--format", "json")
    assert [f["line"] for f in json.loads(result.stdout)["findings"]] == [1, 3]


def test_an_adventure_gives_its_stat_blocks() -> None:
    text = write("texto.md", "Ogla tiene CA 17 y espera.\n")
    assert run(text).return_value == 0
    result = run(text, "--adventure", write("cueva.adventure.md", ADVENTURE), "--format", "json")
    assert result.return_value == 1
    assert json.loads(result.stdout)["findings"][0]["rule"] == "stat-block-drift"


def ended_by(result: Result) -> tuple[int | None, str]:
    error = result.exception
    return getattr(error, "exit_code", None), str(error)


def test_a_wrong_adventure_is_told_with_its_places() -> None:
    status, message = ended_by(
        run(write("t.md", RIGHT), "--adventure", write("a.md", "---\nlevle: 3\n---\n# x\n"))
    )
    assert status == 2
    assert "a.md:2:1" in message
    assert "level" in message


def test_an_unknown_ruleset_ends_with_2() -> None:
    status, message = ended_by(run(write("t.md", RIGHT), "--ruleset", "srd6"))
    assert (status, "srd6" in message) == (2, True)


def test_a_users_own_ruleset_lies_beside_the_adventure() -> None:
    own = "id: mesa\nextends: srd5e\ntitle: {es: Mesa, en: Table}\n"
    own += (
        "cover:\n  light: {armor_class: 1, names: {es: {word: cobertura ligera}, en: {word: light cover}}}\n"
    )
    own += "rejected: {cover: {es: [], en: []}}\n"
    write("aventura/rulesets/mesa/ruleset.yaml", own)
    adventure = write("aventura/a.md", ADVENTURE.replace("level: 3", "level: 3\nruleset: mesa"))
    result = run(write("t.md", WRONG), "--ruleset", "aventura/rulesets/mesa", "--format", "json")
    assert json.loads(result.stdout)["ruleset"] == "mesa"
    assert "cover-degree" not in {f["rule"] for f in json.loads(result.stdout)["findings"]}
    del adventure


def test_the_settings_file_changes_severities() -> None:
    write("concilio.toml", '[rules]\ncover-degree = "note"\ndamage-type = "off"\n')
    result = run(write("mal.md", WRONG), "--format", "json")
    assert result.return_value == 0
    assert [f["severity"] for f in json.loads(result.stdout)["findings"]] == ["note"]


WRONG_SETTINGS = [
    ('[rules]\ncover-degre = "note"\n', "cover-degree"),
    ('[rules]\ncover-degree = "loud"\n', "loud"),
    ('rules = "all"\n', "all"),
]


@pytest.mark.parametrize(("text", "message"), WRONG_SETTINGS)
def test_wrong_settings_are_told(text: str, message: str) -> None:
    write("concilio.toml", text)
    status, told = ended_by(run(write("mal.md", WRONG)))
    assert (status, message in told) == (2, True)


HOSTILE = Finding(
    rule="dc-drift",
    severity="error",
    scene="1.1",
    part="prose",
    line=3,
    column=5,
    quote="CD 15\n\x1b[31m{0}%s",
    message="a, b: 100 % \r\n::error::x",
    expected="CD 12",
    source="plan 1.1, línea 2",
)


def test_text_cannot_steer_the_terminal() -> None:
    text = to_text([Checked("a\x1b[2J.md", "srd5e", (HOSTILE,))])
    assert "\x1b[31m{0}" not in text
    assert "\x1b[2J" not in text
    assert "{0}%s" in text


def test_a_github_command_is_one_line_and_escaped() -> None:
    command_line = to_github([Checked("a,b:c.md", "srd5e", (HOSTILE,))])
    assert "\n" not in command_line
    assert command_line.startswith(
        "::error file=a%2Cb%3Ac.md,line=3,col=5,title=dc-drift::a, b: 100 %25 %0D%0A"
    )


SARIF_SHAPE = {
    "type": "object",
    "required": ["version", "runs", "$schema"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name", "rules"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "required": ["id", "shortDescription", "defaultConfiguration"],
                                            "properties": {
                                                "shortDescription": {"required": ["text"]},
                                                "defaultConfiguration": {
                                                    "properties": {
                                                        "level": {"enum": ["error", "warning", "note"]}
                                                    }
                                                },
                                            },
                                        },
                                    }
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "required": ["ruleId", "ruleIndex", "level", "message", "locations"],
                            "properties": {
                                "level": {"enum": ["error", "warning", "note"]},
                                "message": {"required": ["text"]},
                            },
                        },
                    },
                },
            },
        },
    },
}


def test_sarif_has_the_required_shape_and_points_at_the_rules() -> None:
    log = json.loads(to_sarif([Checked("una carpeta/a.md", "srd5e", (HOSTILE,))]))
    jsonschema.validate(log, SARIF_SHAPE)
    run_ = log["runs"][0]
    result = run_["results"][0]
    assert run_["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "dc-drift"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "una%20carpeta/a.md"
    assert place["region"]["startLine"] == 3
    assert place["region"]["endLine"] == 4


def test_colour_only_where_it_is_a_terminal() -> None:
    result = run(write("mal.md", WRONG))
    assert "\x1b[" not in result.stdout


def test_check_loads_no_model_library() -> None:
    write("mal.md", WRONG)
    code = (
        "import sys; from concilio.cli.main import run_command_line as r; r(['check', 'mal.md']);"
        "print(sorted({'litellm', 'langgraph', 'openai', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("language", ["es", "en"])
def test_the_help_shows_an_example(language: str) -> None:
    code = "import sys; from concilio.cli.main import run_command_line as r; sys.exit(r(['check', '--help']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"CONCILIO_LANG": language, "PATH": "/usr/bin:/bin"},
    )
    assert "concilio check " in done.stdout


BROKEN = (
    "La trampa causa 2d6 de daño aplastante.\r\n"
    "Está a 9 metros, a 6 metros del foso; el arco llega a 30 pies.\r\n"
)
REPAIRED = (
    "La trampa causa 2d6 de daño contundente.\r\n"
    "Está a 9 metros, a 6 metros del foso; el arco llega a 9 metros.\r\n"
)


def test_fix_writes_the_right_text_and_nothing_else() -> None:
    path = Path(write("mal.md", BROKEN))
    path.chmod(0o600)
    result = run("mal.md", "--fix", "--format", "json")
    assert path.read_bytes().decode() == REPAIRED
    assert path.stat().st_mode & 0o777 == 0o600
    assert (result.return_value, json.loads(result.stdout)["findings"]) == (0, [])


SAID = [
    (BROKEN, "2 lugares corregidos."),
    (BROKEN.splitlines()[0], "1 lugar corregido."),
    (RIGHT, "0 lugares"),
]


@pytest.mark.parametrize(("text", "said"), SAID)
def test_a_fix_says_how_much_it_mended(text: str, said: str) -> None:
    assert said in run(write("t.md", text), "--fix").stderr
    assert run(write("t.md", text), "--diff").stderr == ""


def test_fixing_twice_is_fixing_once() -> None:
    path = Path(write("mal.md", BROKEN + WRONG))
    run("mal.md", "--fix")
    once = path.read_bytes()
    result = run("mal.md", "--fix")
    assert path.read_bytes() == once
    assert result.return_value == 1, "cover-degree is no matter of one right word"


def test_a_diff_shows_and_does_not_write() -> None:
    path = Path(write("mal.md", BROKEN))
    result = run("mal.md", "--diff")
    assert path.read_bytes().decode() == BROKEN
    assert result.return_value == 1
    assert "-La trampa causa 2d6 de daño aplastante.\n" in result.stdout
    assert "+La trampa causa 2d6 de daño contundente.\n" in result.stdout


def test_a_diff_of_a_right_file_is_empty() -> None:
    result = run(write("bien.md", RIGHT), "--diff")
    assert (result.return_value, result.stdout) == (0, "")


def test_a_diff_reads_the_standard_input_and_a_fix_does_not() -> None:
    shown = run("-", "--diff", stdin=BROKEN)
    assert (shown.return_value, shown.stderr) == (1, "")
    assert "+La trampa" in shown.stdout
    result = run("-", "--fix", stdin=BROKEN)
    assert (result.return_value, len(result.stderr.splitlines())) == (2, 1)


def test_a_fix_respects_allowances_and_settings() -> None:
    path = Path(write("mal.md", "<!-- concilio: allow damage-type -->\n" + BROKEN))
    run("mal.md", "--fix")
    assert "aplastante" in path.read_text(encoding="utf-8")


def test_a_link_stays_a_link() -> None:
    path = Path(write("real.md", BROKEN))
    link = Path("enlace.md")
    link.symlink_to(path)
    run("enlace.md", "--fix")
    assert link.is_symlink()
    assert path.read_bytes().decode() == REPAIRED


HOOKS = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


@pytest.mark.parametrize("hook", yaml.safe_load(HOOKS.read_text(encoding="utf-8")), ids=lambda h: h["id"])
def test_a_hook_runs_on_several_files(hook: dict[str, object]) -> None:
    assert (hook["language"], hook["types"]) == ("python", ["markdown"])
    program, sub, *options = str(hook["entry"]).split()
    assert (program, sub) == ("concilio", "check")
    assert run(*options, write("a.md", RIGHT), write("b.md", WRONG)).return_value == 1


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_work_comes_back_in_order_from_any_number_of_processes(processes: int) -> None:
    items = [str(n) for n in range(40)]
    assert list(in_order(lambda item: item * 2, items, processes)) == [item * 2 for item in items]


def test_what_goes_wrong_in_another_process_is_raised_here() -> None:
    with pytest.raises(ValueError, match="seven"):
        list(in_order(int, ["1"] * 20 + ["seven"], 2))


def test_a_large_folder_is_checked_with_one_summary() -> None:
    for number in range(20):
        write(f"todo/{number:02}.md", WRONG if number % 2 else RIGHT)
    write("todo/99.md", b"\x00")
    result = run("todo", "--format", "json")
    data = json.loads(result.stdout)
    assert [d["file"] for d in data] == [f"todo/{number:02}.md" for number in range(20)]
    assert sum(d["summary"]["errors"] for d in data) == 20
    assert (result.return_value, len(result.stderr.splitlines())) == (2, 1)
    assert run("todo").stdout.rstrip().endswith("20 errores en 20 archivos.")


SEVERAL: list[tuple[tuple[str, ...], list[str] | str | None, int]] = [
    # (what is asked for, the files of the answer: a list, or one object's, or nothing at all; exit status)
    (("a.md",), "a.md", 0),
    (("a.md", "no.md"), ["a.md"], 2),
    (("no.md", "a.md"), ["a.md"], 2),
    (("no.md", "no2.md"), [], 2),
    (("no.md",), None, 2),
    (("solo",), ["solo/a.md"], 0),
    (("a.md", "a.md"), ["a.md", "a.md"], 0),
]


@pytest.mark.parametrize(("asked", "answered", "status"), SEVERAL)
def test_several_files_are_a_list_whatever_could_be_read(
    asked: tuple[str, ...], answered: list[str] | str | None, status: int
) -> None:
    """A program that asks for several need not look whether one was missing."""
    write("a.md", RIGHT)
    write("solo/a.md", RIGHT)
    result = run(*asked, "--format", "json")
    assert result.return_value == status
    if answered is None:
        assert result.stdout == ""
        return
    data: Any = json.loads(result.stdout)
    found: Any = data if isinstance(answered, list) else [data]
    names: list[str] = [one["file"] for one in found]
    assert names == (answered if isinstance(answered, list) else [answered])
