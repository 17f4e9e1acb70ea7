"""What holds of any text."""

import sys
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.claims.model import Check, Distance
from rules.claims.vocabulary import UnknownLanguageError, languages
from tests.rules.claims.summary import RULESET, read, summary

PIECES = [
    "CD 15",
    "DC 12",
    "prueba de ",
    "Fuerza",
    "(Atletismo)",
    "Strength ",
    "check",
    " o ",
    " or ",
    "respectivamente",
    "3d6",
    "+1d6",
    " de daño",
    " fire damage",
    "20 PG",
    "CA 15",
    "AC 13",
    "6x6 metros",
    "30-foot",
    "cae ",
    "hasta ",
    "turno",
    "cegado",
    "queda ",
    "cobertura media",
    "(+2 a la CA)",
    "ventaja en ",
    "acción",
    "—",
    "«",
    "»",
    "“",
    '"',
    "\n",
    "\n\n- ",
    "| ",
    "*",
    "_",
    "`",
    "1",
    "-",
    "/",
    ", ",
    ". ",
    "treinta y ",
    "mil",
    "½",
    "é",
    "́",
    "\u2028",
    "tira un dado",
    "1 natural",
    "Percepción pasiva ",
    "reduce la CD a ",
    "9" * 40,
    "0d6",
    "1d1",
    "\x00",
    "🙂",
]
LANGUAGES = st.sampled_from(languages())


@given(
    st.one_of(st.text(max_size=300), st.lists(st.sampled_from(PIECES), max_size=40).map("".join)), LANGUAGES
)
def test_any_text_gives_claims_that_quote_it_in_order(text: str, language: str):
    claims = read(text, language, start=7)
    assert [c.start for c in claims] == sorted(c.start for c in claims)
    for claim in claims:
        assert claim.quote == text[claim.start - 7 : claim.end - 7] != ""
        assert summary(claim)


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), LANGUAGES)
def test_every_number_and_word_of_a_check_lies_inside_its_claim(text: str, language: str):
    for claim in read(text, language):
        if isinstance(claim, Check):
            assert claim.options
            words = [n for o in claim.options for n in (o.skill, o.ability) if n]
            assert all(claim.start <= n.start < n.end <= claim.end for n in words)
            assert all(claim.start <= d.start < d.end <= claim.end for d in claim.dcs)


def _calls(text: str, language: str) -> int:
    """Count the function calls of an extraction: a measure of work that no other process disturbs."""
    count = 0

    def tick(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(tick)
    try:
        read(text, language)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "piece",
    [
        "Fuerza o ",
        "CD 15, o CD 12 si ",
        "prueba de ",
        "CD ",
        "baja la CD ",
        "(",
        "((CD 15",
        "«",
        '"',
        "1-",
        "3d6 +",
        "treinta y ",
        "hasta el ",
        "Fuerza (",
        "cobertura (+",
        "ventaja en ",
        "\n- ",
        "—",
        "12/",
        "puntos de ",
        "ñ ",
        "una prueba de Sigilo CD 15 y 3d6 de daño; queda cegado a 3 metros. ",
    ],
)
def test_work_grows_with_the_length_of_the_text(piece: str):
    read("", "es")
    short, long = (piece * (size // len(piece)) for size in (1_000, 2_000))
    read(long, "es")
    assert _calls(long, "es") <= 2.2 * _calls(short, "es")


def test_speech_is_marked_and_what_the_narrator_says_is_not():
    text = "—Supera una prueba de Sigilo CD 15 —dice el guardia, CA 15—. Son 3d6 de daño.\nTiene 20 PG."
    assert [(c.kind, c.in_speech) for c in read(text, "es")] == [
        ("check", True),
        ("armor_class", False),
        ("damage", False),  # after the narrator's words nobody in the story says dice
        ("hit_points", False),
    ]


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("«Te quedan 20 PG», dice.", False),
        ("«Te quedan 20 PG.»", True),
        ("“You have 20 hit points left, my friend of old” she says.", True),
        ('El estado "cegado" dura.', False),
        ("- —Te quedan 20 PG —dice.", True),
        ("El muro —20 PG— cede.", False),
    ],
)
def test_terms_in_quotes_are_no_speech(text: str, spoken: bool):
    assert [c.in_speech for c in read(text, "es" if "hit points" not in text else "en")] == [spoken]


@pytest.mark.parametrize(
    ("text", "converted"),
    [("9 metros (30 pies)", [False, True]), ("9 metros, 30 pies", [False, False]), ("(30 pies)", [False])],
)
def test_a_distance_that_repeats_another_says_so(text: str, converted: list[bool]):
    assert [c.converted for c in read(text, "es") if isinstance(c, Distance)] == converted


def test_a_known_error_counts_as_unknown_skill():
    (claim,) = read("a DC 12 Spot check", "en")
    assert isinstance(claim, Check)
    assert [(n.text, n.id) for n in claim.unknown] == [("Spot", "perception")]


def test_a_language_without_words_is_refused_by_name():
    with pytest.raises(UnknownLanguageError, match="'xx'"):
        read("anything", "xx")


def test_the_ruleset_is_read_once():
    from rules.ruleset import load_ruleset

    assert load_ruleset() is RULESET
