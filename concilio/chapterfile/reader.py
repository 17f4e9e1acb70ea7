"""Reading chapter files: for the rules engine (`read_document`), and back into a `Chapter`."""

from concilio.chapterfile.chapter_reader import read_chapter
from concilio.chapterfile.document_reader import read_document

__all__ = ["read_chapter", "read_document"]
