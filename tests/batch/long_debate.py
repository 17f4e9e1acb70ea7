"""A debate of many rounds for the fake model: each round another objection, and another plan for it.

What a request says chooses its answer, so that a run which died and goes on hears what it would have heard.
"""

from collections.abc import Mapping
from typing import Any

from tests.table_scripts import ACCEPT, PLAN, SCENE_1, SCENE_2, table_script

_PRICES = (
    *("la guardia", "el perro del patio", "la marea", "un vecino con farol", "la campana de niebla"),
    *("el hijo de Mirel", "una rata gigante", "el recaudador", "la tormenta", "un marinero borracho"),
    *("la cofradía", "el viejo contable", "un pozo ciego", "la polilla de la sal", "un eco que delata"),
    *("el cobrador del puente", "la viuda del faro", "un gato negro", "la ronda del alba", "el pregonero"),
    *("un aprendiz celoso", "la niebla", "el herrero", "una deuda antigua", "la hermana de Mirel"),
    *("el capellán", "un espía de la aduana", "la criada", "un reloj de arena", "el enterrador"),
)
MOST_ROUNDS = len(_PRICES)


def long_script(rounds: int, **options: Any) -> Mapping[str, Any]:
    """Return a script in which Rubén accepts in the last round only, and each plan has another failure.

    Args:
        rounds: of each chapter, from 2 to `MOST_ROUNDS`.
        options: of the script.
    """
    ruben = [{"when": _price(n), "reply": _objection(n + 1), "repeat": True} for n in range(1, rounds - 1)]
    last = {"when": _price(rounds - 1), "reply": f"CERRADAS: O{rounds - 1}\n\n{ACCEPT}", "repeat": True}
    ruben = [*ruben, last, {"reply": _objection(1), "repeat": True}]
    iris = [{"when": _price(n), "reply": _plan(n), "repeat": True} for n in range(1, rounds)]
    return table_script(iris=[*iris, {"reply": PLAN, "repeat": True}], ruben=ruben, **options)


def _price(number: int) -> str:
    return f"que llegue {_PRICES[number - 1]}"


def _objection(number: int) -> str:
    wish = f"a quien falla no le llega {_PRICES[number - 1]}"
    line = f"OBJECIÓN | escena 1.2 | resultados | grave | {wish} | {_price(number)}"
    closed = f"CERRADAS: O{number - 1}\n" if number > 1 else ""
    return f"La 1.2 pide más.\n\n{closed}{line}\nVEREDICTO: refinar"


def _plan(number: int) -> str:
    old = "Mirel arroja la llave al pozo"
    return f"{SCENE_1}\n\n{SCENE_2.replace(old, f'{old}, llega {_PRICES[number - 1]}')}\n"
