"""A file without an end is read up to a bound, by every command that reads one."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENDLESS = "/dev/zero"
MOST_MEMORY = 3_000_000_000
"""Bytes of address space: three times what a command needs for itself."""

COMMANDS = [
    ["fight", ENDLESS],
    ["fight", "--replay", ENDLESS],
    ["check", ENDLESS],
    ["check", "{chapter}", "--adventure", ENDLESS],
    ["check", "{chapter}", "--ruleset", "{rules}"],
    ["playtest", ENDLESS],
    ["playtest", "{chapter}", "--adventure", ENDLESS],
    ["export", ENDLESS, "--to", "html", "--output", "{folder}/x.html"],
    ["export", "{chapter}", "--to", "html", "--adventure", ENDLESS, "--output", "{folder}/x.html"],
    ["run", ENDLESS, "--model", "embedded", "--out", "{folder}/out"],
    ["promises", ENDLESS, "--out", "{folder}/out"],
]


def _bound() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: " ".join(c)[:30])
def test_an_endless_file_is_refused_in_a_line(command: list[str], tmp_path: Path) -> None:
    chapter = tmp_path / "chapter.md"
    chapter.write_text("# Capítulo 3 · Uno\n\nTexto de la escena.\n", encoding="utf-8")
    rules = tmp_path / "rules"
    rules.mkdir()
    (rules / "conditions.yaml").symlink_to(ENDLESS)
    places = {"chapter": chapter, "rules": rules, "folder": tmp_path}
    line = [word.format_map(places) for word in command]
    done = subprocess.run(
        [sys.executable, "-m", "concilio", *line],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=tmp_path,
        preexec_fn=_bound,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "CONCILIO_LANG": "en"},
    )
    assert done.returncode == 2
    assert "Unforeseen" not in done.stderr
    assert "\0" not in done.stderr
    assert 1 <= len(done.stderr.splitlines()) <= 3
