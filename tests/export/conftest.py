from collections.abc import Callable
from pathlib import Path

import pytest

from concilio.adventure.facts import facts_of
from concilio.chapterfile.json_file import dump_chapter
from concilio.domain.adventure import Adventure
from concilio.domain.chapter import Chapter
from concilio.export.book import Book
from concilio.export.gather import make_book, read_file
from rules.ruleset import Ruleset, load_ruleset
from tests.export import samples

Booking = Callable[..., Book]


@pytest.fixture(scope="session")
def ruleset() -> Ruleset:
    """The shipped rules."""
    return load_ruleset("srd5e")


@pytest.fixture(scope="session")
def booked(ruleset: Ruleset) -> Booking:
    """Makes a chapter into a book."""

    def make(chapter: Chapter, adventure: Adventure | None = None) -> Book:
        document, known = read_file(dump_chapter(chapter), "c.json")
        facts = facts_of(adventure or Adventure(title="-", language=chapter.language), ruleset)
        return make_book(document, known, adventure, ruleset, facts)

    return make


@pytest.fixture(scope="session")
def book(booked: Booking) -> Book:
    """A whole book."""
    return booked(samples.chapter(), samples.adventure())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A chapter's file."""
    path = tmp_path / "capitulo_02.es.json"
    path.write_text(dump_chapter(samples.chapter()), encoding="utf-8")
    return path
