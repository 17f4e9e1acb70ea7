"""A scene's rolls are told at its head, with the advantage that its text gives on them."""

import json
import re

import pytest

from concilio.export.foundry import to_foundry
from concilio.export.homebrewery import to_homebrewery
from concilio.export.html import to_html
from concilio.export.pdf_values import values_of
from concilio.export.sheet import Printer
from rules.ruleset import Ruleset
from tests.export import samples
from tests.export.conftest import Booking

LAMPS = "Quien aproveche los faroles tiene ventaja en la tirada."


@pytest.mark.parametrize(
    ("language", "prose", "rolls", "edges"),
    [
        ("es", "Una prueba de Fuerza (Atletismo) CD 15 con ventaja.", ["CD 15 con ventaja"], []),
        ("es", "Salvación de Destreza CD 12 con desventaja.", ["CD 12 con desventaja"], []),
        ("es", f"Una prueba de Fuerza (Atletismo) CD 15.\n\n{LAMPS}", ["CD 15"], [LAMPS]),
        (
            "es",
            "Si alguien ayuda, la prueba de Fuerza (Atletismo) CD 15 se hace con ventaja.",
            ["CD 15"],
            ["Si alguien ayuda, la prueba de Fuerza (Atletismo) CD 15 se hace con ventaja."],
        ),
        ("es", "Una prueba de Sabiduría (Percepción) CD 14. Atacan al guardia con ventaja.", ["CD 14"], []),
        ("es", f"Prueba de Fuerza CD 15. {LAMPS}\n\n{LAMPS.upper()}", ["CD 15"], [LAMPS.upper()]),
        ("es", f"«{LAMPS}», dice. Una prueba de Fuerza CD 15.", ["CD 15"], []),
        ("en", "A DC 16 Strength (Athletics) check with advantage.", ["DC 16 with advantage"], []),
        (
            "en",
            "A DC 16 Strength (Athletics) check. Making use of the lamps gives advantage on the roll.",
            ["DC 16"],
            ["Making use of the lamps gives advantage on the roll."],
        ),
    ],
)
def test_advantage_is_told_with_the_rolls(
    booked: Booking, ruleset: Ruleset, language: str, prose: str, rolls: list[str], edges: list[str]
) -> None:
    chapter = samples.chapter(prose, "Nada" if language == "es" else "Nothing", language=language)
    book = booked(chapter)
    scene, printer = book.scenes[0], Printer(book, ruleset)
    asked = [printer.dc(roll) for roll in scene.rolls if roll.dcs != (13,)]  # the sample plan's own
    assert asked == rolls
    assert list(scene.edges) == edges


def test_the_plans_words_stand_where_the_prose_has_none(booked: Booking) -> None:
    sample = samples.chapter("Nada.")
    plan = sample.scenes[0].plan
    plan = plan.model_copy(update={"player_action": f"{plan.player_action} {LAMPS}"})
    scene = sample.scenes[0].model_copy(update={"plan": plan})
    assert booked(sample.model_copy(update={"scenes": (scene,)})).scenes[0].edges == (LAMPS,)


def test_each_form_tells_them_above_the_text(booked: Booking, ruleset: Ruleset) -> None:
    book = booked(samples.chapter(f"Hay luz.\n\nUna prueba de Fuerza (Atletismo) CD 15 con ventaja. {LAMPS}"))
    pages = json.loads(to_foundry(book, ruleset)["packs/_source/journal/journal.json"])["pages"]
    row = values_of(book, ruleset)["scenes"][0]["facts"][-1]
    assert "Fuerza (Atletismo) CD\u00a015 con ventaja" in row["text"]
    assert row["notes"] == [LAMPS]
    for form in (to_html(book, ruleset), to_homebrewery(book, ruleset), pages[1]["text"]["content"]):
        text = re.sub(r"<[^>]+>|\*", " ", form)
        assert "CD 15 con ventaja" in text
        assert text.count(LAMPS) == 2
        assert text.index("con ventaja") < text.index(LAMPS) < text.index("Hay luz.")
