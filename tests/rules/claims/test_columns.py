"""Tables whose head says that a column's numbers are DCs: each row is a check or a saving throw."""

import pytest

from rules.claims.extract import extract
from rules.claims.model import BareDC, Check, Save
from rules.document import Passage
from rules.ruleset import load_ruleset

TABLES = [
    ("es", "| Si alguien quiere… | Prueba | CD |\n|---|---|---|\n| subir | Destreza (Acrobacias) | 14 |",
     Check, [14]),
    ("es", "| Prueba | Qué | CD |\n|:--|:-:|--:|\n| *Percepción* | ver | **13** |\n| Carisma | hablar | 15 |",
     Check, [13, 15]),
    ("en", "DC | Skill | What\n--- | --- | ---\n14 | Stealth | pass\n12 | Perception | hear",
     Check, [14, 12]),
    ("en", "| Check | DC |\n|---|---|\n| Wisdom (Insight) | 12 (9 for a gnome) |", Check, [12]),
    ("en", "| Saving throw | DC | Damage |\n|---|---|---|\n| Dexterity | 12 | 2d6 |", Save, [12]),
]  # fmt: skip
NONE = [
    ("en", "| Skill | Rank |\n|---|---|\n| Stealth | 14 |"),
    ("en", "| Skill | DC |\n| Stealth | 14 |\n"),
    ("en", "| Check or saving throw | DC |\n|---|---|\n| Dexterity | 12 |"),
]


@pytest.mark.parametrize(("language", "text", "kind", "values"), TABLES)
def test_a_number_under_the_word_for_a_dc_is_one(
    language: str, text: str, kind: type[Check] | type[Save], values: list[int]
) -> None:
    claims = extract(Passage(text, 0), language, load_ruleset())
    assert [c.dc for c in claims if isinstance(c, kind) and c.dcs] == values


@pytest.mark.parametrize(("language", "text"), NONE)
def test_other_numbers_of_a_table_are_none(language: str, text: str) -> None:
    claims = extract(Passage(text, 0), language, load_ruleset())
    assert [c for c in claims if isinstance(c, (Check, Save, BareDC)) and c.dcs] == []


def test_the_rows_of_a_table_are_not_mixed() -> None:
    text = "| Skill | DC |\n|---|---|\n| Stealth | |\n| Perception | 12 |"
    checks = [c for c in extract(Passage(text, 0), "en", load_ruleset()) if isinstance(c, Check)]
    assert [(c.options[0].skill and c.options[0].skill.id, c.dc) for c in checks if c.dcs] == [
        ("perception", 12)
    ]
