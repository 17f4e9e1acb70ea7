"""An outcome is dropped where the prose tells the others by their degree and this one in no way."""

import pytest

from tests.rules.checks.planned import chapter
from tests.rules.checks.reading import findings

PLANS = {
    "es": (
        "La sala de la rueda.",
        "Lyra y Bruno; el molinero Hugo.",
        "La rueda está parada y el agua llega por la acequia.",
        "Soltar la rueda exige una prueba de Fuerza (Atletismo) CD 14. Quien toca el eje hace una tirada de "
        "salvación de Destreza CD 13: si falla, recibe 2d6 de daño contundente.",
        (
            "Éxito: La rueda gira y Hugo paga la deuda con tres sacos.",
            "Éxito parcial: La rueda gira, pero se parte una pala y el ruido despierta al perro.",
            "Fallo: El eje se atasca, sube el barro y la noche se pierde cavando.",
        ),
        "Amanece en el molino.",
    ),
    "en": (
        "The wheel room.",
        "Lyra and Bruno; Hugo the miller.",
        "The wheel stands still and water comes down the race.",
        "Freeing the wheel takes a DC 14 Strength (Athletics) check. Whoever touches the axle makes a DC 13 "
        "Dexterity saving throw, taking 2d6 bludgeoning damage on a failed save.",
        (
            "Success: The wheel turns and Hugo pays his debt with three sacks.",
            "Partial success: The wheel turns, but a paddle splits and the noise wakes the dog.",
            "Failure: The axle jams, mud rises and the night is lost to digging.",
        ),
        "Morning comes to the mill.",
    ),
}
OPENINGS = {
    "es": "La rueda está parada. Soltarla exige una prueba de Fuerza (Atletismo) CD 14. Quien toca el eje "
    "hace una tirada de salvación de Destreza CD 13: si falla, recibe 2d6 de daño contundente.",
    "en": "The wheel stands still. Freeing it takes a DC 14 Strength (Athletics) check. Whoever touches the "
    "axle makes a DC 13 Dexterity saving throw, taking 2d6 bludgeoning damage on a failed save.",
}
TELLINGS = [
    # (language, success, partial success, failure)
    (
        "es",
        "En caso de éxito, la rueda gira y Hugo paga la deuda con tres sacos.",
        " En caso de éxito parcial la rueda gira, pero se parte una pala y el ruido despierta al perro.",
        " En caso de fallo el eje se atasca, sube el barro y la noche se pierde cavando.",
    ),
    (
        "es",
        "| Éxito | La rueda gira y Hugo paga la deuda con tres sacos. |\n",
        "| Éxito parcial | La rueda gira, pero se parte una pala y el ruido despierta al perro. |\n",
        "| Fallo | El eje se atasca, sube el barro y la noche se pierde cavando. |\n",
    ),
    (
        "es",
        "> **Éxito.** La rueda gira y Hugo paga la deuda con tres sacos.\n>\n",
        "> **Éxito parcial.** La rueda gira, pero se parte una pala y el ruido despierta al perro.\n>\n",
        "> **Fallo.** El eje se atasca, sube el barro y la noche se pierde cavando.\n",
    ),
    (
        "en",
        "**On a success**, the wheel turns and Hugo pays his debt with three sacks.",
        " **On a partial success**, the wheel turns, but a paddle splits and the noise wakes the dog.",
        " **On a failure**, the axle jams, mud rises and the night is lost to digging.",
    ),
    (
        "en",
        "| Success | The wheel turns and Hugo pays his debt with three sacks. |\n",
        "| Partial success | The wheel turns, but a paddle splits and the noise wakes the dog. |\n",
        "| Failure | The axle jams, mud rises and the night is lost to digging. |\n",
    ),
    (
        "en",
        "- If it is done well, the wheel turns and Hugo pays his debt with three sacks (*success*).\n",
        "- If half done, it turns, but a paddle splits and the noise wakes the dog (*partial success*).\n",
        "- If it is not, the axle jams, mud rises and the night is lost to digging (*failure*).\n",
    ),
]


def dropped(language: str, told: str) -> list[str]:
    """The labels of the outcomes that are found to be dropped."""
    source = chapter(language, PLANS[language], f"{OPENINGS[language]}\n\n{told}")
    found = [f for f in findings(source, language=language) if f.rule == "outcome-dropped"]
    return [f.expected.partition(":")[0] for f in found]


@pytest.mark.parametrize(("language", "success", "partial", "failure"), TELLINGS)
@pytest.mark.parametrize("gone", [None, 0, 1, 2])
def test_the_degree_that_is_gone_is_told_of_and_no_other(
    language: str, success: str, partial: str, failure: str, gone: int | None
) -> None:
    every = (success, partial, failure)
    labels = [outcome.partition(":")[0] for outcome in PLANS[language][4]]
    told = "".join(text for index, text in enumerate(every) if index != gone)
    assert dropped(language, told) == ([] if gone is None else [labels[gone]])


LOOSELY = [
    # (language, how a failure is told in other words than the plan's, why it counts)
    ("es", " De lo contrario no hay molienda.", "a cue beside the others"),
    ("es", " Si la cosa sale mal, no hay molienda.", "another cue"),
    ("es", " Y si no, el eje queda atascado, el barro sube y pasan la noche cavando.", "its own words"),
    ("en", " Otherwise there is no flour.", "a cue beside the others"),
    ("en", " If it all goes wrong, there is no flour.", "another cue"),
    ("en", " Or the axle jams, the mud rises and they spend the night digging.", "its own words"),
]


@pytest.mark.parametrize(("language", "failure", "why"), LOOSELY)
def test_an_outcome_told_loosely_beside_the_others_is_told(language: str, failure: str, why: str) -> None:
    _, success, partial, _ = next(t for t in TELLINGS if t[0] == language)
    assert dropped(language, success + partial + failure) == [], why


def test_degrees_of_rolls_are_no_outcomes() -> None:
    """Where the prose tells all outcomes without a degree, the rolls' degrees ask for nothing."""
    told = (
        "The wheel turns and Hugo pays his debt with three sacks. Or it turns, but a paddle splits and the "
        "noise wakes the dog. Or the axle jams, mud rises and the night is lost to digging."
    )
    assert dropped("en", told) == []
