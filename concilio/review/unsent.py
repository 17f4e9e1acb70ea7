"""What a designer has said at a terminal and not sent yet: kept beside the pauses until it is sent."""

from pathlib import Path

from concilio.review.folder import FOLDER_NAME, LARGEST
from concilio.review.model import Decision
from concilio.store.errors import StoreError
from concilio.store.own import read_own, require_own, write_own

_SHOWN = 12
"""Digits of a pause's version that name its files."""


def unsent_file(run_folder: Path, version: str) -> Path:
    """Return where what was said of a pause is kept."""
    return run_folder / FOLDER_NAME / f"unsent-{version[:_SHOWN]}.json"


def draft_file(run_folder: Path, version: str, scene: str) -> Path:
    """Return where a scene lies while it is edited; of one pause alone, since the next one shows another."""
    return run_folder / FOLDER_NAME / f"draft-{version[:_SHOWN]}-{scene}.md"


def keep_unsent(run_folder: Path, decision: Decision) -> None:
    """Keep what was said; nothing is kept of a decision that says nothing.

    Raises:
        StoreError: it cannot be written.
    """
    file = unsent_file(run_folder, decision.version)
    if decision.scenes or decision.prose or decision.objections or decision.waived:
        write_own(file, run_folder, decision.model_dump_json())
    elif require_own(file, run_folder):
        file.unlink(missing_ok=True)


def unsent(run_folder: Path, version: str) -> Decision | None:
    """Return what was said of a pause and not sent; None where there is nothing that can be read."""
    try:
        content = read_own(unsent_file(run_folder, version), run_folder, LARGEST)
        found = Decision.model_validate_json(content) if content is not None else None
    except (StoreError, ValueError):  # a damaged file is one of no use: the pause is decided without it
        return None
    return found if found is not None and found.version == version else None
