"""A ruleset beside the adventure is found by all that read it, and its creatures fill blocks."""

import json
from pathlib import Path

import pytest

from concilio.adventure import load_adventure
from concilio.adventure.facts import facts_of
from concilio.cli import main
from rules.ruleset import load_ruleset
from tests.adventure.writing import problems_in

ADVENTURE = """---
title: La ciénaga
language: es
ruleset: {ruleset}
level: 3
party: [{{name: Ulla, class: pícaro, level: 3}}]
cast:
  - {{name: Grik, stat_block: {block}}}
  - {{name: Vecinos, count: 4}}
---

# Capítulo 1 · «El vado»

- OBJETIVO NARRATIVO: Cruzar el vado.
"""
MINE = """id: mine
extends: srd5e
title: {es: "Mi mesa", en: "My table"}
skills:
  stealth: {names: {es: {word: Furtividad, also: []}}}
creatures:
  marsh_goblin:
    {ac: 13, hp: 9, cr: 0.25, xp: 50, names: {es: {word: trasgo del pantano}, en: {word: marsh goblin}}}
"""


def write(folder: Path, layout: str, ruleset: str = "mine", block: str = "trasgo del pantano") -> Path:
    own = folder / "rulesets" / layout
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(MINE, encoding="utf-8")
    file = folder / "cienaga.md"
    file.write_text(ADVENTURE.format(ruleset=ruleset, block=block), encoding="utf-8")
    return file


@pytest.fixture(params=["mine/ruleset.yaml", "mine.yaml"])
def adventure(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    layout: str = request.param
    (tmp_path / "rulesets" / "mine").mkdir(parents=True)
    if layout == "mine.yaml":
        (tmp_path / "rulesets" / "mine").rmdir()
    return write(tmp_path, layout)


@pytest.mark.parametrize("whole_folder", [False, True])
def test_an_adventure_names_a_ruleset_beside_it(adventure: Path, whole_folder: bool) -> None:
    loaded = load_adventure(adventure.parent if whole_folder else adventure)
    assert loaded.ruleset == "mine"
    rules = load_ruleset(loaded.ruleset, adventure.parent)
    assert rules.word("skill", "stealth", "es") == "Furtividad"
    assert facts_of(loaded, rules).stat_blocks["Grik"].ac == 13


def test_check_uses_it(adventure: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = adventure.parent / "texto.md"
    text.write_text("Una prueba de Destreza (Furtividad) CD 12 para cruzar.\n", encoding="utf-8")
    for flags in (["--adventure", str(adventure)], ["--adventure", str(adventure), "--ruleset", "mine"]):
        status = main.run_command_line(["check", str(text), "--format", "json", *flags])
        report = json.loads(capsys.readouterr().out)
        assert (status, report["ruleset"], report["findings"]) == (0, "mine", [])


@pytest.mark.parametrize(
    ("stated", "why"),
    [
        ("mina", "nearly its name"),
        ("../mine", "a path"),
        ("/etc", "a path of the system"),
        ("nada", "no such"),
    ],
)
def test_what_names_no_ruleset_is_told(tmp_path: Path, stated: str, why: str) -> None:
    write(tmp_path, "mine.yaml")
    text = ADVENTURE.format(ruleset=stated, block="goblin")
    assert any(stated in p.message and "mine" in p.message for p in problems_in(tmp_path, text)), why


def test_a_broken_ruleset_is_told_where_it_is_named(tmp_path: Path) -> None:
    file = write(tmp_path, "mine.yaml")
    (tmp_path / "rulesets" / "mine.yaml").write_text(
        "id: mine\nextends: srd5e\nskils: {}\n", encoding="utf-8"
    )
    (problem,) = problems_in(tmp_path, file.read_text(encoding="utf-8"), file.name)
    assert (problem.line, "skils" in problem.message) == (4, True)


@pytest.mark.parametrize(
    ("block", "ac", "hp"),
    [("goblin", 15, 7), ("Veterano", 17, 58), ("veteran", 17, 58), ("nadie así", None, None)],
)
def test_a_named_block_is_the_rulesets(tmp_path: Path, block: str, ac: int | None, hp: int | None) -> None:
    loaded = load_adventure(write(tmp_path, "mine.yaml", "srd5e", block))
    blocks = facts_of(loaded, load_ruleset()).stat_blocks
    found = blocks.get("Grik")
    assert ((found.ac, found.hp) if found else (None, None)) == (ac, hp)
    assert found is None or found.name == "Grik"
    assert "Vecinos" not in blocks
