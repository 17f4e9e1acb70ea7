"""`concilio fight`: what it prints, what it keeps, and how it refuses."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from concilio.catalogue import LANGUAGES, has_text
from concilio.cli.main import run_command_line
from rules.fights.setup import TO_OTHERS

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("combat*.yaml")) + sorted((ROOT / "examples").glob("fight*.yaml"))
FORGE = ROOT / "examples" / "combate_en_la_fragua.yaml"

RIGHT = """\
title: T
language: {language}
fighters:
  - {{name: Cat, kind: pj, pg: 9, CA: 14, weapons: [{{name: sword, damage: 1d8, damage_type: slashing}}]}}
  - {{name: Hugo, oficio: herrero, actitud: hostil}}
"""


@pytest.fixture(autouse=True, params=LANGUAGES)
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every test runs in both languages."""
    monkeypatch.setenv("CONCILIO_LANG", request.param)
    return str(request.param)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def command(*arguments: str | Path) -> tuple[int, str, str]:
        status = run_command_line(["fight", *map(str, arguments)])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return command


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.stem)
def test_the_examples_are_fought_told_and_replayed(example: Path, run: Any, tmp_path: Path) -> None:
    kept = tmp_path / "log.jsonl"
    status, out, _ = run(example, "--seed", "3", "--log", kept)
    assert status == 0
    assert "…" not in out
    again, told, err = run("--replay", kept)
    assert (again, told) == (0, out)
    assert "3" in err


def test_every_event_is_told_in_both_languages(language: str) -> None:
    """An event without words would be silent; those that programs alone need are named here."""
    silent = {
        "scenario",
        "turn",
        "roll_asked",
        "acts",
        "round_resolved",
        "window_allowed",
        "breath",
        "limb_waits",
    }
    calls = [
        node.args[0].value
        for file in (ROOT / "rules" / "fights").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "tell"
        and isinstance(node.args[0], ast.Constant)
    ]
    assert len(calls) > 50
    texts = (ROOT / "concilio" / "texts" / language / "fights.toml").read_text(encoding="utf-8")
    known = set(re.findall(r"^(\w+) = ", texts[texts.index("[event]") :], re.MULTILINE))
    variants = known - set(map(str, calls))

    def is_told(kind: str) -> bool:
        return kind in known or any(key.startswith(kind + "_") for key in variants)

    untold = {kind for kind in map(str, calls) if not is_told(kind)}
    assert untold == silent


def test_two_processes_and_one_seed_give_the_same_bytes() -> None:
    command = [sys.executable, "-m", "concilio", "fight", str(FORGE), "--seed", "11", "--format", "json"]
    first, second = (
        subprocess.run(command, capture_output=True, check=True, cwd=ROOT).stdout for _ in range(2)
    )
    assert first == second
    events = [json.loads(line) for line in first.decode().splitlines()]
    assert [e["n"] for e in events] == list(range(1, len(events) + 1))


def test_seeds_differ(run: Any) -> None:
    assert len({run(FORGE, "--seed", str(seed), "--format", "json")[1] for seed in range(5)}) == 5


def test_words_of_either_language_are_read(run: Any, tmp_path: Path, language: str) -> None:
    file = tmp_path / "s.yaml"
    file.write_text(RIGHT.format(language=language), encoding="utf-8")
    assert run(file)[0] == 0


WRONG: list[tuple[str, str, int, str]] = [
    ("actitud: hostil", "actitd: hostil", 5, "actitud|attitude"),
    ("oficio: herrero", "oficio: herero", 5, "herrero"),
    ("pg: 9", "pg: many", 4, "many"),
    ("damage: 1d8", "damage: 1dx", 4, "1dx"),
    ("slashing", "slahing", 4, "slashing"),
    ("name: Hugo", "name: Cat", 5, "Cat"),
    ("name: Hugo, oficio: herrero", "name: Hugo", 5, "hp|pg"),
    ("fighters:", "fihters:", 3, "fighters"),
    ("title: T", "title: T\nscript: [{who: Hugoo, do: wait}]", 2, "Hugo"),
    ("title: T", "title: T\nscript: [{who: Cat, do: atack}]", 2, "ataca|attack"),
    *(
        ("title: T", f"title: T\nscript: [{{who: Cat, do: {deed}, target: Cat}}]", 2, "Cat.*(propio|own) ")
        for deed in sorted(TO_OTHERS)
    ),
    (
        "title: T",
        "title: T\nscript: [{who: master, do: window, enemy: Cat, target: Cat, item: x}]",
        2,
        "Cat.*(propio|own) ",
    ),
    (
        "title: T",
        "title: T\nscript: [{who: Cat, do: attack, target: Hugo, overflow_to: Hugo}]",
        2,
        "Hugo.*(sobra|left over)|(sobra|left over).*Hugo",
    ),
    ("name: Hugo,", "name: Hugo, shielded_by: Hugo,", 5, "Hugo.*(tras|behind)"),
    ("title: T", "title: T\nrounds: 999999", 2, "rounds|rondas"),
    ("title: T", "title: T\ntitle: U", 2, "title"),
]


@pytest.mark.parametrize(("right", "wrong", "line", "named"), WRONG)
def test_what_is_wrong_is_told_with_its_place_and_the_nearest_name(
    right: str, wrong: str, line: int, named: str, run: Any, tmp_path: Path, language: str
) -> None:
    file = tmp_path / "s.yaml"
    text = RIGHT.format(language=language)
    assert right in text
    file.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    status, out, err = run(file)
    assert (status, out) == (2, "")
    assert any(row.startswith(f"{file}:{line}:") and re.search(named, row) for row in err.splitlines()), err


