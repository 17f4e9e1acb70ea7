"""Right sentences that an independent editor saw reported: no error and no warning may come back."""

import pytest

from concilio.chapterfile.reader import read_document
from rules.engine import check
from rules.facts import Facts
from rules.ruleset import load_ruleset

RIGHT = [
    (
        "es",
        "Si cae, los ogros pierden su turno... y la viga también cae: quien esté a menos de 3 metros debe "
        "superar una tirada de salvación de Destreza CD 12 o recibir 2d10 de daño contundente.",
    ),
    (
        "es",
        "Una caída de 4 metros causa 1d6 de daño contundente; la lluvia de tejas que la sigue, otros 2d4 "
        "de daño contundente.",
    ),
    ("en", "A fall of 10 feet deals 1d6 bludgeoning damage; the tiles that follow, another 2d4."),
    (
        "en",
        "The shelf lies under a 30-foot cliff. A creature that fails by 5 or more falls from halfway up, "
        "taking 1d6 bludgeoning damage.",
    ),
    (
        "en",
        "A character who misses him with an attack doesn't give him any opening; he makes opportunity "
        "attacks only when somebody steps out of his reach.",
    ),
]
WRONG = [
    ("es", "Una caída de 6 metros causa 5d6 de daño contundente."),
    ("en", "A creature that falls 30 feet takes 1d6 bludgeoning damage."),
    ("en", "A creature that misses the ogre with an attack provokes an opportunity attack."),
]


def _found(language: str, text: str) -> set[str]:
    read = read_document(f"{text}\n", "x.md", "es" if language == "es" else "en")
    return {f.rule for f in check(read, load_ruleset("srd5e"), Facts())}


@pytest.mark.parametrize(("language", "text"), RIGHT)
def test_what_is_right_is_left_alone(language: str, text: str) -> None:
    assert not _found(language, text) & {"fall-damage", "opportunity-attack-trigger"}


@pytest.mark.parametrize(("language", "text"), WRONG)
def test_what_is_wrong_is_still_found(language: str, text: str) -> None:
    assert _found(language, text) & {"fall-damage", "opportunity-attack-trigger"}
