"""`concilio odds`: what it prints, and how it refuses."""

import json
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from concilio.catalogue import TEXTS, has_text
from concilio.cli.main import run_command_line

FIGHTER = "hp=12 ac=18 attack=+5 damage=1d8+3"
THUG = "hp=32 ac=11 attack=+4 damage=1d6+2 attacks=2"
ROOT = Path(__file__).parents[2]


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
def odds(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: str) -> Printed:
        status = run_command_line(["odds", *arguments])
        captured = capsys.readouterr()
        return Printed(status, captured.out, captured.err)

    return run


CHECKS: list[tuple[list[str], float]] = [
    (["--bonus", "7", "--dc", "15"], 0.65),
    (["--bonus", "+7", "--dc", "15", "--advantage"], 0.8775),
    (["--bonus", "7", "--dc", "15", "--helped"], 0.8775),
    (["--bonus", "7", "--dc", "15", "--disadvantage"], 0.4225),
    (["--bonus", "7", "--dc", "15", "--advantage", "--disadvantage"], 0.65),
    (["--bonus", "−1", "--dc", "15"], 0.25),
    (["--bonus", "-1", "--dc", "15", "--dice", "1d4"], 0.375),
    (["--group", "7, 3", "--dc", "15"], 1 - 0.35 * 0.55),
    (["--bonus", "0", "--against", "0"], 0.475),
]


@pytest.mark.parametrize(("arguments", "chance"), CHECKS)
def test_a_check_as_json(odds: Any, arguments: list[str], chance: float) -> None:
    done = odds("check", *arguments, "--format", "json")
    assert (done.status, done.json["p"]) == (0, pytest.approx(chance))


def test_a_check_as_text_has_the_figure_the_ladder_and_the_languages_words(odds: Any, language: str) -> None:
    text = odds("check", "--bonus", "7", "--dc", "15", "--advantage").out
    wanted = {"es": ("87,8 %", "con ventaja", "CD 30"), "en": ("87.8 %", "with advantage", "DC 30")}
    assert all(words in text for words in wanted[language])
    assert len([line for line in text.splitlines() if line.startswith(">")]) == 1


def test_an_attack_as_json(odds: Any) -> None:
    found = odds("attack", "--attack", "+5", "--ac", "15", "--damage", "1d8+3", "--format", "json").json
    assert (found["p"], found["p_hit"], found["p_critical"]) == (0.55, 0.55, 0.05)
    assert found["mean"] == pytest.approx(4.35)
    assert sum(row["p"] for row in found["outcomes"]) == pytest.approx(1)


ATTACKS: list[tuple[list[str], str, float]] = [
    (["--cover", "half"], "p_hit", 0.45),
    (["--cover", "media"], "p_hit", 0.45),
    (["--cover", "three-quarters"], "p_hit", 0.3),
    (["--advantage"], "p_hit", 1 - 0.45**2),
    (["--critical", "19"], "p_critical", 0.1),
    (["--immunity"], "mean", 0.0),
    (["--vulnerability"], "mean", 8.7),
    (["--resistance"], "mean", 0.5 * 3.5 + 0.05 * 5.75),
    (["--resistance", "--vulnerability"], "mean", 2 * (0.5 * 3.5 + 0.05 * 5.75)),
    (["--vulnerability", "--resistance"], "mean", 2 * (0.5 * 3.5 + 0.05 * 5.75)),
    (["--vulnerability", "--resistance", "--immunity"], "mean", 0.0),
    ([], "mean_on_hit", 4.35 / 0.55),
    (["--attacks", "2"], "mean", 8.7),
    (["--hp", "4"], "p_down", 0.55),
]


@pytest.mark.parametrize(("arguments", "name", "value"), ATTACKS)
def test_what_changes_an_attack(odds: Any, arguments: list[str], name: str, value: float) -> None:
    plain = ["--attack", "+5", "--ac", "15", "--damage", "1d8+3 slashing"]
    assert odds("attack", *plain, *arguments, "--format", "json").json[name] == pytest.approx(value)


