"""A short sentence wholly in the other language is found in plan and prose; a name or a loan is not."""

import pytest

from tests.rules.checks.planned import chapter
from tests.rules.checks.reading import findings

PLANS = {
    "es": (
        "La sala de la rueda.",
        "Lyra y Bruno; Hugo.",
        "La rueda está parada y nadie la mira.",
        "Hablar con Hugo.",
        ("Éxito: Hugo paga la deuda.", "Fallo: Hugo cierra el molino."),
    ),
    "en": (
        "The wheel room.",
        "Lyra and Bruno; Hugo.",
        "The wheel stands still and nobody looks at it.",
        "Talk to Hugo.",
        ("Success: Hugo pays his debt.", "Failure: Hugo shuts the mill."),
    ),
}
ENDS = {
    "es": "Con éxito, Hugo paga la deuda. Con un fallo, Hugo cierra el molino.",
    "en": "On a success, Hugo pays his debt. On a failure, Hugo shuts the mill.",
}
LAST = {"es": "Amanece.", "en": "Morning."}
FOREIGN = [
    ("en", "La subasta empieza dentro de media hora."),
    ("en", "Nuria deja la llave sobre la mesa."),
    ("en", "El agua cubre los bancos hasta mañana."),
    ("en", "Nadie quiere volver por el mismo camino."),
    ("es", "The sale begins in half an hour."),
    ("es", "Hugo leaves the key at home."),
    ("es", "Water covers the benches until tomorrow, and nobody will cross."),
    ("es", "Nobody wants to walk there again."),
]
NATIVE = [
    ("en", "La Casa de la Luna is shut.", "a name in an English sentence"),
    ("en", "La Casa de la Luna Roja.", "a name alone"),
    ("en", "Solo sea era, no sin con son.", "words of both languages"),
    ("en", "Captain Ruiz de la Vega keeps faith.", "a family's name"),
    ("en", "A son hay tan sea lo era.", "words of both languages"),
    ("en", "He shouts: “¡La rueda de la muerte no para!”", "somebody says it"),
    ("es", "The Doors tocan esta noche aquí.", "a name in a Spanish sentence"),
    ("es", "The House of the Red Moon.", "a name alone"),
    ("es", "Has visto he aquí pan candeal.", "words of both languages"),
    ("es", "Rápido, jazz, rock, blues, whisky.", "loans"),
    ("es", "Grita: «The wheel of the dead turns on!»", "somebody says it"),
]


def mixed(language: str, last: str, opening: str) -> list[str]:
    """What is found to be in another language."""
    source = chapter(language, (*PLANS[language], last), f"{opening}\n\n{ENDS[language]}".strip())
    found = findings(source, language=language)
    return [f.quote for f in found if f.rule == "mixed-language"]


@pytest.mark.parametrize(("language", "sentence"), FOREIGN)
def test_a_short_foreign_sentence_is_found_in_a_plan_and_in_a_prose(language: str, sentence: str) -> None:
    assert set(mixed(language, sentence, "")) == {sentence}
    assert set(mixed(language, LAST[language], sentence)) == {sentence}


@pytest.mark.parametrize(("language", "sentence", "why"), NATIVE)
def test_a_name_a_loan_and_a_word_of_both_languages_are_right(language: str, sentence: str, why: str) -> None:
    assert mixed(language, sentence, "") == [], why
    assert mixed(language, LAST[language], sentence) == [], why
