"""A batch before it begins: its items, and the folder that says how to go on with it."""

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from concilio.domain.base import Frozen
from concilio.settings import Origin, Settings
from concilio.store.errors import StoreError, from_os_error
from concilio.store.files import write_atomic

BATCH_NAME = "batch.json"
FORMAT = 1


class BatchItem(Frozen):
    """One adventure of a batch."""

    path: str
    """File or folder, absolute."""
    run: str = ""
    """Name of its run's folder inside the batch's; empty while it has not begun."""
    status: int | None = None
    """Exit status of its run; None while it has not ended."""
    problem: str = ""
    """Why it could not be run, in words."""


class BatchInfo(Frozen):
    """`batch.json`: all that is needed to go on with a batch."""

    format: int = FORMAT
    created: datetime
    jobs: int
    """Most adventures at the same time."""
    settings: Settings
    origins: dict[str, Origin] = {}
    """Where each setting came from: which model answers for a seat depends on it."""
    items: tuple[BatchItem, ...]


def new_batch(out: Path, paths: Sequence[Path], settings: Settings, jobs: int, now: datetime) -> Path:
    """Make the folder of a new batch and return it; an id that is taken gets `-2`, `-3`, …

    Raises:
        StoreError: it cannot be made.
    """
    items = tuple(BatchItem(path=str(path.resolve())) for path in paths)
    origins = dict(settings.origins)
    info = BatchInfo(created=now, jobs=jobs, settings=settings, origins=origins, items=items)
    for number in range(1, 1000):
        folder = out / (f"batch-{now:%Y%m%d-%H%M%S}" + (f"-{number}" if number > 1 else ""))
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise from_os_error(error, folder) from error
        save_batch(folder, info)
        return folder
    raise StoreError("bad_name", out)


def is_batch(folder: Path) -> bool:
    """Tell whether a folder is a batch's."""
    return (folder / BATCH_NAME).is_file()


def save_batch(folder: Path, info: BatchInfo) -> None:
    """Write how a batch stands, whole or not at all.

    Raises:
        StoreError: it cannot be written.
    """
    write_atomic(folder / BATCH_NAME, info.model_dump_json(indent=2) + "\n")


def load_batch(folder: Path) -> BatchInfo:
    """Return a batch's `batch.json`.

    Raises:
        StoreError: no batch there, unreadable, damaged, or written by a newer version.
    """
    path = folder / BATCH_NAME
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        known = data.get("format", 0)
        if isinstance(known, int) and known > FORMAT:
            raise StoreError("newer", folder, format=known, known=FORMAT)
        info = BatchInfo.model_validate(data)
        return info.model_copy(
            update={"settings": info.settings.model_copy(update={"origins": info.origins})}
        )
    except OSError as error:
        raise from_os_error(error, path) from error
    except (ValueError, AttributeError, RecursionError, ValidationError) as error:
        raise StoreError("damaged", path, cause=error) from error
