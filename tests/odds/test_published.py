"""The table of `docs/odds.md`: every figure on that page is computed from the sides on that page."""

import re
from pathlib import Path

import pytest

from rules.odds.combatants import Combatant
from rules.odds.duel import exact_duel
from rules.odds.parser import parse
from rules.odds.sampling import sample_duel
from rules.odds.sides import parse_side

PAGE = (Path(__file__).parents[2] / "docs" / "odds.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| ([^|]+) \| `(hp=[^`]+)` \| (\d+) \| ([\d.]+) \| (\d+) \| ([\d.]+) \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE)
HUNDREDTHS = 4
"""How near an exact figure must be to the published one."""
PUBLISHED = {"SRD thug": (21, 1), "Hugo": (66, 38), "Garrán, alone": (69, 34)}
"""As `rules.md` gives them."""


def hero(name: str) -> Combatant:
    found = re.search(rf"^The {name} is `([^`]+)`", PAGE, re.MULTILINE)
    assert found
    return parse_side(found.group(1))


CELLS = [
    (row[0], name, row[1], int(row[2 + 2 * column]), float(row[3 + 2 * column]))
    for row in ROWS
    for column, name in enumerate(("fighter", "mage"))
]


def test_the_page_has_the_whole_published_table() -> None:
    assert {row[0]: (int(row[2]), int(row[4])) for row in ROWS} == PUBLISHED


@pytest.mark.parametrize(("enemy", "name", "side", "published", "exact"), CELLS)
def test_a_cell(enemy: str, name: str, side: str, published: int, exact: float) -> None:
    found = exact_duel(hero(name), parse_side(side))
    assert 100 * found.p_a == pytest.approx(exact, abs=0.051)
    assert abs(100 * found.p_a - published) <= HUNDREDTHS
    sampled = sample_duel(hero(name), parse_side(side), samples=200_000, seed=11)
    assert sampled.standard_error
    assert abs(sampled.p_a - found.p_a) <= 4 * sampled.standard_error
    assert abs(100 * sampled.p_a - published) <= HUNDREDTHS


COST = {8: 0, 9: 1, 10: 2, 11: 3, 12: 4, 13: 5, 14: 7, 15: 9}
"""Points that a score costs."""


def test_the_fighter_is_legal_at_level_1() -> None:
    """What its armour, shield, scores and longsword give by the SRD."""
    line = re.search(r"^The fighter is `[^`]+`: ([^.]+)\.", PAGE, re.MULTILINE)
    assert line
    assert all(word in line.group(1) for word in ("chain mail", "shield", "longsword"))
    scores = {word: int(n) for word, n in re.findall(r"(Strength|Constitution) (\d+)", line.group(1))}
    strength, constitution = ((scores[name] - 10) // 2 for name in ("Strength", "Constitution"))
    assert "human" in line.group(1), "whose scores are all 1 higher"
    assert sum(COST[score - 1] for score in scores.values()) <= 27
    fighter = hero("fighter")
    assert (fighter.hp, fighter.ac) == (10 + constitution, 16 + 2)
    assert fighter.attack.bonus == 2 + strength
    assert fighter.attack.damage == parse(f"1d8+{strength}")


def test_the_mage_is_legal_at_level_1() -> None:
    """27 points, the high elf's increases, and what follows from them."""
    line = re.search(r"Abilities by the usual 27 points: ([^;]+);", PAGE)
    assert line
    scores = {word: int(n) for word, n in re.findall(r"(\w+) (\d+)", line.group(1))}
    assert len(scores) == 6
    assert sum(COST[score] for score in scores.values()) <= 27
    modifier = {k: (v - 10) // 2 for k, v in scores.items()}
    dexterity, intelligence = (scores["Dexterity"] + 2 - 10) // 2, (scores["Intelligence"] + 1 - 10) // 2
    mage = hero("mage")
    assert mage.hp == 6 + modifier["Constitution"]
    assert mage.ac == 13 + dexterity
    assert mage.attack.bonus == 2 + intelligence
    assert len(mage.opening) == 1  # the other slot of two is the armor's
