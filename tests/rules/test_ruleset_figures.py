"""Figures of a ruleset: what makes no sense is refused with file, key and what is allowed."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from rules.ruleset import SHIPPED, RulesetError, load_ruleset
from rules.tables import SECTIONS
from rules.wording import LANGUAGES

Key = Sequence[str | int]
DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
SIGNED = {"attack", "saves", "skills"}
"""What a figure may be negative of: bonuses of creatures, traps and roles."""


def _leaves(data: Any, key: Key = ()) -> Iterator[tuple[Key, Any]]:
    if isinstance(data, dict):
        for name, value in cast("dict[str, Any]", data).items():
            yield from _leaves(value, (*key, name))
    elif isinstance(data, list):
        for place, value in enumerate(cast("list[Any]", data)):
            yield from _leaves(value, (*key, place))
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield key, data


def _figures() -> Iterator[tuple[str, Key, Any]]:
    """Give each kind of figure that ships once: its ruleset, the key of one of them, that one's section."""
    seen: set[tuple[str, ...]] = set()
    for ruleset in ("srd5e", "combate", "ia"):
        for file in sorted((SHIPPED / ruleset).rglob("*.*")):
            if file.suffix not in (".yaml", ".json"):
                continue
            text = file.read_text(encoding="utf-8")
            data: Any = json.loads(text) if file.suffix == ".json" else yaml.safe_load(text)
            data = {file.stem: data} if file.parent.name == "tables" else data
            for key, _ in _leaves(data):
                kind = tuple(str(k) for i, k in enumerate(key) if isinstance(k, str) and i != 1)
                if kind not in seen:
                    seen.add(kind)
                    yield ruleset, key, data[key[0]]


FIGURES = list(_figures())


def _with(data: Any, key: Key, value: float) -> Any:
    """Return data with another value at a key."""
    if not key:
        return value
    first, rest = key[0], key[1:]
    if isinstance(data, list):
        items = cast("list[Any]", data)
        return [_with(one, rest, value) if place == first else one for place, one in enumerate(items)]
    named = cast("dict[str, Any]", data)
    return {name: _with(one, rest, value) if name == first else one for name, one in named.items()}


def _refused(folder: Path, ruleset: str, key: Key, section: Any, value: float) -> RulesetError | None:
    """Return the error of a ruleset with that value; it has a parent only where its section needs one."""
    folder.mkdir(exist_ok=True)
    row = section if key[0] not in SECTIONS or len(key) < 3 else {key[1]: section[key[1]]}
    own = {"id": "own", key[0]: _with(row, key[1:], value)}
    if ruleset == "combate" or SIGNED & set(key):
        own["extends"] = ruleset
    (folder / "ruleset.yaml").write_text(yaml.dump(own, Dumper=DUMPER), encoding="utf-8")
    try:
        load_ruleset(folder.name, folder.parent)
    except RulesetError as error:
        return error
    return None


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1, 10**30], ids=str)
def test_a_figure_that_is_none_is_refused_wherever_it_stands(tmp_path: Path, value: float) -> None:
    assert len(FIGURES) > 80
    for number, (ruleset, key, section) in enumerate(FIGURES):
        error = _refused(tmp_path / f"own{number}", ruleset, key, section, value)
        if value == -1 and SIGNED & set(key) and key[0] != "cover":
            assert error is None, key
            continue
        assert error is not None, (key, value)
        assert error.file.endswith("ruleset.yaml"), key
        assert error.key.startswith(".".join(map(str, key[:2]))), (error.key, key)


ZERO = [
    "falling.sides",
    "falling.most_dice",
    "falling.metres_per_die",
    "units.foot.metres",
    "units.round.seconds",
    "creatures.ape.hp",
    "creatures.ape.ac",
    "difficulties.easy.dc",
    "classes.mago.hit_die",
]


@pytest.mark.parametrize("name", ZERO)
def test_what_cannot_be_nothing_is_not_0(tmp_path: Path, name: str) -> None:
    key = tuple(name.split("."))
    section = next(section for _, at, section in FIGURES if at[0] == key[0])
    if len(key) > 2 and key[1] not in section:
        key = (key[0], next(iter(section)), key[2])
    error = _refused(tmp_path / "own", "srd5e", key, section, 0)
    assert error is not None
    assert error.key.startswith(".".join(key))


WRONG = [
    ("units: {foot: {metres: .nan}}", "units.foot.metres", "nan"),
    ("units: {foot: {metres: 0}}", "units.foot.metres", "0"),
    ("falling: {sides: 1}", "falling.sides", "2"),
    ("falling: {sides: 6.5}", "falling.sides", "6.5"),
    ("cover: {half: {covers: 1.5}}", "cover.half.covers", "1"),
    ("burning: {dice: 0d6}", "burning.dice", "0d6"),
    ("burning: {dice: 2d0}", "burning.dice", "2d6"),
    ("sheet: {proficiency: [2, 2]}", "sheet.proficiency", "20"),
    ("skills: {stealth: {names: {en: {word: ''}}}}", "skills.stealth.names.en.word", ""),
    ("skills: [", "", "4"),
    ("skills: 'a\n b: c", "", "5"),
]


@pytest.mark.parametrize(("text", "key", "said"), WRONG)
def test_what_is_wrong_is_said_in_the_users_language(tmp_path: Path, text: str, key: str, said: str) -> None:
    (tmp_path / "own").mkdir()
    file = tmp_path / "own" / "ruleset.yaml"
    file.write_text(f"id: own\nextends: srd5e\n{text}\n", encoding="utf-8")
    with pytest.raises(RulesetError) as caught:
        load_ruleset("own", tmp_path)
    told = {language: caught.value.told(language) for language in LANGUAGES}
    assert len(set(told.values())) == len(LANGUAGES)
    for line in told.values():
        assert line.startswith(f"{file}: {key}")
        assert said in line.partition(": ")[2]
    english = re.compile(r"\b(input|should|value|valid|expected|greater|while|error)\b", re.IGNORECASE)
    assert not english.search(told["es"].removeprefix(str(file)))
