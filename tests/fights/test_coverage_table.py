"""docs/fights_coverage.md names tests that exist, each test of a sentence, and no heading is left out."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "fights_coverage.md").read_text(encoding="utf-8")
SEEDS = ROOT.parent / "shared" / "seeds"
TESTS = {
    name
    for file in (ROOT / "tests" / "fights").glob("test_*.py")
    for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
}
ASIDE = ("Combate", "Relacionado")


def test_each_named_test_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert named
    assert named - TESTS == set()


def test_each_test_of_a_sentence_is_in_the_table() -> None:
    files = [
        *(ROOT / "tests" / "fights").glob("test_combate*.py"),
        *(ROOT / "tests" / "fights").glob("test_ia*.py"),
    ]
    ours = {n for f in files for n in re.findall(r"^def (test_\w+)", f.read_text("utf-8"), re.MULTILINE)}
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert {n for n in ours - named if not n.startswith("test_unused")} == set()


def test_no_heading_of_the_house_rules_is_left_out() -> None:
    file = SEEDS / "combate_reglas_de_la_casa.es.md"
    if not file.is_file():
        pytest.skip("the designer's documents are not here")
    lines = file.read_text(encoding="utf-8").splitlines()
    # A heading is a short line of its own, with nothing before it and no end of a sentence.
    headings = [
        line for before, line, after in zip(["", *lines], lines, [*lines[1:], ""], strict=False)
        if line and not before and not after and len(line) < 50 and line[-1] not in ".:»" and "\t" not in line
    ]  # fmt: skip
    assert len(headings) >= 9
    assert [h for h in headings if h not in ASIDE and f"| {h} |" not in PAGE and line_is_prose(h)] == []


def line_is_prose(line: str) -> bool:
    return line[0].isalpha() and not line.startswith("flowchart")
