"""The module for Foundry VTT: what is in it, what is not, and that Foundry's own command line packs it."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from concilio.export.book import Book
from concilio.export.folder import is_ours, write_folder
from concilio.export.foundry import PACKS, document_id, to_foundry
from rules.ruleset import Ruleset
from tests.export import samples
from tests.export.conftest import Booking

CLI = Path(os.environ.get("FVTT_CLI") or shutil.which("fvtt") or "fvtt")
JOURNAL = "packs/_source/journal/journal.json"


def journal(files: dict[str, str]) -> str:
    """Return the text of all pages."""
    pages: list[Any] = json.loads(files[JOURNAL])["pages"]
    return "\n".join(page["text"]["content"] for page in pages)


def test_rolls_of_the_prose_become_inline_rolls(book: Book, ruleset: Ruleset) -> None:
    text = journal(to_foundry(book, ruleset))
    assert "[[/check skill=ath dc=15]]{" in text
    assert "[[/save ability=dex dc=12]]{" in text
    assert "[[/damage 2d6 type=piercing]]{2d6 de daño perforante}" in text
    assert "&amp;Reference[prone]{" in text
    assert "[[/check skill=ste dc=13]]" in text
    assert '<div class="fvtt narrative">' in text
    assert '<th scope="col">Lo que sale</th>' in text


def test_a_stat_block_becomes_an_actor(book: Book, ruleset: Ruleset) -> None:
    actors = [json.loads(text) for name, text in to_foundry(book, ruleset).items() if "/actors/" in name]
    own = next(actor for actor in actors if actor["name"] == "Portón Vivo")
    assert own["type"] == "npc"
    assert own["system"]["attributes"]["ac"] == {"calc": "flat", "flat": 14}
    assert own["system"]["attributes"]["movement"]["walk"] == 9
    assert own["system"]["details"]["cr"] == 0.5
    told = [item["system"]["description"]["value"] for item in own["items"]]
    assert "[[/attack +5]]" in told[0]
    assert "[[/damage 1d8+3 type=bludgeoning]]" in told[0]
    assert "[[/save ability=con dc=12]]" in told[1]


def test_ids_are_of_foundrys_form_stable_and_different(book: Book, ruleset: Ruleset) -> None:
    files = to_foundry(book, ruleset)
    assert files == to_foundry(book, ruleset)
    ids = re.findall(r'"_id": "([^"]*)"', files[JOURNAL])
    assert len(ids) == len(set(ids)) > 3
    assert all(re.fullmatch(r"[A-Za-z0-9]{16}", id) for id in (*ids, document_id("a", 1)))


@pytest.mark.parametrize(
    "text",
    [
        "[[/r 100d100]]",
        "[[[[/award 1000gp]]]]",
        "@UUID[Actor.abc]{x}",
        "&Reference[prone]",
        "@Embed[Item.x]",
        "x]]{y} [[/save ability=dex dc=1",
        "<script>alert(1)</script>",
        "**[**[/r 1d20]]",
    ],
)
def test_no_text_makes_foundry_act(booked: Booking, ruleset: Ruleset, text: str) -> None:
    prose = f"{text}\n\n> {text}\n\nprueba de Fuerza (Atletismo) CD 15 {text}"
    chapter = samples.chapter(prose, text)
    files = to_foundry(booked(chapter, samples.adventure("El portón", text)), ruleset)
    told = journal(files) + "".join(text for name, text in files.items() if "/actors/" in name)
    for found in re.findall(r"\[\[[^\]]*\]?", told):
        assert re.match(r"\[\[/(check|save|damage|attack|r) [a-z0-9=+ -]*\]", found), found
    assert "award" not in "".join(re.findall(r"\[\[.*?\]\]", told))
    for found in re.findall(r"(?:@\w+|Reference)\[[^\]]*\]", told):
        assert re.match(r"@UUID\[\.[A-Za-z0-9]{16}\]|Reference\[[a-z]+\]", found), found
        assert "Actor" not in found
    assert "<script" not in told


def test_only_a_folder_of_ours_is_replaced(tmp_path: Path, book: Book, ruleset: Ruleset) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "novel.txt").write_text("years of work", encoding="utf-8")
    assert not is_ours(folder)
    other = tmp_path / "module"
    for _ in range(2):
        write_folder(other, to_foundry(book, ruleset))
        assert is_ours(other)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "module"]


def test_a_module_says_whose_material_is_in_it(book: Book, ruleset: Ruleset) -> None:
    """The licence of the SRD asks for it: in what the module says of itself, and where players read."""
    files = to_foundry(book, ruleset)
    assert "CC BY 4.0" in json.loads(files["module.json"])["description"]
    assert (
        "CC BY 4.0" in json.loads(files["packs/_source/journal/journal.json"])["pages"][0]["text"]["content"]
    )


@pytest.mark.parametrize("creatures", [True, False])
def test_a_module_declares_the_packs_whose_sources_it_has(
    booked: Booking, ruleset: Ruleset, *, creatures: bool
) -> None:
    files = to_foundry(booked(samples.chapter(), samples.adventure() if creatures else None), ruleset)
    packs = json.loads(files["module.json"])["packs"]
    sources = {name.split("/")[2] for name in files if name.startswith("packs/_source/")}
    assert {pack["name"]: pack["type"] for pack in packs} == {name: PACKS[name] for name in sources}
    assert ("actors" in sources) == creatures
    looped = re.search(r"for pack in ([a-z ]+);", files["README.md"])
    assert looped is not None
    assert set(looped[1].split()) == sources


@pytest.mark.skipif(
    not CLI.exists() or shutil.which("node") is None,
    reason="Foundry's command line is not here (npm install @foundryvtt/foundryvtt-cli, FVTT_CLI names it)",
)
@pytest.mark.parametrize("creatures", [True, False])
def test_foundrys_own_command_line_packs_it_as_its_readme_says(
    tmp_path: Path, booked: Booking, ruleset: Ruleset, *, creatures: bool
) -> None:
    files = to_foundry(booked(samples.chapter(), samples.adventure() if creatures else None), ruleset)
    folder, programs = tmp_path / "module", tmp_path / "bin"
    write_folder(folder, files)
    programs.mkdir()
    (programs / "fvtt").symlink_to(CLI.resolve())
    loop = next(
        line.strip() for line in files["README.md"].split("\n") if line.strip().startswith("for pack")
    )
    ran = subprocess.run(
        ["/bin/sh", "-e", "-c", loop],
        cwd=folder,
        env={
            **os.environ,
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(tmp_path),
            "XDG_CONFIG_HOME": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("Packed ") == sum(name.startswith("packs/_source/") for name in files)
    for pack in json.loads(files["module.json"])["packs"]:
        assert (folder / pack["path"] / "CURRENT").is_file(), ran.stdout + ran.stderr
