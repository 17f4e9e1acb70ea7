"""A text in the designer's own editor: what was written stays in its file, whatever the editor did to it."""

from pathlib import Path

import click

from concilio.store.files import write_atomic


class EditorError(Exception):
    """The editor could not be opened, or left what is no text; the message says which."""


def written_in_editor(draft: Path, text: str) -> str:
    """Return a text as the designer's editor leaves it in a file.

    Args:
        draft: where it is edited; it stays there.
        text: as it stands before.

    Raises:
        EditorError: there is no editor, or the file is gone or no text in UTF-8 when it closes.
        StoreError: the file cannot be written.
    """
    write_atomic(draft, text)
    try:
        click.edit(filename=str(draft))
        return draft.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except click.ClickException as error:
        raise EditorError(error.format_message()) from None
    except UnicodeDecodeError:
        raise EditorError("UTF-8?") from None
    except (OSError, ValueError) as error:
        raise EditorError(str(error)) from None