SAVES: list[tuple[list[str], str, float]] = [
    ([], "p", 0.45),
    ([], "mean", (11 * 7 + 9 * 3.25) / 20),
    (["--negates"], "mean", 11 * 7 / 20),
    (["--evasion"], "mean", 11 * 3.25 / 20),
    (["--immunity"], "mean", 0.0),
    (["--advantage"], "p", 1 - 0.55**2),
    (["--disadvantage"], "p", 0.45**2),
    (["--dice", "1d4"], "p", (9 + 2.5) / 20),
    (["--hp", "12"], "p_down", 11 / 20 / 36),
]


@pytest.mark.parametrize(("arguments", "name", "value"), SAVES)
def test_a_save_as_json(odds: Any, arguments: list[str], name: str, value: float) -> None:
    plain = ["save", "--dc", "15", "--bonus", "+3", "--damage", "2d6", "--format", "json"]
    found = odds(*plain, *arguments).json
    assert found[name] == pytest.approx(value)
    assert sum(row["p"] for row in found["outcomes"]) == pytest.approx(1)


SAVED: list[tuple[list[str], dict[str, tuple[str, ...]]]] = [
    ([], {"es": ("45,0 %", "la mitad: 3,25", "5,31"), "en": ("45.0 %", "half: 3.25", "5.31")}),
    (["--negates"], {"es": ("si la supera, nada", "3,85"), "en": ("on a success none", "3.85")}),
    (["--evasion"], {"es": ("evasión", "1,79"), "en": ("evasion", "1.79")}),
    (["--hp", "9"], {"es": ("9 puntos de golpe o más",), "en": ("9 hit points or more",)}),
]


@pytest.mark.parametrize(("arguments", "wanted"), SAVED)
def test_a_save_as_text(odds: Any, language: str, arguments: list[str], wanted: dict[str, Any]) -> None:
    done = odds("save", "--dc", "15", "--bonus", "3", "--damage", "2d6", *arguments)
    assert done.status == 0
    assert all(words in done.out for words in wanted[language])
    assert "█" in done.out


@pytest.mark.parametrize("idle", [["--negates"], ["--evasion"], ["--resistance"], ["--hp", "3"]])
def test_what_says_how_damage_is_taken_needs_damage(odds: Any, idle: list[str]) -> None:
    plain = ["save", "--dc", "15", "--bonus", "3"]
    done = odds(*plain, *idle)
    assert (done.status, done.out) == (2, "")
    assert idle[0] in done.err
    assert "--damage" in done.err
    assert odds(*plain).status == 0


def test_a_duel_as_json(odds: Any) -> None:
    found = odds("duel", "--a", FIGHTER, "--b", THUG, "--first", "a", "--format", "json").json
    assert found["p_a"] == pytest.approx(0.218, abs=0.0006)
    assert found["p_a"] + found["p_b"] == pytest.approx(1)
    assert (found["method"], found["standard_error"]) == ("exact", None)
    assert found["turns"] == pytest.approx(3.49, abs=0.01)


def test_a_sampled_duel_tells_its_error_and_is_the_same_each_time(odds: Any) -> None:
    flags = ["duel", "--a", FIGHTER, "--b", THUG, "--sample", "20000", "--seed", "3", "--format", "json"]
    found = odds(*flags).json
    assert odds(*flags).json == found
    assert (found["method"], found["samples"], found["seed"]) == ("sampling", 20000, 3)
    assert found["p_a"] == pytest.approx(0.2185, abs=4 * found["standard_error"])


def test_a_duel_too_large_to_compute_is_sampled(odds: Any) -> None:
    found = odds(
        "duel", "--a", FIGHTER.replace("12", "1500"), "--b", THUG.replace("32", "900"), "--format", "json"
    ).json
    assert (found["method"], found["p_a"] > 0.99) == ("sampling", True)
    assert 0 < found["standard_error"] < 0.01


@pytest.mark.parametrize("first", ["a", "b", "roll"])
def test_a_duel_as_text(odds: Any, language: str, first: str) -> None:
    text = odds("duel", "--a", FIGHTER, "--b", THUG + " name=Matón", "--first", first).out
    assert {"es": "asaltos esperados", "en": "expected rounds"}[language] in text
    assert text.count("Matón") >= 2


def test_a_duel_without_end_is_told(odds: Any, language: str) -> None:
    done = odds("duel", "--a", "hp=5 ac=9 attack=0 damage=0", "--b", "hp=5 ac=9 attack=0 damage=0")
    assert done.status == 0
    assert {"es": "no acabar nunca", "en": "never end"}[language] in done.out


