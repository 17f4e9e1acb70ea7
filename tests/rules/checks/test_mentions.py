"""A wrong word that a text names is no fault; one that it uses is, also beside words about words."""

import pytest

from tests.rules.checks.reading import findings

NAMED = [
    "En el borrador ponía «cobertura parcial». Ya está corregido.",
    "The draft had “partial cover” where the rules say half cover.",
    "¿Puedo usar mi acción adicional en el turno de otro? No.",
]
USED = [
    "Traducir las runas lleva una hora. Los sacos dan **cobertura parcial**.",
    "La leyenda habla de un muro. El muro da cobertura parcial.",
    "They translate the runes by the wall, which gives **partial cover**.",
    "The terms of the deal are on the table, which gives partial cover.",
]


@pytest.mark.parametrize("text", NAMED)
def test_what_is_named_is_no_error(text: str) -> None:
    assert [f.rule for f in findings(text + "\n") if f.severity == "error"] == []


@pytest.mark.parametrize("text", USED)
def test_what_is_used_is_found(text: str) -> None:
    assert "cover-degree" in {f.rule for f in findings(text + "\n")}
