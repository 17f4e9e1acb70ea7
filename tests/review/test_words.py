"""What is typed at the terminal desk: keys, whole words and their beginnings, in both languages."""

import re
from collections.abc import Callable

import pytest

from concilio.cli.review_terminal import ACTIONS, meant_by
from concilio.domain.base import Language
from tests.review.conftest import Seat
from tests.table_scripts import table_script

TYPED: list[tuple[str, str | None]] = [
    ("stop", "stop"),
    ("STOP", "stop"),
    ("stop it", "stop"),
    ("parar", "stop"),
    ("para", "stop"),
    ("acabar", "stop"),
    ("show", "show"),
    ("ver de nuevo", "show"),
    ("accept", "accept"),
    ("aceptar", "accept"),
    ("acep", "accept"),
    ("acc", "accept"),
    ("editar", "edit"),
    ("otra ronda", "round"),
    ("another round", "round"),
    ("ronda", "round"),
    ("objeción", "object"),
    ("object", "object"),
    ("waive", "waive"),
    ("descartar", "waive"),
    ("salir", "quit"),
    ("quit", "quit"),
    ("leave", "quit"),
    ("", None),
    ("   ", None),
    ("s7op", None),
    ("sure", None),
    ("no", None),
    ("ac", None),  # `aceptar`, or `acabar`
]


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize(("typed", "action"), TYPED)
def test_words_are_understood_in_both_languages(typed: str, action: str | None, language: Language) -> None:
    assert meant_by(typed, language) == action


KEYS = {"es": "aeodrvps", "en": "aeowrstq"}


@pytest.mark.parametrize("language", ["es", "en"])
def test_one_letter_is_the_key_that_is_shown(language: Language) -> None:
    assert [meant_by(key, language) for key in KEYS[language]] == list(ACTIONS)


def test_what_is_not_understood_is_said_and_nothing_is_decided(
    seat: Seat, typed: Callable[..., None]
) -> None:
    typed("stpo", "quit")
    seat.begin(table_script(), "--review")
    assert "Not understood" in seat.err
    assert "?:" not in seat.err
    assert "[a]ccept" in seat.err.split("Not understood")[1]


def test_aim_odds_and_ends_are_in_sight_before_anything_is_decided(
    seat: Seat, typed: Callable[..., None]
) -> None:
    typed("q")
    seat.begin(table_script(), "--review")
    shown = seat.err.split("What is asked for")[1].split("[a]ccept")[0]
    assert re.search(r"Escena 1\.1: .*CD.* \([+-]\d+\), \d+ %", shown)
