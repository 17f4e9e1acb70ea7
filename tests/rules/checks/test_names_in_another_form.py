"""A name with one word in another form, or one word of several changed, is the plan's name misspelt."""

import pytest

from tests.rules.checks.planned import chapter
from tests.rules.checks.reading import findings

PLANS = {
    "es": (
        "La sala de la rueda.",
        "Lyra y Bruno; Hugo.",
        "En una hornacina está la Balanza de Nácar. La Corona de Plata cuelga de la pared y el Cofre de "
        "Hierro Viejo guarda la sal.",
        "Hablar con Hugo.",
        ("Éxito: El grupo tiene la Balanza de Nácar.", "Fallo: Hugo se queda con la Corona de Plata."),
        "Amanece; la Puerta de Sal y la Puerta Salina quedan abiertas.",
    ),
    "en": (
        "The wheel room.",
        "Lyra and Bruno; Hugo.",
        "The Bog-Oak Oar lies across his knees. The Gold Crown hangs from the wall and the Book of Nine "
        "Rivers is shut.",
        "Talk to Hugo.",
        ("Success: The party has the Bog-Oak Oar.", "Failure: Hugo keeps the Gold Crown."),
        "Morning; the Salt Gate and the Salty Gate are open.",
    ),
}
ENDS = {
    "es": "Con éxito, el grupo tiene la Balanza de Nácar. Si falla, Hugo se queda con la Corona de Plata.",
    "en": "On a success, the party has the Bog-Oak Oar. On a failure, Hugo keeps the Gold Crown.",
}
DRIFTS = [
    # (language, sentence, the name as it is told, the plan's name)
    ("es", "Al fondo brilla la Balanza Nacarada.", "Balanza Nacarada", "Balanza de Nácar"),
    ("es", "De un clavo cuelga la Corona Plateada.", "Corona Plateada", "Corona de Plata"),
    ("es", "El Cofre de Hierro Negro está cerrado.", "Cofre de Hierro Negro", "Cofre de Hierro Viejo"),
    ("en", "The Bog-Wood Oar lies across his knees.", "Bog-Wood Oar", "Bog-Oak Oar"),
    ("en", "Across his knees lies the Bog-Stone Oar.", "Bog-Stone Oar", "Bog-Oak Oar"),
    ("en", "From the wall hangs the Golden Crown.", "Golden Crown", "Gold Crown"),
    ("en", "The Book of Nine Streams is wet.", "Book of Nine Streams", "Book of Nine Rivers"),
]
RIGHT = [
    # (language, sentence, why it is right)
    ("es", "Al fondo está la Balanza de Nácar, nacarada y muda.", "a common word"),
    ("es", "La Puerta Salina cruje.", "the plan has both"),
    ("es", "Sobre la mesa hay una balanza nacarada.", "a thing without a name"),
    ("es", "Más allá reluce la Balanza Grande.", "another word, of no such stem"),
    ("en", "The Bog-Oak Oar, black as peat, lies across his knees.", "as the plan has it"),
    ("en", "The Salty Gate creaks.", "the plan has both"),
    ("en", "A golden crown hangs in the window.", "a thing without a name"),
    ("en", "Somewhere a Bog-Iron Bell rings.", "another thing"),
    ("en", "In the rafters hangs a second one, the Bog-Stone Oar.", "both are told, and it is not its place"),
]


def drifts(language: str, sentence: str) -> list[tuple[str, str]]:
    """The names that are found to be others than the plan's, each with the plan's."""
    source = chapter(language, PLANS[language], f"{sentence}\n\n{ENDS[language]}")
    found = findings(source, language=language)
    return [(f.quote, f.expected) for f in found if f.rule == "name-drift"]


@pytest.mark.parametrize(("language", "sentence", "told", "right"), DRIFTS)
def test_a_name_in_another_form_is_found(language: str, sentence: str, told: str, right: str) -> None:
    assert drifts(language, sentence) == [(told, right)]


@pytest.mark.parametrize(("language", "sentence", "why"), RIGHT)
def test_what_only_looks_like_a_name_in_another_form_stays(language: str, sentence: str, why: str) -> None:
    assert drifts(language, sentence) == [], why
