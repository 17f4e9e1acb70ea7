"""Things and persons taken out, places of two words, and whom an outline gives which part."""

import pytest

from agents.embedded.grammar import grammar_of
from agents.embedded.outline import clauses_of
from agents.embedded.places import class_of


@pytest.mark.parametrize(
    ("language", "goal", "deed"),
    [
        ("es", "sacar el libro antes de que el capitán abra la cámara", "take"),
        ("es", "sacar las actas de la casa", "take"),
        ("es", "llevarse el cáliz sin que nadie lo note", "take"),
        ("es", "sacar a los mineros de la galería", "free"),
        ("es", "sacar al prisionero de la torre", "free"),
        ("en", "get the ledger out before the captain opens the strongroom", "take"),
        ("en", "get the prisoners out of the mine", "free"),
        ("en", "extract the ore sample", "take"),
        ("en", "extract the hostage", "free"),
    ],
)
def test_a_thing_is_taken_out_and_a_person_is_freed(language: str, goal: str, deed: str):
    assert clauses_of(goal, ("stealth",), grammar_of(language))[-1].deed == deed


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("es", "La aduana, una hora antes de la marea", "customs"),
        ("en", "The customs house, one hour before the tide turns", "customs"),
        ("en", "The counting house on the hill", "post"),
        ("en", "The toll house", "house"),
    ],
)
def test_a_house_of_two_words_is_told_by_both(language: str, text: str, kind: str):
    assert class_of(text, language) == kind


def test_what_is_taken_out_is_named_without_its_adverb():
    item = grammar_of("en").handled("recover the ledger out of the vault")
    assert item is not None
    assert item.the == "the ledger"
    assert [noun.the for noun in grammar_of("en").tactics("a coal chute wide enough for one")] == [
        "the coal chute"
    ]
