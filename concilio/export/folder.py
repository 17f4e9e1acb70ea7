"""A folder of documents for Foundry: what is written anew in it, what goes, and what is left as it is.

The manifest lists what was written with a digest of each. So a file of an earlier export that the new one has
not goes where it is as it was written; all else that lies there is its user's, and stays.
"""

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, cast

MANIFEST = "module.json"
MARK = "concilio"
"""Name of the manifest's flag by which an export of ours is known."""
FILES = "files"
"""Key under that flag: the files that were written, each with its digest."""
SOURCES = "packs/_source"
"""Where the documents are: whatever lies there is packed with them."""
LARGEST_MANIFEST = 1_000_000
LARGEST_FILE = 50_000_000
"""Bytes of a file of an earlier export that is read to tell whether it is as it was written."""


class InTheWayError(Exception):
    """What has the name of one of the files, or of a folder of theirs, is something else."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(str(path))


def is_ours(folder: Path) -> bool:
    """Tell whether a folder is an earlier export of ours, or empty: only into such a one may be written."""
    try:
        return not any(folder.iterdir()) or _flag_of(folder) is not None
    except OSError:
        return False


def digests(files: Mapping[str, str]) -> dict[str, str]:
    """Return the digest of each file, for the manifest."""
    return {name: _digest(content.encode("utf-8")) for name, content in files.items()}


def write_folder(folder: Path, files: Mapping[str, str]) -> tuple[str, ...]:
    """Write these files into a folder, the manifest last, and take away what only an earlier export had.

    A file that its user changed or added stays. Nothing is touched before all files have been written aside;
    what is stopped in between is put right by doing it again.

    Returns:
        Names of the documents in the folder that are not of these files: they would be packed with them.

    Raises:
        OSError: it cannot be written.
        InTheWayError: a folder or a link has the name of a file, or a file that of a folder.
    """
    work = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name[:40]}."))
    new = work / "new"
    try:
        for name, content in files.items():
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("utf-8"))
        if not folder.exists():
            new.rename(folder)
            return ()
        _put(new, folder, files)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return tuple(sorted(set(_documents(folder)) - set(files)))


def _put(new: Path, folder: Path, files: Mapping[str, str]) -> None:
    for name in files:
        _require_place(folder, name)
    listed = (_flag_of(folder) or {}).get(FILES)
    for name in sorted(files, key=lambda name: name == MANIFEST):
        if name == MANIFEST and isinstance(listed, dict):
            _take_away(folder, cast("dict[str, Any]", listed), files)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (new / name).replace(folder / name)


def _require_place(folder: Path, name: str) -> None:
    place = folder / name
    if place.is_symlink() or (place.exists() and not place.is_file()):
        raise InTheWayError(place)
    for parent in list(place.parents)[: len(PurePosixPath(name).parts) - 1]:
        if (parent.exists() or parent.is_symlink()) and not parent.is_dir():
            raise InTheWayError(parent)


def _take_away(folder: Path, listed: Mapping[str, Any], files: Mapping[str, str]) -> None:
    """Remove what an earlier export wrote and this one does not, where nobody has changed it since."""
    for name, digest in listed.items():
        path = folder / name
        with suppress(OSError, ValueError):
            if name not in files and _is_inside(name) and _is_as_written(path, folder, digest):
                path.unlink()


def _is_inside(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return bool(parts) and ".." not in parts and not PurePosixPath(name).is_absolute()


def _is_as_written(path: Path, folder: Path, digest: object) -> bool:
    if path.is_symlink() or not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
        return False
    return path.stat().st_size <= LARGEST_FILE and _digest(path.read_bytes()) == digest


def _documents(folder: Path) -> Iterator[str]:
    for path in (folder / SOURCES).rglob("*"):
        if not path.is_dir():
            yield path.relative_to(folder).as_posix()


def _flag_of(folder: Path) -> dict[str, Any] | None:
    """Return what the manifest says of our export; None where it is none of ours."""
    manifest = folder / MANIFEST
    try:
        if not manifest.is_file() or manifest.is_symlink() or manifest.stat().st_size > LARGEST_MANIFEST:
            return None
        value: Any = json.loads(manifest.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    flags: Any = cast("dict[str, Any]", value).get("flags") if isinstance(value, dict) else None
    own: Any = cast("dict[str, Any]", flags).get(MARK) if isinstance(flags, dict) else None
    return cast("dict[str, Any]", own) if isinstance(own, dict) else None


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()
