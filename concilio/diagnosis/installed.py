"""What is installed, without importing it."""

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from concilio.catalogue import say
from concilio.diagnosis.report import Folder, Package, Problem

OLDEST_PYTHON, NEWEST_PYTHON = (3, 11), (3, 13)
STOLEN_LITELLM = frozenset({"1.82.7", "1.82.8"})
"""Versions that sent credentials away. Source: MAL-2026-2144."""

RUNTIME: tuple[str, ...] = (
    "click",
    "jinja2",
    "json-repair",
    "langgraph",
    "langgraph-checkpoint-sqlite",
    "litellm",
    "pydantic",
    "pydantic-settings",
    "pyyaml",
    "rapidfuzz",
    "rich",
    "tenacity",
)
"""Looked for where the program runs from a folder that was never installed."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def required_names() -> tuple[str, ...]:
    """Return the names of the distributions that ours requires."""
    try:
        requirements = metadata.requires("concilio") or []
    except metadata.PackageNotFoundError:
        return RUNTIME
    matches = (_NAME.match(line) for line in requirements if "extra ==" not in line)
    return tuple(match.group() for match in matches if match)


def packages() -> tuple[Package, ...]:
    """Return each required distribution with its version."""
    return tuple(Package(name=name, version=_version(name)) for name in required_names())


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def package_problems(found: tuple[Package, ...]) -> Iterator[Problem]:
    """Yield a problem for each package that is missing or must not be used."""
    if not OLDEST_PYTHON <= sys.version_info[:2] <= NEWEST_PYTHON:
        yield problem("missing", "python", oldest=_dotted(OLDEST_PYTHON), newest=_dotted(NEWEST_PYTHON))
    for package in found:
        if package.version is None:
            yield problem("missing", "package", name=package.name)
        elif package.name == "litellm" and package.version in STOLEN_LITELLM:
            yield problem("missing", "stolen_litellm", version=package.version)


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(str(part) for part in version)


def folder(path: Path) -> Folder:
    """Return whether runs can be written there; nothing is left behind and no folder is made."""
    nearest = next(parent for parent in (path, *path.absolute().parents) if parent.exists())
    return Folder(path=str(path), exists=path.is_dir(), writable=nearest.is_dir() and _can_write(nearest))


def _can_write(place: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=place):
            return os.access(place, os.X_OK)
    except OSError:
        return False


def problem(kind: str, key: str, **values: object) -> Problem:
    """Return a problem whose words stand under `[problem.<key>]` of the catalogue."""
    return Problem.model_validate(
        {
            "kind": kind,
            "message": say(f"doctor.problem.{key}.message", **values),
            "remedy": say(f"doctor.problem.{key}.remedy", **values),
        }
    )
