"""Stat blocks as they are printed: in the chapter's language, whole, with its decimal mark."""

import re

import pytest

from concilio.domain.adventure import Action, Adventure, CastMember, StatBlock
from concilio.export.foundry import to_foundry
from concilio.export.homebrewery import to_homebrewery
from concilio.export.html import to_html
from concilio.export.lengths import decimals, lengths_in
from concilio.export.monsters import deed_name
from concilio.export.pdf_values import values_of
from concilio.export.sheet import Printer, Sheet
from rules.ruleset import Ruleset
from tests.export import samples
from tests.export.conftest import Booking

BLOCK = StatBlock(
    ac=15,
    hp=52,
    speed={"walk": "9 m", "fly": "7.5 m"},
    senses={"blindsight": "4.5 m"},
    actions=(
        Action(name="Pinza", attack=5, reach="1.5 m", damage="1d10 + 3 contundente"),
        Action(name="Salmuera", range="4.5/13.5 m", save={"dc": 12}, text="Empuja 1.5 m; pesa 2.5 kg."),
        Action(name="Ola", save={"dc": 16, "ability": "sabe dios"}),
    ),
)


def sheets(booked: Booking, ruleset: Ruleset, adventure: Adventure, language: str) -> list[Sheet]:
    """Return what is printed of the creatures."""
    chapter = samples.chapter(
        f"{samples.PROSE}\n\nPelean {', '.join(m.name for m in adventure.cast)}.", language=language
    )
    book = booked(chapter, adventure)
    printer = Printer(book, ruleset)
    return [printer.sheet(monster) for monster in book.monsters]


def test_every_action_of_the_srd_has_a_name_in_each_language(ruleset: Ruleset) -> None:
    names = {action.name for creature in ruleset.creatures.values() for action in creature.actions}
    assert len(names) > 100
    assert [name for name in names if deed_name(name, "en") != name] == []
    assert sorted(name for name in names if deed_name(name, "es") == name) == []
    assert all(deed_name(name, "es")[0].isupper() for name in names)


@pytest.mark.parametrize(
    ("creature", "language", "told"),
    [
        ("knight", "es", ["Espadón", "Ballesta pesada"]),
        ("knight", "en", ["Greatsword", "Heavy Crossbow"]),
        ("guard", "es", ["Lanza"]),
        ("adult_red_dragon", "es", ["Mordisco", "Garra", "Cola", "Presencia aterradora", "Aliento de fuego"]),
    ],
)
def test_a_sheet_names_what_an_srd_creature_does(
    booked: Booking, ruleset: Ruleset, creature: str, language: str, told: list[str]
) -> None:
    cast = (CastMember(name="Orsola", stat_block=creature),)
    (sheet,) = sheets(booked, ruleset, Adventure(title="x", language=language, cast=cast), language)  # pyright: ignore[reportArgumentType]
    assert {name for name, _ in sheet.deeds} >= set(told)


def test_a_designers_own_names_stay(booked: Booking, ruleset: Ruleset) -> None:
    block = StatBlock(ac=12, hp=9, actions=(Action(name="Longsword", attack=3, damage="1d8"),))
    cast = (CastMember(name="Orsola", stat_block=block),)
    (sheet,) = sheets(booked, ruleset, Adventure(title="x", cast=cast), "es")
    assert [name for name, _ in sheet.deeds] == ["Longsword"]


@pytest.mark.parametrize(
    ("language", "mark", "saves"),
    [
        ("es", ",", ["salvación CD 12", "salvación CD 16"]),
        ("en", ".", ["DC 12 saving throw", "DC 16 saving throw"]),
    ],
)
def test_lengths_and_saves_are_printed_as_the_language_has_them(
    booked: Booking, ruleset: Ruleset, language: str, mark: str, saves: list[str]
) -> None:
    adventure = Adventure.model_validate(
        {"title": "x", "language": language, "cast": [CastMember(name="Costrón", stat_block=BLOCK)]}
    )
    (sheet,) = sheets(booked, ruleset, adventure, language)
    text = " ".join(part for row in (*sheet.top, *sheet.rest, *sheet.deeds) for part in row)
    for length in ("7.5 m", "4.5 m", "1.5 m", "4.5/13.5 m"):
        assert length.replace(".", mark) in text
    assert "2.5 kg" in text
    for save in saves:
        assert save.casefold() in text.casefold()
    assert "  " not in text


def test_no_form_has_an_english_point_in_a_spanish_length(booked: Booking, ruleset: Ruleset) -> None:
    cast = (
        CastMember(name="Costrón", stat_block=BLOCK),
        CastMember(name="El portón", stat_block="giant_rat"),
    )
    book = booked(samples.chapter(f"{samples.PROSE}\n\nViene Costrón."), Adventure(title="x", cast=cast))
    forms = [
        to_html(book, ruleset),
        to_homebrewery(book, ruleset),
        str(values_of(book, ruleset)["creatures"]),
    ]
    forms += [text for name, text in to_foundry(book, ruleset).items() if "/actors/" in name]
    for form in forms:
        assert re.findall(r"\d\.\d+ ?m\b", form) == []


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("1.5 m", "1,5 m"),
        ("7.5/22.5 m", "7,5/22,5 m"),
        ("1,5 m", "1,5 m"),
        ("1.500 m", "1.500 m"),
        ("9 m", "9 m"),
    ],
)
def test_a_point_of_decimals_becomes_the_languages(text: str, printed: str, ruleset: Ruleset) -> None:
    assert decimals(text, "es") == printed
    assert lengths_in(f"Va. Llega a {text}. Versión 5.1; fin.", "es", ruleset) == (
        f"Va. Llega a {printed}. Versión 5.1; fin."
    )
    assert decimals(text, "en") == text
