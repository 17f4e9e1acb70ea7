"""A length with a half, in words, is held against the plan's like any other."""

import pytest

from tests.rules.checks.planned import chapter
from tests.rules.checks.reading import findings

PLANS = {
    "es": (
        "La sala de la rueda.",
        "Lyra y Bruno; Hugo.",
        "{length}",
        "Hablar con Hugo.",
        ("Éxito: Hugo paga la deuda.", "Fallo: Hugo cierra el molino."),
        "Amanece.",
    ),
    "en": (
        "The wheel room.",
        "Lyra and Bruno; Hugo.",
        "{length}",
        "Talk to Hugo.",
        ("Success: Hugo pays his debt.", "Failure: Hugo shuts the mill."),
        "Morning.",
    ),
}
ENDS = {
    "es": "Con éxito, Hugo paga la deuda. Con un fallo, Hugo cierra el molino.",
    "en": "On a success, Hugo pays his debt. On a failure, Hugo shuts the mill.",
}
LENGTHS = [
    # (language, the plan, the prose, whether it is another length)
    ("es", "Del techo cuelga un carámbano de 4 metros.", "Cuelga un carámbano de metro y medio.", True),
    ("es", "Del techo cuelga un carámbano de 1,5 metros.", "Cuelga un carámbano de metro y medio.", False),
    ("es", "Hay un foso de 6 metros.", "Un foso de dos metros y medio parte la sala.", True),
    ("es", "Hay un foso de 2,5 metros.", "Un foso de dos metros y medio parte la sala.", False),
    ("es", "El faro está a 3 kilómetros de la sala.", "Está a kilómetro y medio de la sala.", True),
    ("es", "El faro está a 1,5 kilómetros de la sala.", "Está a kilómetro y medio de la sala.", False),
    ("es", "Del techo cuelga un carámbano de 4 metros.", "Cuelga un carámbano a medio fundir.", False),
    ("es", "Hay un foso de 6 metros.", "El foso hiere pie y media pierna a quien no mira.", False),
    ("en", "A rope of 10 yards hangs there.", "There hangs a rope of a yard and a half.", True),
    ("en", "A rope of 1.5 yards hangs there.", "There hangs a rope of a yard and a half.", False),
    ("en", "The lighthouse is 3 miles from the room.", "It is half a mile from the room.", True),
    ("en", "The lighthouse is 0.5 miles from the room.", "It is half a mile from the room.", False),
    ("en", "The lighthouse is 5 miles from the room.", "It is two and a half miles from the room.", True),
    ("en", "A rope of 10 yards hangs there.", "A rope hangs there, yard upon yard and half rotten.", False),
]


@pytest.mark.parametrize(("language", "planned", "told", "drifts"), LENGTHS)
def test_a_length_with_a_half_is_held_against_the_plan(
    language: str, planned: str, told: str, drifts: bool
) -> None:
    plan = [planned if field == "{length}" else field for field in PLANS[language]]
    found = findings(chapter(language, plan, f"{told}\n\n{ENDS[language]}"), language=language)
    assert ("distance-drift" in {f.rule for f in found}) is drifts
