"""Reading the YAML files of a ruleset and of its parents, merged, with the origin of each key."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import yaml

from rules.wording import texts

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MOST_PARENTS = 8
MOST_BYTES = 2_000_000
"""Size above which a file is refused."""

Location = tuple[int | str, ...]
OriginOf = Callable[[Location], Path]


class RulesetError(Exception):
    """A ruleset that cannot be used: `file` and `key` say where, `code` and `values` what.

    The words for each `code` are in `rules/texts/<language>/rulesets.toml`.
    """

    exit_code = 2
    """Exit status of a command that ends by it."""

    def __init__(self, file: Path | str, key: str, code: str, **values: object) -> None:
        """Keep the place and the problem."""
        self.file = str(file)
        self.key = key
        self.code = code
        self.values = values
        super().__init__(self.told("en"))

    def told(self, language: str) -> str:
        """Return place and problem in a language."""
        problem = str(texts(language, "rulesets")[self.code]).format_map(self.values)
        return f"{self.file}: {self.key}: {problem}" if self.key else f"{self.file}: {problem}"

    def __reduce__(self) -> tuple[object, ...]:
        """Travel between processes whole."""
        return partial(RulesetError, **self.values), (self.file, self.key, self.code)


@dataclass(frozen=True, slots=True)
class RulesetFiles:
    """What the files of a ruleset and of its parents say."""

    data: dict[str, Any]
    """Sections, merged."""
    origin: OriginOf
    """Tells the file that holds a key."""
    late: tuple[tuple[str, Path, Mapping[str, Any] | None], ...]
    """Late sections, parents first: section, file, and rows; None: the whole file is the section's."""


def read_folder(name: str, roots: tuple[Path, ...], late: tuple[str, ...] = ()) -> RulesetFiles:
    """Return the merged data of a ruleset and its parents.

    Args:
        name: id of the ruleset.
        roots: folders in which rulesets lie, the first one first.
        late: sections that are not merged but handed over as they stand.

    Raises:
        RulesetError: no such folder, a file that is no YAML mapping, or parents that go in a circle.
    """
    chain = _chain(name, roots)
    merged: dict[str, Any] = {}
    origins: dict[tuple[str, str], Path] = {}
    kept: list[tuple[str, Path, Mapping[str, Any] | None]] = []
    for folder in reversed(chain):
        kept += ((file.stem, file, None) for file in _tables(folder, late))
        for file in _files(folder):
            data = read_mapping(file)
            kept += ((s, file, _section(file, s, data.pop(s))) for s in late if s in data)
            merge(merged, data)
            origins |= {(section, key): file for section in data for key in ("", *_keys(data[section]))}
    merged = {key: without_nulls(value) for key, value in merged.items()}

    def origin(where: Location) -> Path:
        section, key = (str(part) for part in (*where, "", "")[:2])
        return origins.get((section, key)) or origins.get((section, "")) or chain[0]

    return RulesetFiles(merged, origin, tuple(kept))


def _tables(folder: Path, late: tuple[str, ...]) -> Iterator[Path]:
    for file in sorted(folder.glob("tables/*")):
        if file.suffix in (".json", ".yaml"):
            if file.stem not in late:
                raise RulesetError(file, "", "no_table", tables=", ".join(late))
            yield file


def _section(file: Path, name: str, section: object) -> Mapping[str, Any]:
    if not isinstance(section, dict):
        raise RulesetError(file, name, "mapping")
    return {str(k): v for k, v in cast("dict[object, Any]", section).items()}


def _chain(name: str, roots: tuple[Path, ...]) -> list[Path]:
    """Return the folders of a ruleset and its parents, the child first."""
    chain: list[Path] = []
    wanted: str | None = name
    while wanted is not None:
        folder = _folder(wanted, roots)
        if folder in chain or len(chain) >= MOST_PARENTS:
            raise RulesetError(folder, "extends", "circle")
        chain.append(folder)
        main = main_file(folder)
        parent: object = read_mapping(main).get("extends")
        if parent is not None and not isinstance(parent, str):
            raise RulesetError(main, "extends", "id")
        wanted = parent
    return chain


def main_file(place: Path) -> Path:
    """Return the file that names a ruleset: `ruleset.yaml` of its folder, or the one file that it is."""
    return place if place.suffix == ".yaml" else place / "ruleset.yaml"


def names_in(root: Path) -> tuple[str, ...]:
    """Return the names of the rulesets that lie in a folder, as folders or single files, in order."""
    try:
        places = [place for place in root.iterdir() if _is_there(place)]
    except OSError:
        return ()
    return tuple(sorted({p.stem if p.suffix == ".yaml" else p.name for p in places}))


def _folder(name: str, roots: tuple[Path, ...]) -> Path:
    # A name is one part of a path: it must not climb out of the folders of rulesets.
    if name and name == Path(name).name and not name.startswith("."):
        for root in roots:
            for place in (root / name, root / f"{name}.yaml"):
                if _is_there(place):
                    return place
    raise RulesetError(name, "", "not_there")


def _is_there(place: Path) -> bool:
    """Tell whether a ruleset lies at a place; where nobody may look, there is none."""
    try:
        return main_file(place).is_file()
    except OSError:
        return False


def _files(folder: Path) -> list[Path]:
    return [folder] if folder.suffix == ".yaml" else sorted(folder.glob("*.yaml"))


def read_mapping(file: Path) -> dict[str, Any]:
    """Return what a YAML or JSON file holds.

    Raises:
        RulesetError: it cannot be read, is too large, or is no mapping.
    """
    try:
        with file.open("rb") as stream:  # a device tells no size, and has no end
            data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise RulesetError(file, "", "too_large")
        loaded = _parse(file, data.decode("utf-8"))
    except (yaml.YAMLError, OSError, ValueError, RecursionError) as error:
        raise _unreadable(file, error) from None
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise RulesetError(file, "", "mapping")
    return {str(k): v for k, v in cast("dict[object, Any]", loaded).items()}


def _unreadable(file: Path, error: Exception) -> RulesetError:
    """Return why a file cannot be read, in our words where it is one of the usual reasons."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark:
        place = {"line": error.problem_mark.line + 1, "column": error.problem_mark.column + 1}
        return RulesetError(file, "", "not_yaml", **place)
    if isinstance(error, json.JSONDecodeError):
        return RulesetError(file, "", "not_json", line=error.lineno, column=error.colno)
    if isinstance(error, UnicodeDecodeError):
        return RulesetError(file, "", "not_utf8", position=error.start)
    if isinstance(error, PermissionError | RecursionError):
        return RulesetError(file, "", "denied" if isinstance(error, PermissionError) else "too_deep")
    return RulesetError(file, "", "unreadable", detail=" ".join(str(error).split()))


def _parse(file: Path, text: str) -> object:
    if file.suffix == ".json":
        return json.loads(text)
    return yaml.load(text, LOADER)  # noqa: S506 - a safe loader


def _keys(section: object) -> tuple[str, ...]:
    return tuple(str(k) for k in cast("Mapping[object, Any]", section)) if isinstance(section, dict) else ()


def merge(into: dict[str, Any], data: Mapping[str, Any]) -> None:
    """Put data over what is there, key by key."""
    for key, value in data.items():
        old = into.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            merge(cast("dict[str, Any]", old), cast("dict[str, Any]", value))
        else:
            into[key] = value


def without_nulls(section: Any) -> Any:
    """Return a section without the entries that were taken away."""
    if not isinstance(section, dict):
        return section
    return {k: v for k, v in cast("dict[Any, Any]", section).items() if v is not None}
