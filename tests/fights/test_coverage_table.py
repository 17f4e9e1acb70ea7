"""docs/fights_coverage.md names tests that exist, each test of a sentence, and leaves no sentence out.

Sentences are counted, never copied: the documents are the designer's.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.chapterfile.seeds import seed

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "fights_coverage.md").read_text(encoding="utf-8")
TESTS = {
    name
    for file in (ROOT / "tests" / "fights").glob("test_*.py")
    for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
}
ASIDE = ("Combate", "Relacionado")
EFFECTS = 13
TOPICS = (*range(1, 13), *[EFFECTS] * 5, *range(14, 29), 29, 29, 27, 27, 30, 30, 31, 31)
"""The topic of each paragraph: the five of effects are an introduction and one of each limb."""


class Row(NamedTuple):
    """A row of the page."""

    place: str
    sentences: str
    what: str
    tests: str


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


def table(heading: str) -> list[Row]:
    """Return the rows of one document: heading or topic, sentences, what, tests."""
    part = PAGE.split(f"\n## {heading}")[1].split("\n## ")[0]
    lines = (line for line in part.splitlines() if line.startswith("| ") and " --- " not in line)
    rows = [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines]
    return [Row(*row) for row in rows[1:]]


def numbers(text: str) -> set[str]:
    """Return the sentences that a cell names: `a 1, a 2`, `1–3`, `2, on reactions`, `all`."""
    found: set[str] = set()
    for each in text.split(", "):
        first, dash, last = each.partition("–")
        if dash:
            found |= {str(n) for n in range(int(first), int(last) + 1)}
        elif re.fullmatch(r"[a-z] \d+|\d+(\.\d+)?|all|[A-Z][\w/]+", each):
            found.add(each)
    return found


@pytest.mark.parametrize("document", ["Combate", "I&A"])
def test_each_row_has_a_test_or_says_why_it_has_none(document: str) -> None:
    rows = table(document)
    assert len(rows) > 40
    reasons = ("not a rule of combat", "**not done**", "discarded")
    bare = [row for row in rows if "`test_" not in row.tests and not any(r in row.what for r in reasons)]
    assert bare == []


def test_the_house_rules_have_a_row_for_each_sentence() -> None:
    told: dict[str, set[str]] = {}
    for row in table("Combate"):
        told.setdefault(row.place, set()).update(numbers(row.sentences))
    stated = house_sentences(document("combate_reglas_de_la_casa.es.md"))
    assert sum(map(len, stated.values())) > 80
    assert {h: sorted(s - told.get(h, set())) for h, s in stated.items() if s - told.get(h, set())} == {}
    assert {h: sorted(t - stated.get(h, set())) for h, t in told.items() if t - stated.get(h, set())} == {}


def test_part_six_has_a_row_for_each_sentence() -> None:
    told: dict[int, set[str]] = {}
    for row in table("I&A"):
        told.setdefault(int(row.place.split()[0]), set()).update(numbers(row.sentences))
    stated = part_six_sentences(document("ia_part6_adventuring.en.md"))
    assert set(stated) == set(told)
    missing = {t: sorted(s - told[t]) for t, s in stated.items() if s - told[t] and "all" not in told[t]}
    assert missing == {}
    assert {t: sorted(told[t] - {"all"} - s) for t, s in stated.items() if told[t] - {"all"} - s} == {}


def document(name: str) -> list[str]:
    """Return the designer's document in lines; the test is skipped where it is not there."""
    return seed(name).splitlines()


def count_of(text: str) -> int:
    """Return how many sentences a text has."""
    bare = re.sub(r"^(•|\d+\.) ", "", text.strip())
    return len(re.split(r"(?<=[.!?])\s+(?=[A-ZÁÉÍÓÚÑ«¿¡])", bare))


def house_sentences(lines: list[str]) -> dict[str, set[str]]:
    """Return the sentences of each heading, named as the page names them."""
    found: dict[str, set[str]] = {}
    heading, drawing = "", False
    place, bullet = 0, 0
    for before, line, after in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        drawing = bool(line) and (drawing or line.startswith("flowchart"))
        if not line or drawing:
            continue
        if not before and not after and len(line) < 50 and line[-1] not in ".:»" and line[0].isalpha():
            heading, place, bullet = line, 0, 0
            continue
        if heading in ASIDE:
            continue
        ids = found.setdefault(heading, set())
        if line.startswith("•") and not line[2].islower():
            bullet += 1
            name = f"{bullet}." if heading == "Cómo empieza" else f"{chr(96 + bullet)} "
            ids |= {f"{name}{n}" for n in range(1, count_of(line) + 1)}
        elif line.startswith("•") or (line.endswith(":") and "." not in line and not lowers(lines, line)):
            continue  # it goes on with the sentence before it, or only leads to a list
        elif "\t" not in line or "\t" not in before:
            count = 1 if "\t" in line else count_of(line)
            ids |= {str(n) for n in range(place + 1, place + count + 1)}
            place += count
    return found


def lowers(lines: list[str], line: str) -> bool:
    """Tell whether the list below a line goes on with its sentence."""
    following = next((each for each in lines[lines.index(line) + 1 :] if each), "")
    return following.startswith("•") and following[2].islower()


def part_six_sentences(lines: list[str]) -> dict[int, set[str]]:
    """Return the sentences of each topic, named as the page names them."""
    paragraphs: list[str] = []
    for line in filter(None, lines[1:]):
        if paragraphs and paragraphs[-1].rstrip()[-1] not in ".:!?":
            paragraphs[-1] += " " + line
        else:
            paragraphs.append(line)
    assert len(paragraphs) == len(TOPICS)
    found: dict[int, set[str]] = {}
    for topic, text in zip(TOPICS, paragraphs, strict=True):
        label = re.match(r"[A-Z][\w/&() ]{2,40}\. ", text)
        ids = found.setdefault(topic, set())
        if topic == EFFECTS:
            ids |= {label[0][:-2]} if label else set()
            continue
        ids |= {str(n) for n in range(len(ids) + 1, len(ids) + 1 + count_of(text) - bool(label))}
    return found
