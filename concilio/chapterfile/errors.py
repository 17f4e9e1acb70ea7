"""The errors of chapter files: `ChapterFileError` and nothing else."""

from concilio.catalogue import say


class ChapterFileError(Exception):
    """A file or JSON text is no chapter of ours, or is damaged.

    Attributes:
        kind: key of the message (`not_ours`, `damaged`, `json_syntax`, `json_value`, `json_newer`).
        values: what the message is filled with (`where`, `problem`, `line`, …).
    """

    def __init__(self, kind: str, /, **values: object) -> None:
        self.kind, self.values = kind, values
        super().__init__(say(f"chapterfile.error.{kind}", None, **values))
