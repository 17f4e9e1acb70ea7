"""Names of chapter files: made of number and language, never of a title."""

from concilio.chapterfile.words import written
from concilio.domain.base import Language


def chapter_file_stem(number: int, language: Language) -> str:
    """Return `capitulo_05.es` or `chapter_05.en`: the file's name without its last extension."""
    return f"{written(language, 'file_stem')}_{number:02d}.{language}"
