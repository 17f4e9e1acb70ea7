"""A job as it travels: the adventure as it was read, its settings, and its own prompts and rulesets."""

import hashlib
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from concilio.batch.job import Job
from concilio.domain.adventure import Adventure
from concilio.fleet.errors import FleetError
from concilio.gateway.settings import Models
from concilio.settings import EMBEDDED, Settings
from concilio.store.errors import from_os_error
from graphs.seating import SEATS

FORMAT = 1
"""Version of a parcel; a later one is not opened."""
MOST_BYTES = 8_000_000
"""Of an adventure's own prompts and rulesets together."""
_NAME = re.compile(r"[^/\\\0]{1,200}")
_KINDS = {".md", ".yaml", ".yml"}


def pack(job: Job) -> str:
    """Return a job as JSON.

    Raises:
        FleetError: its own prompts and rulesets are too large to travel.
        StoreError: one of them cannot be read.
    """
    parcel = {
        "format": FORMAT,
        "adventure": job.adventure.model_dump_json(),
        "chapters": list(job.numbers),
        "settings": job.settings.model_dump(mode="json"),
        "models": {seat: job.models.first(seat) for seat in SEATS},
        "files": _own_files(job),
    }
    return json.dumps(parcel, ensure_ascii=True)


def _own_files(job: Job) -> dict[str, str]:
    found: dict[str, str] = {}
    size = 0
    for path in sorted(set(_paths(job))):
        try:
            found[path.relative_to(job.folder).as_posix()] = text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise from_os_error(error, path) from error
        except UnicodeDecodeError:
            continue  # no prompt, no ruleset
        size += len(text)
        if size > MOST_BYTES:
            raise FleetError("too_large", job.folder, most=MOST_BYTES // 1_000_000)
    return found


def _paths(job: Job) -> Iterator[Path]:
    """Yield the files beside an adventure that a run of it may read; links that lead away are left out."""
    ruleset = job.adventure.ruleset
    names = [
        "rulesets",
        ruleset,
        f"{ruleset}.yaml",
        *([job.adventure.prompts] if job.adventure.prompts else []),
    ]
    root = job.folder.resolve()
    for name in names:
        top = job.folder / name
        files = top.rglob("*") if top.is_dir() else (top,)
        yield from (
            f
            for f in files
            if f.is_file() and f.suffix in _KINDS and f.resolve().is_relative_to(root) and ".." not in f.parts
        )


def unpack(text: str, base: Path) -> Job:
    """Return the job of a parcel; its own files go to a folder under `base`.

    Raises:
        FleetError: not a parcel of this version.
        StoreError: its files cannot be written.
    """
    try:
        parcel = json.loads(text)
        if parcel["format"] != FORMAT:
            raise FleetError("newer", "", format=parcel["format"], known=FORMAT)
        return Job(
            file=_unpacked(parcel["files"], base),
            adventure=Adventure.model_validate_json(parcel["adventure"]),
            numbers=tuple(int(number) for number in parcel["chapters"]),
            settings=Settings.model_validate(parcel["settings"]),
            models=Models(default=EMBEDDED, by_agent=dict(parcel["models"])),
        )
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        raise FleetError("bad_parcel", "", cause=error) from error


def _unpacked(files: Mapping[str, Any], base: Path) -> Path:
    """Write the files once, into a folder named by their content: rulesets are read once a folder."""
    name = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:24]
    folder = base / name
    if folder.is_dir():
        return folder
    try:
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=base) as made:
            for path, text in files.items():
                target = Path(made) / "files" / _safe(path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(str(text), encoding="utf-8")
            (Path(made) / "files").mkdir(exist_ok=True)
            (Path(made) / "files").rename(folder)
    except OSError as error:
        raise from_os_error(error, folder) from error
    return folder


def _safe(path: str) -> Path:
    """Return a relative path of plain names.

    Raises:
        ValueError: it leads elsewhere.
    """
    parts = path.split("/")
    if not all(_NAME.fullmatch(part) and part not in (".", "..") for part in parts):
        raise ValueError(f"not a path of a parcel: {path[:80]!r}")
    return Path(*parts)
