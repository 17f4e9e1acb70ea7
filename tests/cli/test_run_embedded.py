"""Chapters of the embedded author for adventures of several genres, as a game master checks them."""

from pathlib import Path
from typing import NamedTuple

import pytest

from concilio.cli import main
from concilio.domain.chapter import Chapter
from tests.cli.conftest import Runner

FOLDER = Path(__file__).parent / "adventures"
pytestmark = pytest.mark.usefixtures("litellm_loaded")


class Told(NamedTuple):
    """What an adventure says of its people and its party."""

    friends: tuple[str, ...]
    """Whom it calls a friend, or of whom it says no ill."""
    party: tuple[str, ...]


ADVENTURES = {
    "mystery.en.md": Told(("Pim", "Sister Oda", "Constable Brandt"), ("Maren", "Tolliver", "Brannoc")),
    "dungeon.en.md": Told(("Gudrun", "Hob the Peddler", "Old Snag"), ("Keth", "Isolde", "Fenn")),
    "court.en.md": Told(("Duchess Ysolt", "Ambassador Teles", "pages"), ("Lady Corvane", "Jory", "Ulf")),
    "misterio.es.md": Told(("Pim", "Sor Oda", "Alguacil Bruno"), ("Teodor", "Sena", "Bran")),
    "mazmorra.es.md": Told(("Gudrun", "Hobo el buhonero", "Viejo Raigón"), ("Keta", "Isolda", "Fen")),
    "corte.es.md": Told(("Duquesa Isolda", "Embajador Teles", "pajes"), ("Doña Corva", "Joro", "Ulfo")),
}
AGAINST = (
    *("risks everything", "will stop at nothing", "will do everything", "Opposite is", "The words of"),
    *("se juega todo", "no se detendrá", "hará cuanto", "Enfrente está", "Las palabras de"),
)
"""How the author's texts tell of an opponent."""


def _sentences(chapter: Chapter) -> list[str]:
    told = [s.plan.situation + " " + s.prose for s in chapter.scenes]
    return [one for text in told for one in text.replace("\n", ". ").split(". ")]


@pytest.mark.parametrize("name", ADVENTURES)
def test_chapters_are_clean_decide_something_and_make_no_enemy_of_a_friend(
    name: str, run: Runner, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    told = ADVENTURES[name]
    done = run((FOLDER / name).read_text(encoding="utf-8"), "--model", "embedded", "--seed", "5", name=name)
    assert done.status == 0, done.out + done.err
    assert len(done.chapters) == 3
    files = sorted(str(path) for path in done.folder.rglob("*.md"))
    assert main.run_command_line(["check", *files, "--adventure", str(tmp_path / name)]) == 0
    assert "> " not in capsys.readouterr().out, "no finding, not even a note"
    for chapter in done.chapters:
        said = _sentences(chapter)
        blamed = [s for s in said if any(how in s for how in AGAINST) and any(f in s for f in told.friends)]
        assert blamed == []
        assert [hero for hero in told.party if any(hero in one for one in said)] == []
        if len(chapter.scenes) > 2:
            ways = [{o.leads_to for o in scene.plan.outcomes} for scene in chapter.scenes]
            assert any(len(way) > 1 for way in ways), "an outcome decides where it goes on"
