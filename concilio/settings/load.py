"""Merging the layers, with where each value came from and every problem told at once."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import EnvSettingsSource
from pydantic_settings.exceptions import SettingsError as UnreadableVariable

from concilio.catalogue import say
from concilio.settings.file import SettingsFile, find_file, read_file
from concilio.settings.model import AGENTS, SETTING_NAMES, Layer, Origin, Settings
from concilio.settings.problems import SettingsError, SettingsProblem, nearest

PREFIX = "CONCILIO_"
OTHER_VARIABLES: tuple[str, ...] = ("CONCILIO_LANG", "CONCILIO_DEBUG", "CONCILIO_FLEET_URL")
"""Variables of the program that are no settings."""


OTHER_TABLES: tuple[str, ...] = ("rules",)
"""Tables of `concilio.toml` that are read elsewhere: `[rules]` holds severities for `concilio check`."""


@dataclass(frozen=True, slots=True)
class _Layered:
    """The values of one layer and how a person finds them."""

    layer: Layer
    values: Mapping[str, Any]
    place: Callable[[str], str]


def load_settings(
    flags: Mapping[str, Any] | None = None, *, beside: Path | None = None, cwd: Path | None = None
) -> Settings:
    """Return the settings of this invocation.

    `flags` holds what was given on the command line, by name of the setting; None values were not given.
    `agents` is a mapping of seats to models. `beside` is the adventure's file or folder: the `concilio.toml`
    there wins over the one in the current folder. Relative folders in the file start at the file.

    Raises:
        SettingsError: a key that does not exist or a value out of its range; says all of them.
    """
    path = find_file(cwd or Path.cwd(), beside)
    layers = [_flag_layer(flags or {}), _variable_layer()]
    if path is not None:
        layers.append(_file_layer(read_file(path)))
    merged, origins = _merge(layers)
    problems = [problem for layer in layers for problem in _unknown_keys(layer)]
    if problems:
        raise SettingsError(problems)
    try:
        return Settings(**merged, origins=origins)
    except ValidationError as error:
        raise SettingsError(list(_wrong_values(error, origins))) from None


def unknown_variables(environment: Iterable[str]) -> tuple[tuple[str, str | None], ...]:
    """Return the `CONCILIO_*` variables that set nothing, each with the nearest that would."""
    known = [*OTHER_VARIABLES, *(PREFIX + name.upper() for name in SETTING_NAMES)]
    seats = [f"{PREFIX}AGENTS__{agent.upper()}" for agent in AGENTS]
    names = [n for n in sorted(environment) if n.upper().startswith(PREFIX)]
    return tuple((n, nearest(n, known + seats)) for n in names if n.upper() not in {*known, *seats})


def _flag_layer(flags: Mapping[str, Any]) -> _Layered:
    given = {name: value for name, value in flags.items() if value is not None and value != {}}
    return _Layered("flag", given, _flag_name)


def _flag_name(key: str) -> str:
    table, _, name = key.partition(".")
    if table == "agents":
        return f"--agent {name}".strip()
    return "--" + key.removesuffix("_usd").replace("_", "-")


def _variable_layer() -> _Layered:
    try:
        values = EnvSettingsSource(Settings)()
    except UnreadableVariable:
        name = PREFIX + "AGENTS"
        raise SettingsError([SettingsProblem(name, _expected("agents", os.environ.get(name, "")))]) from None
    values.pop("origins", None)
    return _Layered("variable", values, _variable_name)


def _variable_name(key: str) -> str:
    return PREFIX + key.replace(".", "__").upper()


def _file_layer(file: SettingsFile) -> _Layered:
    table = {name: value for name, value in file.table.items() if name not in OTHER_TABLES}
    if isinstance(table.get("out"), str):
        table["out"] = str(file.path.parent / table["out"])
    return _Layered("file", table, file.place)


def _merge(layers: Sequence[_Layered]) -> tuple[dict[str, Any], dict[str, Origin]]:
    """Return the values and their origins; seats are merged one by one, the stronger layer wins."""
    merged: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    for layered in reversed(layers):
        for name, value in layered.values.items():
            seats = _as_table(value) if name == "agents" else None
            if seats is None:
                merged[name] = value
                origins[name] = Origin(layer=layered.layer, where=layered.place(name))
                continue
            merged[name] = {**(_as_table(merged.get(name)) or {}), **seats}
            for seat in seats:
                key = f"{name}.{seat}"
                origins[key] = Origin(layer=layered.layer, where=layered.place(key))
    return merged, origins


def _as_table(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None  # pyright: ignore[reportUnknownVariableType]


def _unknown_keys(layered: _Layered) -> Iterable[SettingsProblem]:
    for name in layered.values:
        if name not in SETTING_NAMES:
            names = (*SETTING_NAMES, *OTHER_TABLES)
            yield SettingsProblem(layered.place(name), _unknown("settings.unknown", name, names))
    for seat in _as_table(layered.values.get("agents")) or {}:
        if seat not in AGENTS:
            where = layered.place(f"agents.{seat}")
            yield SettingsProblem(where, _unknown("settings.unknown_seat", seat, AGENTS))


def _unknown(key: str, name: str, names: Sequence[str]) -> str:
    near = nearest(name, names)
    if near is None:
        return say(key, name=name, names=", ".join(names))
    return say(f"{key}_near", name=name, near=near)


def _wrong_values(error: ValidationError, origins: Mapping[str, Origin]) -> Iterable[SettingsProblem]:
    """Yield one problem a wrong value, in our own words: what was expected and what was read."""
    told: set[str] = set()
    for detail in error.errors():
        name = str(detail["loc"][0])
        key = ".".join(str(part) for part in detail["loc"][:2]) if name == "agents" else name
        origin = origins.get(key) or origins.get(name)
        if key not in told and origin is not None:
            told.add(key)
            kind = "model" if key != name else name
            yield SettingsProblem(origin.where, _expected(key, detail["input"], kind))


def _expected(name: str, value: object, kind: str | None = None) -> str:
    expected = say(f"settings.expected.{kind or name}")
    return say("settings.wrong_value", name=name, expected=expected, value=_short(value))


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else text[:59] + "…"
