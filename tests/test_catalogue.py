"""Words for people: numbers choose their words, values are never templates, tasks speak for themselves."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from concilio import catalogue
from concilio.catalogue import LANGUAGES, follow, message_language, say, speaking, user_language


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A catalogue of the test's own."""
    (tmp_path / "es").mkdir()
    (tmp_path / "es" / "t.toml").write_text(
        'many = "{n} {n:hallazgo|hallazgos} en {m} {m:archivo|archivos}: {text}"\n'
        'figure = "{n:.2f} {m:03d}"\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(catalogue, "TEXTS", tmp_path)
    catalogue._area.cache_clear()  # pyright: ignore[reportPrivateUsage]
    yield
    catalogue._area.cache_clear()  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(
    ("n", "m", "told"),
    [
        (1, 1, "1 hallazgo en 1 archivo"),
        (0, 2, "0 hallazgos en 2 archivos"),
        (21, 1, "21 hallazgos en 1 archivo"),
    ],
)
def test_a_number_chooses_its_words(words: None, n: int, m: int, told: str) -> None:
    """Singular for one alone."""
    assert say("t.many", "es", n=n, m=m, text="{n}") == f"{told}: {{n}}"


def test_other_formats_are_python_s(words: None) -> None:
    """A number is formatted as ever."""
    assert say("t.figure", "es", n=2.5, m=7) == "2.50 007"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_leaves_the_plural_to_the_reader(language: str) -> None:
    """`objeción(es)` is a form, not a sentence."""
    for file in (catalogue.TEXTS / language).glob("*.toml"):
        text = file.read_text(encoding="utf-8")
        assert not any(ending in text for ending in ("(s)", "(es)", "(as)", "(os)")), file


async def test_tasks_speak_for_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """One task's language is not another's."""
    monkeypatch.setenv("CONCILIO_LANG", "en")

    async def heard(language: str) -> str:
        with speaking(language):
            await asyncio.sleep(0)
            return user_language()

    assert await asyncio.gather(heard("es"), heard("en"), heard("es")) == ["es", "en", "es"]
    assert user_language() == "en"


@pytest.mark.parametrize(
    ("chosen", "own", "spoken"), [("", "en", "en"), ("es", "en", "es"), ("fr", "en", "en")]
)
def test_a_text_s_own_language_yields_to_the_chosen_one(
    monkeypatch: pytest.MonkeyPatch, chosen: str, own: str, spoken: str
) -> None:
    """What the user asks for comes first."""
    monkeypatch.setenv("CONCILIO_LANG", chosen)
    assert message_language("en" if own == "en" else "es") == spoken
    with speaking(None):
        follow("en" if own == "en" else "es")
        assert user_language() == spoken
