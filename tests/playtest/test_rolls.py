"""How a scene's roll is made: against whom, by how many, how often, with what."""

from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.odds.rolls import Check, contest
from tests.playtest.chapters import Scene, play

OUTCOMES = {"es": ("Éxito: Pasan.", "Fallo: No."), "en": ("Success: In.", "Failure: Out.")}
STEALTH = 5
"""Of the best of the party at it; the others have 0."""


def chance(language: str, action: str) -> float:
    """The chance of the first outcome."""
    return play(language, [Scene(action, OUTCOMES[language])]).scenes[0].ways[0].chance


PASSIVE = [
    ("es", "Sigilo contra la Percepción pasiva {n} del guardia."),
    ("es", "Sigilo contra la Percepción pasiva del guardia ({n})."),
    ("es", "Una prueba de Sigilo contra la Percepción pasiva {n} del guardia."),
    ("es", "Sigilo frente a Percepción pasiva {n}."),
    ("en", "A Dexterity (Stealth) check against the guard's passive Perception of {n}."),
    ("en", "Stealth vs. passive Perception {n}."),
    ("en", "Make a Stealth check contested by the guard's passive Perception ({n})."),
]


@pytest.mark.parametrize(("language", "action"), PASSIVE)
@pytest.mark.parametrize("score", [8, 13, 17])
def test_a_passive_score_is_a_dc(language: str, action: str, score: int) -> None:
    assert chance(language, action.format(n=score)) == pytest.approx((21 + STEALTH - score) / 20)


RIVALS = [
    ("es", "Prueba enfrentada de Sigilo contra Percepción del guardia ({n})."),
    ("es", "Sigilo contra Percepción {n} del guardia."),
    ("es", "Prueba enfrentada de Sigilo contra la Percepción del ogro ({n}), y luego se esconden."),
    ("en", "A Stealth check contested by the guard's Perception ({n})."),
]


@pytest.mark.parametrize(("language", "action"), RIVALS)
@pytest.mark.parametrize("bonus", [-1, 0, 7])
def test_a_stated_rival_rolls_with_its_bonus(language: str, action: str, bonus: int) -> None:
    found = play(language, [Scene(action.format(n=f"{bonus:+d}"), OUTCOMES[language])])
    assert found.scenes[0].ways[0].chance == pytest.approx(contest(Check(STEALTH), Check(bonus)).win)
    assert "opponent" not in found.notes


def test_a_rival_of_whom_nothing_is_known_is_supposed_and_said() -> None:
    found = play("es", [Scene("Prueba enfrentada de Sigilo contra Percepción.", OUTCOMES["es"])])
    assert found.scenes[0].ways[0].chance == pytest.approx(contest(Check(STEALTH), Check(2)).win)
    assert "opponent" in found.notes


GROUPS = [
    ("es", "Prueba de grupo de Sigilo CD 12."),
    ("es", "Prueba de Sigilo grupal CD 12."),
    ("es", "Sigilo en grupo CD 12."),
    ("es", "Sigilo grupal (CD 12)."),
    ("en", "Group Stealth check DC 12 to creep out."),
    ("en", "A DC 12 group Stealth check."),
    ("en", "A DC 12 Dexterity (Stealth) group check."),
]


@pytest.mark.parametrize(("language", "action"), GROUPS)
def test_a_groups_check_is_one_of_the_group(language: str, action: str) -> None:
    """Two of four must pass: one at 0.7, three at 0.45."""
    none, one = 0.3 * 0.55**3, 0.7 * 0.55**3 + 0.3 * 3 * 0.45 * 0.55**2
    assert chance(language, action) == pytest.approx(1 - none - one)


MODES = [
    (
        "es",
        "Atletismo CD 12 con ventaja gracias a la cuerda, y luego Sigilo CD 10 con desventaja.",
        (1 - 0.2**2) * 0.8**2,
    ),
    ("es", "Atletismo CD 12 con ventaja, y luego Sigilo CD 10.", (1 - 0.2**2) * 0.8),
    ("es", "Con ventaja, Atletismo CD 12 y luego Sigilo CD 10.", (1 - 0.2**2) * (1 - 0.2**2)),
    ("es", "Atletismo CD 12 y luego Sigilo CD 10, ambas con ventaja.", (1 - 0.2**2) * (1 - 0.2**2)),
    ("es", "Sigilo CD 10 con ventaja y desventaja.", 0.8),
    (
        "en",
        "A DC 10 Stealth check with advantage, then a DC 12 Athletics check with disadvantage.",
        (1 - 0.2**2) * 0.8**2,
    ),
    ("en", "Persuasion DC 14 with advantage, or a Dexterity saving throw DC 19.", 1 - 0.65**2),
    (
        "en",
        "With advantage on the Stealth check DC 10, and then disadvantage on the Athletics check DC 12.",
        (1 - 0.2**2) * 0.8**2,
    ),
]


@pytest.mark.parametrize(("language", "action", "wanted"), MODES)
def test_advantage_is_of_the_roll_of_which_it_is_told(language: str, action: str, wanted: float) -> None:
    assert chance(language, action) == pytest.approx(wanted)


SERIES = {
    "es": (
        "{n} pruebas con éxito de Sigilo CD {dc} antes de {m} fallos.",
        "Sigilo CD {dc}: {n} éxitos antes de {m} fallos.",
        "Hacen falta {n} éxitos antes de acumular {m} fallos. Sigilo (CD {dc}).",
    ),
    "en": (
        "{n} successful Stealth checks DC {dc} before {m} failures.",
        "A DC {dc} Stealth check: {n} successes before {m} failures.",
    ),
}


@settings(max_examples=60, deadline=None)
@given(data=st.data(), n=st.integers(2, 6), m=st.integers(2, 5), dc=st.integers(7, 24))
def test_so_many_successes_before_so_many_failures(data: st.DataObject, n: int, m: int, dc: int) -> None:
    language = data.draw(st.sampled_from(["es", "en"]))
    action = data.draw(st.sampled_from(SERIES[language]))
    p = (21 + STEALTH - dc) / 20
    throws = n + m - 1
    wanted = sum(comb(throws, k) * p**k * (1 - p) ** (throws - k) for k in range(n, throws + 1))
    assert chance(language, action.format(n=n, m=m, dc=dc)) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("language", "action"),
    [
        ("es", "Tres éxitos de Sigilo CD 13 antes de tres fallos."),
        ("en", "Stealth DC 13: three successes before three failures."),
    ],
)
def test_a_series_in_words_and_what_it_needs_is_kept(language: str, action: str) -> None:
    found = play(language, [Scene(action, OUTCOMES[language])])
    assert found.scenes[0].throws[0].throw.series == (3, 3)
    assert "several" in found.notes
