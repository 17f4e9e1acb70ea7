"""The files around the code agree with it: the lock, the Makefile, the licence, the documents."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from concilio import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PIN = re.compile(
    r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[\w,-]+\])?==(?P<version>[^\s;\\]+)(?: ; (?P<marker>[^\\]+?))?(?= \\|$)"
)


def pins() -> dict[str, list[tuple[str, str]]]:
    """The versions and markers of each locked distribution."""
    found: dict[str, list[tuple[str, str]]] = {}
    for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines():
        if match := PIN.match(line):
            entry = (match["version"], (match["marker"] or "").strip())
            found.setdefault(canonicalize_name(match["name"]), []).append(entry)
    return found


EXTRAS = PROJECT["project"]["optional-dependencies"]
REQUIREMENTS = [
    *PROJECT["project"]["dependencies"],
    *PROJECT["dependency-groups"]["dev"],
    *(text for extra in EXTRAS.values() for text in extra if not text.startswith("concilio[")),
]


@pytest.mark.parametrize("text", REQUIREMENTS)
def test_the_lock_satisfies_the_project_file(text: str) -> None:
    requirement = Requirement(text)
    locked = pins().get(canonicalize_name(requirement.name), [])
    assert locked, f"{requirement.name} is not locked: run `make lock`"
    assert all(requirement.specifier.contains(version) for version, _ in locked)


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_every_supported_python_gets_one_version_of_each(version: str) -> None:
    environment = {"python_version": version, "python_full_version": f"{version}.0", "sys_platform": "linux"}
    for text in REQUIREMENTS:
        locked = pins()[canonicalize_name(Requirement(text).name)]
        chosen = [v for v, marker in locked if not marker or Marker(marker).evaluate(environment)]
        assert len(chosen) == 1, text


def test_every_locked_file_has_a_hash_and_no_address() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=[A-Za-z0-9])", text)[1:] if text.startswith("#") else []
    assert len(entries) > len(REQUIREMENTS)
    assert [e.splitlines()[0] for e in entries if "--hash=sha256:" not in e] == []
    assert "://" not in text


def test_the_versions_that_stole_credentials_are_shut_out() -> None:
    (litellm,) = [Requirement(t) for t in PROJECT["project"]["dependencies"] if t.startswith("litellm")]
    assert not litellm.specifier.contains("1.82.7")
    assert not litellm.specifier.contains("1.82.8")


def test_the_version_is_written_once_more_and_the_same() -> None:
    assert PROJECT["project"]["version"] == __version__
    assert "Private :: Do Not Upload" in PROJECT["project"]["classifiers"]


def test_the_wheel_holds_every_package_of_ours() -> None:
    packages = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert packages == ["concilio", "agents", "graphs", "rules", "prompts"]
    assert all((ROOT / package / "__init__.py").is_file() for package in packages)


def makefile_targets() -> set[str]:
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    return {line.partition(":")[0] for line in lines if "  ## " in line}


def test_make_help_lists_the_targets() -> None:
    ran = subprocess.run(
        [sys.executable, ROOT / ".ci" / "tasks.py", "help"], capture_output=True, text=True, check=True
    )
    listed = {line.split()[1] for line in ran.stdout.splitlines()}
    assert listed == makefile_targets()
    assert {"setup", "demo", "test", "lint", "format", "types", "bench", "lock", "help"} <= listed


@pytest.mark.parametrize("name", ["README.md", "README.es.md", "CONTRIBUTING.md"])
def test_documents_name_only_targets_that_exist(name: str) -> None:
    named = set(re.findall(r"`?make ([a-z-]+)", (ROOT / name).read_text(encoding="utf-8")))
    assert named - makefile_targets() <= {"and"}


def test_the_reference_is_what_the_program_says() -> None:
    ran = subprocess.run(
        [sys.executable, ROOT / ".ci" / "make_reference.py", "--check"], capture_output=True, text=True
    )
    assert ran.returncode == 0, f"run `make reference`: {ran.stdout}{ran.stderr}"


LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
DOCUMENTS = [
    f
    for f in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
    if not f.is_symlink() and os.access(f, os.R_OK)
]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda f: str(f.relative_to(ROOT)))
def test_links_in_documents_lead_somewhere(document: Path) -> None:
    targets = LINK.findall(document.read_text(encoding="utf-8"))
    inside = [t for t in targets if "://" not in t and not t.startswith("mailto:")]
    assert [t for t in inside if not (document.parent / t).exists()] == []


SPANISH = ("README.es.md", "docs/tutorial.md")
"""Documents in Spanish, with those whose names say so."""
IN_ENGLISH = re.compile(r"\ben inglés\b|\bin English\b")


def is_spanish(document: Path) -> bool:
    return document.name.endswith(".es.md") or document.relative_to(ROOT).as_posix() in SPANISH


@pytest.mark.parametrize(
    "document", [f for f in DOCUMENTS if is_spanish(f)], ids=lambda f: str(f.relative_to(ROOT))
)
def test_who_reads_spanish_is_told_which_documents_are_in_english(document: Path) -> None:
    """In the sentence or the cell of the link."""
    unsaid: list[str] = []
    for sentence in re.split(r"(?<=[.:|])\s", document.read_text(encoding="utf-8")):
        told = IN_ENGLISH.search(sentence)
        targets = [t for t in LINK.findall(sentence) if "://" not in t and Path(t).suffix in ("", ".md")]
        english = [t for t in targets if not is_spanish((document.parent / t).resolve())]
        unsaid += english if not told else []
    assert unsaid == []


def test_messages_in_spanish_say_which_documents_are_in_english() -> None:
    for file in (ROOT / "concilio" / "texts" / "es").glob("*.toml"):
        for line in file.read_text(encoding="utf-8").splitlines():
            assert IN_ENGLISH.search(line) or not re.search(r"\bdocs/\w+\.md", line), line


def test_the_notice_gives_the_attribution_that_the_srd_asks_for() -> None:
    notice = " ".join((ROOT / "NOTICE").read_text(encoding="utf-8").split())
    assert 'System Reference Document 5.1 ("SRD 5.1") by Wizards of the Coast LLC' in notice
    assert "https://creativecommons.org/licenses/by/4.0/legalcode" in notice
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in licence
    assert "END OF TERMS AND CONDITIONS" in licence
