"""Scripts for the fake model: plans, reviews and prose that are right, for each test to spoil on purpose."""

# ruff: noqa: E501  (texts of models are one line a paragraph)

from collections.abc import Mapping, Sequence
from typing import Any

ADVENTURE = """---
title: La torre sin puerta
language: es
level: 5
party:
  - {name: Aldana, class: pícaro, level: 5}
  - {name: Bruno, class: guerrero, level: 5}
cast:
  - {name: Mirel, note: guardesa de la torre}
items: [Llave de sal]
---

# Capítulo 1 · «La torre sin puerta»

- ARCO: I
- LUGAR PRINCIPAL: La torre de Mirel.
- OBJETIVO NARRATIVO: Entrar en la torre y salir con la llave.
- ESCENAS APROX: 2
- TIPO DOMINANTE: Sigilo.
- TENSIÓN: Media.
"""

SCENE_1 = """### Capítulo 1 · Escena 1.1 — El muro
- LUGAR: El muro de la torre.
- PRESENTES: PJs, Mirel.
- SITUACIÓN INICIAL: Mirel vigila desde la única ventana y el muro chorrea agua.
- ACCIÓN DEL JUGADOR: Subir por el muro con una prueba de Fuerza (Atletismo) CD 12, o cruzar el patio con una prueba de Destreza (Sigilo) CD 13.
- POSIBLES RESULTADOS:
    - Éxito: El grupo llega a la ventana sin que Mirel levante la vista. (→ 1.2)
    - Éxito parcial: El grupo llega, pero una piedra cae y Mirel cierra el postigo. (→ 1.2)
    - Fallo: Mirel da la voz y el grupo entra por el sótano inundado. (→ 1.2)
- CAMBIO DE ESTADO: El grupo está dentro de la torre."""

SCENE_2 = """### Capítulo 1 · Escena 1.2 — La sala de la sal
- LUGAR: La sala alta.
- PRESENTES: PJs, Mirel.
- SITUACIÓN INICIAL: La Llave de sal cuelga sobre un brasero y Mirel se interpone.
- ACCIÓN DEL JUGADOR: Convencer a Mirel con una prueba de Carisma (Persuasión) CD 13, o tomar la llave con una prueba de Destreza (Juego de Manos) CD 14.
- POSIBLES RESULTADOS:
    - Éxito: Mirel entrega la llave y abre el paso. (→ fin)
    - Éxito parcial: La llave cambia de manos, pero Mirel exige una promesa. (→ fin)
    - Fallo: Mirel arroja la llave al pozo y hay que bajar a buscarla. (→ fin)
- CAMBIO DE ESTADO: La llave ya no está en la torre."""

PLAN = f"{SCENE_1}\n\n{SCENE_2}\n"
ACCEPT = "Las dos escenas se pueden jugar esta noche.\n\nVEREDICTO: aceptar"
PLEASANTRY = "¡Qué maravilla de plan! Enhorabuena a toda la mesa, me ha encantado leerlo."
REFINE = """La 1.2 pide más.

OBJECIÓN | escena 1.2 | resultados | grave | el fallo no tiene precio | que Mirel llame a la guardia
VEREDICTO: refinar"""

PROSE_1 = """El agua baja por el muro y deja en la piedra un brillo de escama. Arriba, en la única ventana, Mirel sostiene un candil.

—Nadie sube aquí sin mojarse —dice Mirel hacia el patio.

El máster pide [[1.1-a]] a quien trepe, o [[1.1-b]] a quien cruce el patio.

- **Éxito**: la ventana queda al alcance y el candil no se mueve.
- **Éxito parcial**: una piedra rueda, el postigo se cierra y hay que forzarlo desde fuera.
- **Fallo**: la voz de Mirel llena el patio; solo queda el sótano inundado.

Dentro, el aire huele a cera y a mar."""

PROSE_2 = """La Llave de sal cuelga sobre el brasero y gira despacio. Mirel se ha puesto delante, con la capa todavía mojada.

—Pedidla bien —advierte Mirel—, o no la pidáis.

El máster pide [[1.2-a]] para convencerla, o [[1.2-b]] para tomarla de su gancho.

- **Éxito**: Mirel descuelga la llave y abre el paso.
- **Éxito parcial**: la llave cambia de manos a cambio de una promesa.
- **Fallo**: la llave cae al pozo y habrá que bajar a buscarla.

El gancho queda vacío sobre las brasas."""

CONTINUITY = "SIN CAMBIOS"


def table_script(
    iris: Any = PLAN,
    damian: Any = ACCEPT,
    ruben: Any = ACCEPT,
    prose: Sequence[Any] | None = None,
    **options: Any,
) -> Mapping[str, Any]:
    """Return a script in which each seat plays its steps, and its last one again when they are used up."""
    written = prose or (
        {"when": "## El capítulo escrito", "reply": CONTINUITY, "repeat": True},
        {"when": "1.1 — El muro", "reply": PROSE_1, "repeat": True},
        {"reply": PROSE_2, "repeat": True},
    )
    models = {"iris": iris, "damian": damian, "ruben": ruben, "prose": list(written)}
    return {"models": models, "on_exhausted": "repeat_last", **options}


TABLE_FLAGS = (
    *("--agent", "iris=openai/iris"),
    *("--agent", "damian=openai/damian"),
    *("--agent", "ruben=openai/ruben"),
    *("--agent", "prose=openai/prose"),
)

SECOND_TITLE = "La torre sin techo"
TWO_CHAPTERS = ADVENTURE + ADVENTURE.split("---\n", 2)[2].replace(
    "Capítulo 1 · «La torre sin puerta»", f"Capítulo 2 · «{SECOND_TITLE}»"
)
"""An adventure whose second chapter remembers its first."""


def in_second(text: str) -> str:
    """Return a reply about the first chapter as one about the second."""
    for before, after in (
        ("Capítulo 1 · Escena 1.", "Capítulo 2 · Escena 2."),
        ("(→ 1.", "(→ 2."),
        ("[[1.", "[[2."),
    ):
        text = text.replace(before, after)
    return text


def two_chapter_script(**options: Any) -> Mapping[str, Any]:
    """Return a script for both chapters of `TWO_CHAPTERS`."""
    iris = [
        {"when": SECOND_TITLE, "reply": in_second(PLAN), "repeat": True},
        {"reply": PLAN, "repeat": True},
    ]
    prose = [
        {"when": "## El capítulo escrito", "reply": CONTINUITY, "repeat": True},
        {"when": "2.1 — El muro", "reply": in_second(PROSE_1), "repeat": True},
        {"when": "2.2 — La sala", "reply": in_second(PROSE_2), "repeat": True},
        {"when": "1.1 — El muro", "reply": PROSE_1, "repeat": True},
        {"reply": PROSE_2, "repeat": True},
    ]
    return table_script(iris=iris, prose=prose, **options)
