"""Small words in capitals before a name are no part of it."""

import pytest

from tests.rules.checks.reading import rules_found

CHAPTER = {
    "es": """# Capítulo 1 · «x»

# Capítulo 1 · Escena 1.1 — «x»

## Plan acordado

- LUGAR: El muelle.
- PRESENTES: PJs, la Guardia de Honor, Capitana Vane.
- SITUACIÓN INICIAL: La Guardia de Honor espera con la Capitana Vane.
- ACCIÓN DEL JUGADOR: Hablar con ella.
- POSIBLES RESULTADOS:
    - Éxito: La Guardia de Honor se retira.
- CAMBIO DE ESTADO: El muelle queda libre.

## Prosa aprobada

{prose} Si sale bien, con éxito, la guardia se retira.
""",
    "en": """# Chapter 1 · “x”

# Chapter 1 · Scene 1.1 — “x”

## Agreed plan

- PLACE: The Blackwater Docks.
- PRESENT: PCs, Captain Vane.
- INITIAL SITUATION: Captain Vane waits at the Blackwater Docks.
- PLAYER ACTION: Talk to her.
- POSSIBLE OUTCOMES:
    - Success: Captain Vane leaves.
- STATE CHANGE: The Blackwater Docks are free.

## Approved prose

{prose} On a success, Captain Vane leaves.
""",
}


@pytest.mark.parametrize(
    ("language", "prose"),
    [
        ("es", "Cuando la Guardia de Honor llega, nadie habla."),
        ("es", "Cuando La Guardia de Honor llega, nadie habla."),
        ("es", "Desde La Guardia de Honor nadie responde."),
        ("en", "At the Blackwater Docks nobody speaks."),
        ("en", "At The Blackwater Docks nobody speaks."),
        ("en", "By then Captain Vane has gone."),
        ("en", "By Then Captain Vane has gone."),
    ],
)
def test_a_right_name_after_small_words_is_right(language: str, prose: str) -> None:
    assert "name-drift" not in rules_found(CHAPTER[language].format(prose=prose))