ROLLS = [["4d6kh3"], ["4d6", "drop", "the", "lowest"], ["4d6 y descarta el menor"]]


@pytest.mark.parametrize("words", ROLLS, ids=" ".join)
def test_a_roll_as_json(odds: Any, words: list[str]) -> None:
    found = odds("roll", *words, "--format", "json").json
    assert (found["dice"], found["min"], found["max"]) == ("4d6kh3", 3, 18)
    assert found["mean"] == pytest.approx(12.2446, abs=1e-4)
    assert found["outcomes"][-1] == {"value": 18, "p": 21 / 1296, "at_least": 21 / 1296}


MINUS = [
    (["-1d4"], "-1d4"),
    (["-d6"], "-1d6"),
    (["--d6"], "1d6"),
    (["--1d4"], "1d4"),
    (["-(2d6+1)"], "-(2d6 + 1)"),
    (["−1d4", "+", "3"], "-1d4 + 3"),
    (["--", "-1d4"], "-1d4"),
]


@pytest.mark.parametrize(("words", "dice"), MINUS, ids=lambda each: str(each))
def test_a_roll_may_begin_with_a_minus(odds: Any, words: list[str], dice: str) -> None:
    assert odds("roll", "--format", "json", *words).json["dice"] == dice


MISTYPED = [
    (["--formt", "json", "2d6"], "--formt", "--format"),
    (["2d6", "--formt=json"], "--formt", "--format"),
    (["--jsn", "2d6"], "--jsn", ""),
    (["-1d4", "--Format", "json"], "--Format", "--format"),
]


@pytest.mark.parametrize(("words", "option", "near"), MISTYPED, ids=lambda each: str(each))
def test_a_mistyped_option_is_no_dice(
    odds: Any, language: str, words: list[str], option: str, near: str
) -> None:
    done = odds("roll", *words)
    assert (done.status, done.out) == (2, "")
    assert {"es": "No existe la opción", "en": "No such option"}[language] in done.err
    assert f"'{option}'" in done.err
    assert near in done.err


@pytest.mark.parametrize("dice", ["2d6", "100d6", "1d1000", "2d6*100", "7", "8d6/3"])
def test_a_plot_fits_a_terminal(odds: Any, dice: str) -> None:
    lines = odds("roll", dice).out.splitlines()
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    "arguments", [["roll", "4d6kh3"], ["attack", "--attack", "5", "--ac", "9", "--damage", "8d6"]]
)
def test_the_shares_of_a_plot_add_up(odds: Any, arguments: list[str]) -> None:
    text = odds(*arguments).out.partition("\n\n")[2].replace(",", ".").replace("<", "")
    assert sum(float(line.split()[-2]) for line in text.splitlines()) == pytest.approx(100, abs=2)


_HUGE = [
    "999999x999999",
    "999999x100",
    "999999x50",
    "20001",
    "1d1000*999999",
    "(1d1000*999999)/999999",
    "999999 + 1",
]
"""Few dice and large numbers: what would fill the memory with outcomes."""

