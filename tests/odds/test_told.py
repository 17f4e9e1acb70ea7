"""What odds and fights tell besides figures, in the user's language."""

import json
import tomllib
from pathlib import Path

import pytest

from concilio.cli.main import run_command_line
from rules.attack_names import attack_name
from rules.ruleset import load_ruleset

ROOT = Path(__file__).parents[2]
FORGE = ROOT / "examples" / "combate_en_la_fragua.yaml"


@pytest.fixture(params=["es", "en"])
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("CONCILIO_LANG", request.param)
    return str(request.param)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    run_command_line(list(arguments))
    captured = capsys.readouterr()
    return captured.out + captured.err


@pytest.mark.parametrize("language", ["es", "en"])
def test_every_attack_of_the_srd_has_a_name_in_each_language(language: str) -> None:
    path = ROOT / "rules" / "texts" / language / "attacks.toml"
    names = tomllib.loads(path.read_text(encoding="utf-8"))["names"]
    attacks = {a.name.lower() for creature in load_ruleset().creatures.values() for a in creature.attacks}
    assert attacks - set(names) == set()
    assert attack_name("Vaelen's blade", language) == "Vaelen's blade"


USED = {
    "es": "2 × espada larga, 1 × espada corta",
    "en": "2 × longsword, 1 × shortsword",
}
MORE = {"es": "no se cuentan sus conjuros", "en": "are not counted"}


def test_a_duel_says_which_attacks_its_creatures_use(
    capsys: pytest.CaptureFixture[str], language: str
) -> None:
    text = told(capsys, "odds", "duel", "--a", "veteran", "--b", "mage")
    assert USED[language] in text
    assert MORE[language] in text
    assert [line for line in text.splitlines() if len(line) > 80] == []
    found = json.loads(told(capsys, "odds", "duel", "--a", "veteran", "--b", "hydra", "--format", "json"))
    assert found["b"]["used"] == [{"name": "Bite", "times": 5}]
    assert [one["times"] for one in found["a"]["attacks"]] == [2, 1]


def test_two_sides_of_one_name_are_told_apart(capsys: pytest.CaptureFixture[str], language: str) -> None:
    text = told(capsys, "odds", "duel", "--a", "wolf", "--b", "wolf", "--first", "roll")
    assert "wolf (A)" in text
    assert "wolf (B)" in text


KEYS = {"es": "ca, ataque, daño.", "en": "ac, attack, damage."}


def test_missing_keys_are_listed_in_the_users_language(
    capsys: pytest.CaptureFixture[str], language: str
) -> None:
    text = told(capsys, "odds", "duel", "--a", "hp=3", "--b", "wolf")
    assert KEYS[language] in text


def test_exploding_dice_tell_where_they_end(capsys: pytest.CaptureFixture[str], language: str) -> None:
    text = told(capsys, "odds", "roll", "3d6!")
    assert {"es": "hasta 7 veces", "en": "7 times at most"}[language] in text
    assert max(map(len, text.splitlines())) <= 80


UNSUPPORTED = {
    "exploding 3d6": {"es": "3d6!", "en": "3d6!"},
    "8d6 fire damage, half on a save": {"es": "8d6/2", "en": "8d6/2"},
    "2d6ro<3": {"es": "2d6ro2", "en": "2d6ro2"},
}


@pytest.mark.parametrize("dice", UNSUPPORTED)
def test_what_is_not_supported_says_how_to_write_it(
    capsys: pytest.CaptureFixture[str], language: str, dice: str
) -> None:
    assert UNSUPPORTED[dice][language] in told(capsys, "odds", "roll", dice)


def test_a_group_and_its_dice_are_in_the_heading(capsys: pytest.CaptureFixture[str], language: str) -> None:
    flags = ("--group", "3, 1", "--dc", "12", "--advantage", "--dice", "1d4")
    first = told(capsys, "odds", "check", *flags).splitlines()[0]
    assert "1d4" in first
    assert {"es": "con ventaja", "en": "with advantage"}[language] in first


def test_a_fights_first_blow_stands_in_its_first_round(
    capsys: pytest.CaptureFixture[str], language: str
) -> None:
    lines = told(capsys, "fight", str(FORGE)).splitlines()
    round_1 = lines.index({"es": "Ronda 1", "en": "Round 1"}[language])
    blow = next(i for i, line in enumerate(lines) if "espada larga" in line)
    assert blow == round_1 + 1


def test_a_thugs_mace_has_its_name_in_the_language(
    capsys: pytest.CaptureFixture[str], language: str, tmp_path: Path
) -> None:
    path = tmp_path / "duel.yaml"
    path.write_text(
        "title: Duelo\nruleset: combate\nlanguage: es\nfighters:\n"
        "  - {name: Ana, kind: personaje, hp: 40, ac: 18, place: plaza, x: 1}\n"
        "  - {name: Bad, kind: pnj, creature: thug, attitude: hostil, place: plaza, x: 1}\n"
        "script:\n  - {who: Ana, do: ataca, target: Bad, words: lo mato}\n",
        encoding="utf-8",
    )
    text = told(capsys, "fight", str(path))
    assert {"es": "con maza", "en": "with mace"}[language] in text
    assert "Mace" not in text
