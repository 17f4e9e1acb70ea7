"""Templates are filled once, and sentences begin with a capital."""

import pytest

from agents.embedded.slots import fill, pick, rng

VALUES = {"foe": "la guardia", "place": "el salón", "raw": "{foe} {{ 7*7 }}"}
CASES = [
    ("{foe} avanza.", "La guardia avanza."),
    ("Ahora {foe} avanza. {place} arde.", "Ahora la guardia avanza. El salón arde."),
    ("¿{foe} duerme? ¡{place}!", "¿La guardia duerme? ¡El salón!"),
    ("—Quietos —dice {foe}.", "—Quietos —dice la guardia."),
    ("Se ve: {place}", "Se ve: el salón"),
    ("“Halt.” {foe} waits.", "“Halt.” La guardia waits."),
    ("“Halt!” {foe} says.", "“Halt!” la guardia says."),
    ("Dicen {raw}.", "Dicen {foe} {{ 7*7 }}."),
]


@pytest.mark.parametrize(("template", "text"), CASES)
def test_slots(template: str, text: str):
    assert fill(template, VALUES) == text


def test_a_slot_without_value_is_our_fault():
    with pytest.raises(KeyError):
        fill("{nobody}", VALUES)


def test_choices_depend_on_their_parts_alone():
    options = list(range(100))
    assert pick(options, 1, "a") == pick(options, 1, "a")
    assert {pick(options, seed, "a") for seed in range(50)} != {pick(options, 0, "a")}
    assert rng("x").random() == rng("x").random()