BAD: list[list[str]] = [
    *(["attack", "--attack", "5", "--ac", "15", "--damage", damage] for damage in _HUGE),
    *(["save", "--dc", "15", "--bonus", "3", "--damage", damage] for damage in _HUGE),
    ["save", "--dc", "15", "--bonus", "3", "--damage", "sword"],
    ["save", "--dc", "15", "--bonus", "3", "--damage", "8d6", "--hp", "0"],
    ["save", "--dc", "high", "--bonus", "3"],
    *(["duel", "--a", f"hp=10 ac=10 attack=5 damage={damage}", "--b", "goblin"] for damage in _HUGE),
    *(["duel", "--a", FIGHTER + f" opening={damage}", "--b", "goblin"] for damage in _HUGE),
    ["roll", "999999d999999"],
    ["roll", "bananas"],
    ["roll", ""],
    ["roll", "{0.__class__}"],
    ["roll", "(" * 100_000],
    ["roll", "9" * 100_000],
    ["roll", "\x1b[31m2d6"],
    ["roll", "1d6\n1d6"],
    ["check", "--bonus", "foo", "--dc", "3"],
    ["check", "--bonus", "9999999", "--dc", "3"],
    ["check", "--dc", "3"],
    ["check", "--bonus", "3"],
    ["check", "--bonus", "3", "--dc", "3", "--against", "3"],
    ["check", "--bonus", "3", "--group", "3", "--dc", "3"],
    ["check", "--group", "3", "--against", "3"],
    ["check", "--group", "3,x", "--dc", "3"],
    ["check", "--group", "", "--dc", "3"],
    ["check", "--group", "1," * 1000, "--dc", "3"],
    ["check", "--bonus", "3", "--dc", "3", "--dice", "1d"],
    ["attack", "--attack", "5", "--ac", "15", "--damage", "sword"],
    ["attack", "--attack", "5", "--ac", "15", "--damage", "1d8", "--cover", "total"],
    ["attack", "--attack", "5", "--ac", "15", "--damage", "1d8", "--cover", "fog"],
    ["attack", "--attack", "5", "--ac", "15", "--damage", "1d8", "--attacks", "99"],
    ["attack", "--attack", "5", "--ac", "15", "--damage", "1d8", "--attacks", "0"],
    ["attack", "--attack", "5", "--ac", "15", "--damage", "1d8", "--critical", "1"],
    ["attack", "--attack", "5", "--ac", "15", "--damage", "150d6"],
    ["attack", "--attack", "5", "--ac", "15", "--damage", "50d50", "--attacks", "10"],
    ["duel", "--a", "hp=900 ac=18 attack=+5 damage=50d50 attacks=10", "--b", "goblin"],
    ["duel", "--a", FIGHTER, "--b", "gobblin"],
    ["duel", "--a", "", "--b", "goblin"],
    ["duel", "--a", FIGHTER, "--b", "goblin", "--sample", "0"],
    ["duel", "--a", FIGHTER, "--b", "goblin", "--seed", "-1"],
    ["duel", "--a", FIGHTER, "--b", "goblin", "--seed", "9" * 30],
    ["duel", "--a", "hp=12", "--b", THUG],
    ["duel", "--a", FIGHTER + " hp=3", "--b", THUG],
    ["duel", "--a", FIGHTER, "--b", THUG.replace("32", "0")],
    ["duel", "--a", FIGHTER, "--b", "hp=5000 ac=1000 attack=-1000 damage=0", "--sample", "100000000"],
]


@pytest.mark.parametrize("arguments", BAD, ids=lambda a: " ".join(a)[:40])
def test_bad_input_ends_with_2_and_one_line(odds: Any, arguments: list[str]) -> None:
    begin = time.process_time()
    done = odds(*arguments)
    assert time.process_time() - begin < 2
    assert (done.status, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert 20 < len(done.err) < 300
    assert "\x1b" not in done.err


def test_every_problem_has_words(language: str) -> None:
    """A code without words would be a crash in front of a user."""
    import re

    sources = "".join(p.read_text("utf-8") for p in (ROOT / "rules" / "odds").glob("*.py"))
    codes = set(re.findall(r'(?:OddsError|_within)\(\s*"(\w+)"', sources)) | {"unknown_word", "unexpected"}
    assert len(codes) > 25
    assert {code for code in codes if not has_text(f"odds.problem.{code}", language)} == set()
    words: dict[str, str] = tomllib.loads((TEXTS / language / "odds.toml").read_text("utf-8"))["problem"]
    assert set(words) - codes == {"no_number"}


@pytest.mark.parametrize("command", ["check", "attack", "save", "duel", "roll"])
def test_the_help_shows_examples_that_work(odds: Any, command: str) -> None:
    import shlex

    text = odds(command, "--help").out
    examples = [line.split("concilio odds ")[1] for line in text.splitlines() if "  concilio odds " in line]
    assert len(examples) >= 2
    for example in examples:
        done = odds(*shlex.split(example))
        assert (done.status, done.err) == (0, "")


def test_a_seed_that_does_nothing_is_said(odds: Any) -> None:
    line = ["duel", "--a", FIGHTER, "--b", "goblin", "--seed", "3"]
    done = odds(*line)
    assert done.status == 0
    assert "--sample" in done.err
    assert odds(*line, "--sample", "1000").err == ""
