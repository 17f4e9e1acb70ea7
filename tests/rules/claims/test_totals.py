"""A check told by the total that it must reach, in the words of many authors; and what is none."""

import pytest

from rules.claims.extract import extract
from rules.claims.model import BareDC, Check
from rules.document import Passage
from rules.ruleset import load_ruleset

TOLD: list[tuple[str, str, int]] = [
    ("es", "Para cruzar sin ruido hay que sacar al menos un 11 en Destreza (Sigilo).", 11),
    ("es", "Quien quiera mirarle las manos tira Percepción contra 17.", 17),
    ("es", "Hace falta un 15 o más en Sigilo para pasar.", 15),
    ("es", "Con un 14 o más en Atletismo se alcanza la cornisa.", 14),
    ("es", "Se pide Sigilo a dificultad 15.", 15),
    ("es", "Bastará un resultado de 13 en Perspicacia.", 13),
    ("es", "Hay que llegar a 16 en Fuerza (Atletismo).", 16),
    ("es", "La prueba de Sigilo exige un 15.", 15),
    ("es", "Sigilo 15+ para no ser vistos.", 15),
    ("es", "Una tirada de Percepción (15) descubre la trampa.", 15),
    ("en", "Crossing unheard takes at least an 11 on a Dexterity (Stealth) check.", 11),
    ("en", "Whoever looks at his hands rolls Perception against 17.", 17),
    ("en", "You need a 15 or better in Stealth to pass.", 15),
    ("en", "A result of 14 or higher on Athletics reaches the ledge.", 14),
    ("en", "A total of 13 on an Insight check will do.", 13),
    ("en", "The Stealth check needs a 15.", 15),
    ("en", "Stealth 15+ to stay unseen.", 15),
    ("en", "A Perception roll (15) spots the trap.", 15),
]
TOO_LOW: list[tuple[str, str, int]] = [
    ("es", "Exige Juego de Manos, y cualquier resultado por debajo de 18 obliga a empezar de nuevo.", 18),
    ("es", "Se tira Atletismo: todo lo que baje de 12 es una caída.", 12),
    ("en", "It calls for Sleight of Hand, and anything below an 18 means starting over.", 18),
    ("en", "Roll Athletics; a result under 12 is a fall.", 12),
]
NO_TOTAL: list[tuple[str, str]] = [
    ("es", "Quien saque 18 años en prisión queda libre."),
    ("es", "El guardia pide 15 monedas en Aguas Profundas."),
    ("es", "Se necesitan 12 Guardias de Honor en Palacio."),
    ("es", "Lanza Sigilo contra 12 guardias y gana."),
    ("es", "Cualquier cosa por debajo de 18 años paga la mitad."),
    ("en", "The clerk asks 15 crowns in Waterdeep."),
    ("en", "Anything below 18 years of age is free."),
    ("en", "Twelve Honor Guards in Perception Hall wait."),
]


def _claims(language: str, text: str, kind: type[Check] | type[BareDC]) -> list[int]:
    found = extract(Passage(text, 0), language, load_ruleset("srd5e"))
    return [d.value for claim in found if isinstance(claim, kind) for d in claim.dcs]


@pytest.mark.parametrize(("language", "text", "total"), TOLD)
def test_a_total_to_reach_is_a_dc(language: str, text: str, total: int) -> None:
    assert _claims(language, text, Check) == [total]


@pytest.mark.parametrize(("language", "text", "total"), TOO_LOW)
def test_a_total_that_is_too_low_tells_the_dc(language: str, text: str, total: int) -> None:
    assert _claims(language, text, BareDC) == [total]


@pytest.mark.parametrize(("language", "text"), NO_TOTAL)
def test_other_numbers_are_no_totals(language: str, text: str) -> None:
    assert _claims(language, text, Check) + _claims(language, text, BareDC) == []
