"""Settings come from flags, then variables, then concilio.toml, then defaults, and each tells from where."""

import os
from pathlib import Path
from typing import Any

import pytest

from concilio.catalogue import LANGUAGES, has_text
from concilio.settings import EMBEDDED, Settings, SettingsError, load_settings
from concilio.settings.load import unknown_variables
from concilio.settings.model import SETTING_NAMES


@pytest.fixture(autouse=True)
def spanish(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is set from outside, and the words of the messages are Spanish."""
    for name in [n for n in os.environ if n.startswith("CONCILIO_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("CONCILIO_LANG", "es")


def write(folder: Path, text: str) -> Path:
    path = folder / "concilio.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_anything_every_value_is_a_default(tmp_path: Path) -> None:
    settings = load_settings(cwd=tmp_path)
    assert (settings.rounds, settings.max_rewrites, settings.seed) == (3, 2, 0)
    assert (settings.out, settings.on_unresolved) == (Path("outputs"), "write")
    assert settings.model_for("iris") == EMBEDDED
    assert {settings.origin_of(name).layer for name in SETTING_NAMES} == {"default"}


@pytest.mark.parametrize(
    ("flag", "variable", "file", "value", "layer", "where"),
    [
        (7, "6", "rounds = 5", 7, "flag", "--rounds"),
        (None, "6", "rounds = 5", 6, "variable", "CONCILIO_ROUNDS"),
        (None, None, "seed = 1\nrounds = 5", 5, "file", "concilio.toml:2"),
        (None, "", "rounds = 5", 5, "file", "concilio.toml:1"),
        (None, None, "", 3, "default", ""),
    ],
)
def test_the_stronger_layer_wins_and_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    flag: int | None,
    variable: str | None,
    file: str,
    value: int,
    layer: str,
    where: str,
) -> None:
    write(tmp_path, file)
    if variable is not None:
        monkeypatch.setenv("CONCILIO_ROUNDS", variable)
    settings = load_settings({"rounds": flag}, cwd=tmp_path)
    origin = settings.origin_of("rounds")
    assert (settings.rounds, origin.layer) == (value, layer)
    assert origin.where.endswith(where)


def test_the_file_beside_the_adventure_wins_over_the_one_here(tmp_path: Path) -> None:
    beside = tmp_path / "stories"
    beside.mkdir()
    adventure = beside / "a.md"
    adventure.write_text("# A", encoding="utf-8")
    write(tmp_path, "rounds = 4\nseed = 9")
    assert load_settings(beside=adventure, cwd=tmp_path).rounds == 4
    write(beside, "rounds = 5")
    assert load_settings(beside=adventure, cwd=tmp_path).rounds == 5
    assert load_settings(beside=beside, cwd=tmp_path).seed == 0


def test_the_table_of_severities_is_read_elsewhere(tmp_path: Path) -> None:
    write(tmp_path, 'rounds = 4\n[rules]\nterm-variant = "off"')
    assert load_settings(cwd=tmp_path).rounds == 4
    write(tmp_path, '[rule]\nterm-variant = "off"')
    with pytest.raises(SettingsError, match="«rules»"):
        load_settings(cwd=tmp_path)


def test_a_relative_folder_in_the_file_starts_at_the_file(tmp_path: Path) -> None:
    write(tmp_path, 'out = "chapters"')
    assert load_settings(cwd=tmp_path).out == tmp_path / "chapters"
    assert load_settings({"out": Path("here")}, cwd=tmp_path).out == Path("here")


SEATS: list[tuple[dict[str, Any], dict[str, str], str, str | None, str, str]] = [
    ({}, {}, "", None, "embedded", "nothing is configured"),
    ({}, {}, "", "adv", "adv", "the adventure names one"),
    ({}, {}, 'model = "f"', "adv", "adv", "the adventure is nearer than the file"),
    ({}, {}, 'model = "f"\n[agents]\niris = "fi"', None, "fi", "a seat's own before the common one"),
    ({}, {"CONCILIO_MODEL": "v"}, '[agents]\niris = "fi"', "adv", "v", "a variable before the adventure"),
    ({}, {"CONCILIO_AGENTS__IRIS": "vi", "CONCILIO_MODEL": "v"}, "", None, "vi", "a variable for the seat"),
    ({}, {"CONCILIO_AGENTS": '{"iris": "vj"}'}, "", None, "vj", "a variable that holds the table"),
    ({"model": "c"}, {"CONCILIO_AGENTS__IRIS": "vi"}, "", "adv", "c", "--model is for all"),
    ({"model": "c", "agents": {"iris": "ci"}}, {}, "", "adv", "ci", "--agent is for one"),
    ({"agents": {"ruben": "cr"}}, {}, 'model = "f"', None, "f", "another seat's flag"),
]


@pytest.mark.parametrize(("flags", "variables", "file", "adventure", "model", "why"), SEATS)
def test_the_model_of_a_seat(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    flags: dict[str, Any],
    variables: dict[str, str],
    file: str,
    adventure: str | None,
    model: str,
    why: str,
) -> None:
    write(tmp_path, file)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert load_settings(flags, cwd=tmp_path).model_for("iris", adventure) == model, why


WRONG: list[tuple[str, list[tuple[str, str]]]] = [
    ("ronds = 5", [("concilio.toml:1", "¿Será «rounds»?")]),
    ("seed = 1\n\n'max-rewrites' = 1", [("concilio.toml:3", "«max_rewrites»")]),
    ('[agents]\nruban = "m"', [("concilio.toml:2", "¿Será «ruben»?")]),
    ("[agentes]\niris = 'm'", [("concilio.toml:1", "¿Será «agents»?")]),
    ("zzz = 1", [("concilio.toml:1", "on_unresolved")]),
    ("rounds = 0\nseed = -1", [("concilio.toml:1", "de 1 a 50"), ("concilio.toml:2", "desde 0")]),
    ("budget_usd = nan", [("concilio.toml:1", "dólares")]),
    ("budget_usd = 'lots'", [("concilio.toml:1", "«lots»")]),
    ('on_unresolved = "writ"', [("concilio.toml:1", "«stop»")]),
    ("agents = 3", [("concilio.toml:1", "una tabla")]),
    ("agents = {iris = 3}", [("concilio.toml:1", "nombre de un modelo")]),
    ('ruleset = "../../etc"', [("concilio.toml:1", "reglamento")]),
    ("rounds = [", [("concilio.toml", "TOML")]),
    ("origins = 1", [("concilio.toml:1", "origins")]),
]


@pytest.mark.parametrize(("text", "expected"), WRONG)
def test_everything_wrong_is_told_at_once_with_its_line(
    tmp_path: Path, text: str, expected: list[tuple[str, str]]
) -> None:
    write(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        load_settings(cwd=tmp_path)
    problems = caught.value.problems
    assert [p.where.endswith(where) for p, (where, _) in zip(problems, expected, strict=True)]
    for problem, (where, words) in zip(problems, expected, strict=True):
        assert problem.where.endswith(where)
        assert words in problem.message
    assert str(caught.value).count("\n") == len(expected) - 1
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    "data", [b"\xff\xfe\x00", b"[" * 5000, b"x" * 1_000_001], ids=["bytes", "depth", "size"]
)
def test_a_file_that_is_no_toml_is_one_line(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "concilio.toml").write_bytes(data)
    with pytest.raises(SettingsError) as caught:
        load_settings(cwd=tmp_path)
    assert len(str(caught.value).splitlines()) == 1


def test_a_variable_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCILIO_AGENTS", "iris=m")
    with pytest.raises(SettingsError, match=r"^CONCILIO_AGENTS: .*«iris=m»"):
        load_settings(cwd=tmp_path)


def test_a_flag_for_a_seat_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"^--agent irirs: .*«iris»"):
        load_settings({"agents": {"irirs": "m"}}, cwd=tmp_path)


def test_variables_that_set_nothing_are_found_with_the_nearest_name() -> None:
    names = ["CONCILIO_ROUND", "CONCILIO_ROUNDS", "CONCILIO_LANG", "CONCILIO_AGENTS__IRI", "HOME"]
    assert unknown_variables(names) == (
        ("CONCILIO_AGENTS__IRI", "CONCILIO_AGENTS__IRIS"),
        ("CONCILIO_ROUND", "CONCILIO_ROUNDS"),
    )


def test_settings_are_frozen(tmp_path: Path) -> None:
    settings = load_settings(cwd=tmp_path)
    with pytest.raises(ValueError, match="frozen"):
        settings.rounds = 4  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [n for n in Settings.model_fields if n != "origins"])
def test_every_setting_is_explained(language: str, name: str) -> None:
    assert has_text(f"settings.meaning.{name}", language)
    assert has_text(f"settings.expected.{name}", language)
