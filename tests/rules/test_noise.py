"""Checking is linear: no text, however odd or long, costs more than its length."""

import time

import pytest

from concilio.chapterfile.reader import read_document
from rules.engine import check
from rules.facts import Facts, PartySheet, StatFacts
from rules.ruleset import load_ruleset

PLAN = "# Capítulo 5 — x\n\n## Plan de escenas\n\n### Escena 5.1 — x\n\n- LUGAR: a\n- RESULTADOS: "
PROSE = PLAN + "CD 15\n\n# Capítulo 5 · Escena 5.1 — «x»\n\n## Prosa aprobada\n\n"
DEBATE = "# Capítulo 5 — x\n\n## Debate completo\n\n### Damián Tachón\n\n"
PROPOSAL = "# Capítulo 5 — x\n\n## Debate completo\n\n### Iris Vela\n\n"
BOTH = "# Capítulo 5 · Escena 5.1 — «x»\n\n## Prosa aprobada\n\n"
"""What stands between a plan and its prose, which are then both made of the noise."""

SMALL, TIMES = 6_000, 6
"""Characters, and how many times as many the long text has: quadratic work takes 36 times as long."""
MOST_TIMES = 15
LEAST_SECONDS = 0.02

NOISE = {
    "one DC after another": ("", "CD 15 "),
    "DCs of a plan": (PLAN, "CD 15. "),
    "numbers in words": ("", "one hundred and "),
    "thousands": ("", "mil "),
    "lists of skills": ("", "Fuerza, "),
    "spells that are none": ("", "lanza «Bola de fuegp» "),
    "extreme results": ("", "un 20 natural "),
    "extreme results of prose": (PROSE, "un 20 natural en la prueba de Fuerza CD 12. "),
    "dice without a size": ("", "tira un dado y 2d6 "),
    "total cover": ("", "cobertura total "),
    "held": ("", "queda apresado. "),
    "falls": ("", "cae y sufre 4d6 de daño a 10 metros de altura. "),
    "attacks against a DC": ("", "ataca con +6 contra CD 16 y CA 15 "),
    "harmful falls": ("", "cae {0} metros y sufre 19d8 de daño. "),
    "figures": (BOTH, "PG {0}, CA {0}. "),
    "damage": (BOTH, "{0}d6 de daño de fuego. "),
    "checks of no skill": (BOTH, "Prueba de Fuerza (Frob{0}) CD 12. "),
    "lengths": (BOTH, "avanza {0} metros. "),
    "names": (BOTH, "El Nombre{0} de Casa{0}. "),
    "single names": (BOTH, "corre Nombr{0} y "),
    "outcomes": (BOTH, "\n- ÉXITO: Ana corre a la torre\n"),
    "blocks of outcomes": (PLAN, "x\n- LUGAR: b\n- RESULTADOS: ÉXITO: CD 15\n"),
    "scenes": ("", "### Escena 5.{0} — N\n- LUGAR: a\n- PRESENTES: b\n- RESULTADOS: ÉXITO: c\n"),
    "lines without a word": (PROPOSAL, "---\n"),
    "fences": (PROPOSAL, "```\n"),
    "headings": (DEBATE, "# x\n"),
    "denials": (DEBATE, "Escena 5.1: CD no indicada.\n"),
    "sentences of a field": (PLAN, "Va. "),
    "comments": ("", "<!-- concilio: allow dc-drift --> x "),
    "references": ("", "[[1.1-a]] "),
    "open brackets": ("", "(CD 15 "),
    "quotation marks": ("", '"a '),
    "emphasis": ("", "**a "),
    "digits": ("", "1"),
    "accents": ("", "a\u0301"),
    "table": ("", "| CD 15 | 3d6 |\n"),
    "windows": ("", "Se abre una ventana decisiva. Otra ventana decisiva. "),
}
FACTS = Facts(
    5,
    (PartySheet("Ana Pérez", 5, abilities={"str": 3}),),
    ("Ana Pérez", "Torre Alta"),
    stat_blocks={"Guardia Gris": StatFacts("Guardia Gris", 15, 30, 2.0)},
)


def noise(head: str, unit: str, size: int) -> str:
    """Return a text of about that many characters; a plan and its prose where the head stands between."""
    if head == BOTH:
        return noise(PLAN, unit, size // 2) + "\n\n" + noise(f"{BOTH} ", unit, size // 2)
    pieces: list[str] = []
    length = 0
    while length < size:
        pieces.append(unit.format(len(pieces)))
        length += len(pieces[-1])
    return head + "".join(pieces)


def seconds(text: str) -> float:
    """Return the least processor time of two checks, with all that the engine can know."""
    rules = load_ruleset("combate")
    best = float("inf")
    for _ in range(2):
        begin = time.process_time()
        check(read_document(text, "noise.md"), rules, FACTS)
        best = min(best, time.process_time() - begin)
    return best


@pytest.mark.parametrize("name", NOISE)
def test_noise_costs_no_more_than_its_length(name: str) -> None:
    head, unit = NOISE[name]
    short = seconds(noise(head, unit, SMALL))
    long = seconds(noise(head, unit, SMALL * TIMES))
    assert long < max(short, LEAST_SECONDS) * MOST_TIMES, (short, long)