HOSTILE: list[bytes] = [
    b"",
    b"[]",
    b"x",
    b"\xff\xfe\x00",
    b"a: &a [*a]",
    b"a: &a [x, x]\nb: &b [*a, *a, *a]\n" * 3,
    b"[" * 5000,
    b"fighters: []",
    b"fighters: {}",
    b"fighters: [1, {}]",
    b"!!python/object:os.system {}",
    b"fighters: [{name: '{0.__class__}', hp: 3, place: '../../etc'}]",
    b"fighters: [{name: A, hp: .nan}]",
    b"fighters: [{name: A, hp: 1e308}]",
    b"fighters: [{name: '', hp: 3}]",
    b"fighters: [{name: '@', hp: 3}]",
    b"fighters: [{name: A, hp: 3, weapons: [{name: w, damage: 999d999}]}]",
    b"title: " + b"a" * 600_000,
    b"fighters:\n" + b"- {name: A, hp: 3}\n" * 1000,
]


@pytest.mark.parametrize("content", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_scenarios_end_in_a_message(content: bytes, run: Any, tmp_path: Path) -> None:
    file = tmp_path / "s.yaml"
    file.write_bytes(content)
    status, _, err = run(file)
    harmless = content.startswith(b"fighters: [{name: '{0")
    assert status == (0 if harmless else 2), err
    assert harmless or str(file) in err
    assert "Traceback" not in err


def test_a_log_that_was_changed_does_not_agree(run: Any, tmp_path: Path) -> None:
    kept = tmp_path / "log.jsonl"
    run(FORGE, "--log", kept)
    lines = kept.read_text(encoding="utf-8").splitlines()
    place = next(i for i, line in enumerate(lines) if '"event":"damage"' in line)
    lines[place] = re.sub(r'"hp":\d+', '"hp":1', lines[place])
    kept.write_text("\n".join(lines), encoding="utf-8")
    assert run("--replay", kept)[0] == 1


BAD_LOGS = [
    "",
    "{}",
    "[]",
    "not json",
    '{"n":1,"round":0,"t":0,"event":"end"}',
    '{"n":2,"round":0,"t":0,"event":"scenario"}',
    '{"n":1,"round":0,"t":0,"event":"scenario","values":{"version":1,"seed":0,"scenario":{"fighters":[{"name":"A","hp":3}]}}}\n'
    '{"n":2,"round":0,"t":0,"event":"x","changes":{"B":{"hp":1}}}',
    '{"n":1,"round":0,"t":0,"event":"scenario","values":{"version":1,"seed":0,"scenario":{"fighters":[{"name":"A","creature":"zzz"}]}}}',
    "[" * 100_000,
]


@pytest.mark.parametrize("text", BAD_LOGS, ids=range(len(BAD_LOGS)))
def test_hostile_logs_end_in_a_message(text: str, run: Any, tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text(text, encoding="utf-8")
    status, _, err = run("--replay", file)
    assert status == 2
    assert str(file) in err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        [str(FORGE), "--replay", "x"],
        ["no/such/file"],
        ["--replay", "no/such"],
        ["--replay", "x", "--seed", "3"],
        ["--replay", "x", "--log", "y"],
    ],
)
def test_wrong_use_is_2(arguments: list[str], run: Any) -> None:
    assert run(*arguments)[0] == 2


def test_a_log_that_cannot_be_written_is_told(run: Any, tmp_path: Path) -> None:
    status, out, err = run(FORGE, "--log", tmp_path / "none" / "log.jsonl")
    assert (status, out) == (2, "")
    assert "--log" in err


def test_each_language_has_its_texts(language: str) -> None:
    assert has_text("fights.event.fight_begins", language)


SKILLS = [
    ("Sigilo", "es", "Sigilo"),
    ("stealth", "es", "Sigilo"),
    ("Sigilo", "en", "Stealth"),
    ("FUE", "en", "Strength"),
]


@pytest.mark.parametrize(("written", "own", "told"), SKILLS)
def test_skills_are_told_in_the_readers_language(
    written: str, own: str, told: str, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CONCILIO_LANG")
    file = tmp_path / "s.yaml"
    script = f"script: [{{who: Cat, do: hide, skill: {written}, dc: 1}}]\n"
    file.write_text(RIGHT.format(language=own) + script, encoding="utf-8")
    assert re.search(rf"{told}: -?\d+", run(file)[1])


@pytest.mark.parametrize("option", ["--seed", "--log"])
def test_what_a_replay_does_not_use_is_refused(run: Any, tmp_path: Path, option: str) -> None:
    kept = tmp_path / "log.jsonl"
    run(FORGE, "--log", kept)
    status, out, err = run("--replay", kept, option, "7")
    assert (status, out) == (2, "")
    assert option in err


def test_bounds_are_told_as_people_write_them(run: Any, tmp_path: Path, language: str) -> None:
    scenario = tmp_path / "s.yaml"
    scenario.write_text(RIGHT.format(language=language).replace("pg: 9", "pg: 0"), encoding="utf-8")
    status, _, err = run(scenario)
    assert status == 2
    assert " 1" in err
    assert "1.0" not in err
