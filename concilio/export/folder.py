"""A folder of files that is either the old one or the new one, whole."""

import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

MANIFEST = "module.json"
MARK = "concilio"
LARGEST_MANIFEST = 1_000_000


def is_ours(folder: Path) -> bool:
    """Tell whether a folder is an earlier export of ours, or empty: only such a one may be replaced."""
    try:
        if not any(folder.iterdir()):
            return True
        manifest = folder / MANIFEST
        if manifest.is_symlink() or manifest.stat().st_size > LARGEST_MANIFEST:
            return False
        value: Any = json.loads(manifest.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    flags: Any = cast("dict[str, Any]", value).get("flags") if isinstance(value, dict) else None
    return isinstance(flags, dict) and MARK in flags


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write a folder with these files; one of that name that was there goes when the new one is whole.

    Raises:
        OSError: it cannot be written; the old one stays.
    """
    work = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name[:40]}."))
    try:
        new, old = work / "new", work / "old"
        for name, content in files.items():
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("utf-8"))
        if folder.exists():
            folder.rename(old)
        try:
            new.rename(folder)
        except OSError:
            if old.exists():
                old.rename(folder)
            raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
