"""Names of chapter files."""

import pytest

from concilio.chapterfile.names import chapter_file_stem
from concilio.domain.base import Language


@pytest.mark.parametrize(
    ("number", "language", "stem"),
    [
        (5, "es", "capitulo_05.es"),
        (5, "en", "chapter_05.en"),
        (112, "es", "capitulo_112.es"),
        (0, "en", "chapter_00.en"),
    ],
)
def test_a_stem_is_made_of_number_and_language(number: int, language: Language, stem: str):
    assert chapter_file_stem(number, language) == stem
