"""What is wrong with a value of a ruleset, in our words: the key that was meant, or what was expected."""

from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from rules.rulefiles import RulesetError

_KINDS = {
    "int": "whole_number",
    "float": "number",
    "string": "text",
    "bool": "truth",
    "dict": "mapping",
    "mapping": "mapping",
    "model": "mapping",
    "list": "list",
    "tuple": "list",
    "set": "list",
    "missing": "missing",
    "finite": "number",
}
"""What was expected, by how the name of pydantic's error begins."""
_BOUNDS = {
    "greater_than": "above",
    "greater_than_equal": "at_least",
    "less_than": "below",
    "less_than_equal": "at_most",
    "too_short": "too_few",
    "too_long": "too_many",
    "string_too_short": "empty",
    "string_pattern_mismatch": "dice",
}
"""What was expected, by pydantic's error, of a figure out of bounds, a list, dice."""
_LONGEST = 60
"""Characters of a value that are shown."""


def wrong_value(
    file: Path, key: str, fault: ErrorDetails, kind: Any, late: tuple[str, ...] = ()
) -> RulesetError:
    """Return the error for what a model refused.

    Args:
        file: where it stands.
        key: its path in the file.
        fault: what pydantic says of it.
        kind: the model, or mapping of models, that refused.
        late: other keys that may stand beside those of the model.
    """
    *path, name = fault["loc"] or ("",)
    if fault["type"] == "extra_forbidden":
        known = [*_keys_at(kind, path), *(() if path else late)]
        near = _nearest(str(name), known)
        if near:
            return RulesetError(file, key, "unknown_key_near", name=name, near=near)
        return RulesetError(file, key, "unknown_key", name=name, names=", ".join(known))
    values: Mapping[str, object] = fault.get("ctx", {})
    told = _shown(fault["input"])
    if "expected" in values:
        return RulesetError(file, key, "one_of", names=_choices(values["expected"]), value=told)
    if fault["type"] in _BOUNDS:
        return RulesetError(file, key, _BOUNDS[fault["type"]], bound=_bound(values), value=told)
    code = _KINDS.get(fault["type"].partition("_")[0], "other")
    return RulesetError(file, key, code, value=told)


def _choices(expected: object) -> str:
    """Return pydantic's list of values without its English «or»."""
    return str(expected).replace(" or ", ", ")


def _bound(values: Mapping[str, object]) -> object:
    """Return the bound that was passed (`0`, `20`)."""
    bounds = ("gt", "ge", "lt", "le", "min_length", "max_length")
    found = next((values[name] for name in bounds if name in values), "")
    return f"{found:g}" if isinstance(found, float) else found


def _shown(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _keys_at(kind: Any, path: list[int | str]) -> list[str]:
    """Return the keys that a model knows at a path; none where there is no model."""
    for part in path:
        kind = _inside(_model(kind), part)
    model = _model(kind)
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        return []
    return list(model.model_fields)


def _inside(kind: Any, part: int | str) -> Any:
    """Return the type of what stands under a key of a model, a mapping or a list."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        field = kind.model_fields.get(str(part))
        return field.annotation if field else None
    inner = [one for one in get_args(kind) if one is not Ellipsis]
    return inner[-1] if inner else None


def _model(kind: Any) -> Any:
    """Return the type that matters of an optional or annotated one."""
    if get_origin(kind) is Annotated:
        return _model(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return _model(next((one for one in get_args(kind) if one is not type(None)), None))
    return kind


def _nearest(name: str, known: list[str]) -> str | None:
    from rapidfuzz import fuzz, process

    best = process.extractOne(name.lower(), known, scorer=fuzz.ratio, score_cutoff=60)
    return best[0] if best else None
