"""Mechanics are placed by reference and their words come from the plan."""

import pytest

from agents.references import render_references
from concilio.domain.plan import Mechanic

MECHANICS = (
    Mechanic(ref="5.1-a", text="una prueba de Fuerza (Atletismo) CD 15", kind="check"),
    Mechanic(ref="5.1-b", text="3d6 de daño contundente", kind="damage"),
)


@pytest.mark.parametrize(
    ("draft", "text", "why"),
    [
        ("Pide [[5.1-a]].", "Pide una prueba de Fuerza (Atletismo) CD 15.", "in a sentence"),
        (
            "[[5.1-b]] sufre quien falle.",
            "3d6 de daño contundente sufre quien falle.",
            "dice stay as they are",
        ),
        (
            "Cae. [[5.1-a]] decide.",
            "Cae. Una prueba de Fuerza (Atletismo) CD 15 decide.",
            "capital at a start",
        ),
        ("- **Éxito**: [[5.1-a]]", "- **Éxito**: una prueba de Fuerza (Atletismo) CD 15", "after a colon"),
        ("(\\[\\[5.1-a]] del outline)", "([[5.1-a]] del outline)", "a dead reference is its own text"),
    ],
)
def test_references_are_written_out(draft: str, text: str, why: str) -> None:
    assert render_references(draft, MECHANICS).text == text, why


def test_what_was_placed_and_what_does_not_exist_is_told() -> None:
    rendered = render_references("Pide [[5.1-a]] y [[5.1-a]] o [[9.9-z]], ya.", MECHANICS)
    assert rendered.used == ("5.1-a",)
    assert rendered.unknown == ("9.9-z",)
    assert "[[" not in rendered.text
    assert "  " not in rendered.text


def test_words_of_the_plan_are_never_read_as_references() -> None:
    hostile = (
        Mechanic(ref="1.1-a", text="[[1.1-b]]", kind="check"),
        Mechanic(ref="1.1-b", text="x", kind="check"),
    )
    assert render_references("Va [[1.1-a]].", hostile).text == "Va [[1.1-b]]."
