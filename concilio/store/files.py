"""Files that are either the old one or the new one, whole, whenever the machine stops."""

import contextlib
import os
import stat
import tempfile
from pathlib import Path

from concilio.store.errors import StoreError, from_os_error


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file: temporary neighbour, flush to the disk, rename. Texts are UTF-8, newlines as they are.

    Raises:
        StoreError: full disk, read-only folder or another refusal of the system, or what has that name is no
            regular file (a device, a pipe, a link, a folder); what was there stays.
    """
    _require_file(path)
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.", suffix=".tmp")
    except OSError as error:
        raise from_os_error(error, path) from error
    try:
        _fill(handle, data)
        Path(name).replace(path)
        sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise from_os_error(error, path) from error


def _require_file(path: Path) -> None:
    """Refuse to rename over anything but a file: a device or a link would be gone."""
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise from_os_error(error, path) from error
    if not stat.S_ISREG(mode):
        raise StoreError("no_file", path)


def _fill(handle: int, data: bytes) -> None:
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fchmod(file.fileno(), 0o644)
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make a rename or a new file in a folder durable, where the system allows it."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
