"""What the fake model says, step by step, and which faults it has.

A script names models (the part after `openai/`); each has steps. A request takes the first step that is not
used up and whose `when` stands in the prompt.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError


class ScriptError(Exception):
    """A script that cannot be used, or that has run out."""


class Step(BaseModel):
    """One answer, right or faulty."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    reply: str = ""
    """Text of the answer; nothing is an empty answer."""
    data: Any = Field(default=None, alias="json")
    """Answer as data: sent as JSON text instead of `reply`."""

    when: str | None = None
    """Text that must stand in the prompt."""
    repeat: bool = False
    """Never used up."""
    times: int = Field(default=1, ge=1)
    """Requests until it is used up."""
    latency_ms: float | None = Field(default=None, ge=0)
    """Milliseconds before the answer; None: the script's."""

    status: int = Field(default=200, ge=200, le=599)
    """HTTP status; from 400 on the answer is an error with `reply` as its message."""
    retry_after: float | str | None = None
    """`Retry-After` header of an error: seconds or an HTTP date."""
    drop: Literal["before", "midway"] | None = None
    """Close the connection instead of answering, or in the middle of the answer."""

    garbled: bool = False
    """Send only the beginning of the answer's body, as if it were all of it: JSON that nobody can read."""

    finish_reason: str | None = None
    """None: `length` where `cut_at` cuts, else `stop`. With `cut_at`, `stop` is a cut that nobody admits."""
    cut_at: int | None = Field(default=None, ge=0)
    """Characters after which the text ends; the rest is sent by a step with `rest`."""
    rest: bool = False
    """Send what the model's last cut answer lacks."""
    break_json: bool = False
    """Spoil the text's JSON: a comma too many, the first key without quotes."""
    preamble: str = ""
    """Chatter before the text."""
    fences: int = Field(default=0, ge=0, le=4)
    """Code fences around the text, nested."""
    think: str = ""
    """Reasoning in `<think>` before the text."""
    reasoning: str = ""
    """Reasoning in the field `reasoning_content`."""

    body: dict[str, Any] | None = None
    """Fields of the answer's body, sent as they are here, right or wrong (`usage`, `error`, `choices`)."""
    message: dict[str, Any] | None = None
    """Fields of the answer's message, sent as they are here (`content` as a list of parts, `refusal`)."""


class Script(BaseModel):
    """All that the fake model will say."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    models: dict[str, tuple[Step, ...]] = {}
    default: Step | None = None
    """Answer for models without steps, and for those whose steps are used up."""
    latency_ms: float = Field(default=0.0, ge=0)
    on_exhausted: Literal["error", "repeat_last"] = "error"
    chaos: dict[str, Any] | None = None
    """Faults at random (`rate`, `seed`, `kinds`; see `chaos.py`). A cut answer then goes on from where the
    conversation says that it ended, whoever asks meanwhile."""


def parse_script(source: Mapping[str, Any] | Script) -> Script:
    """Return a script from its data; a step may be a plain text, a model a single step.

    Raises:
        ScriptError: says which field of which step is wrong.
    """
    if isinstance(source, Script):
        return source
    data = dict(source)
    models: Any = data.get("models") or {}
    if not isinstance(models, dict):
        raise ScriptError("models: a mapping of names to steps is wanted")
    named = cast(dict[str, Any], models)
    data["models"] = {name: [_step(step) for step in _as_steps(steps)] for name, steps in named.items()}
    if "default" in data:
        data["default"] = _step(data["default"])
    try:
        return Script.model_validate(data)
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise ScriptError("; ".join(problems)) from error


def _as_steps(value: Any) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else [value]


def _step(value: Any) -> Any:
    return {"reply": value} if isinstance(value, str) else value


def load_script(path: Path) -> Script:
    """Return the script of a YAML or JSON file.

    Raises:
        ScriptError: unreadable, or not a script.
    """
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ScriptError(f"{path}: {error}") from error
    if not isinstance(data, dict):
        raise ScriptError(f"{path}: a mapping with `models` is wanted")
    return parse_script(cast(dict[str, Any], data))


def spoil_json(text: str) -> str:
    """Return JSON that no strict parser takes: trailing comma, unquoted first key; brackets stay."""
    spoiled = text.rstrip()
    if spoiled.endswith(("}", "]")):
        spoiled = f"{spoiled[:-1]},{spoiled[-1]}"
    first, quote, rest = spoiled.partition('"')
    key, end_quote, after = rest.partition('"')
    return f"{first}{key}{after}" if quote and end_quote else spoiled


@dataclass
class Player:
    """Plays one model's steps; holds how far it is."""

    steps: tuple[Step, ...]
    used: list[int] = field(default_factory=list[int])
    last: Step | None = None
    owed: str = ""
    """What the last cut answer lacks."""

    def __post_init__(self) -> None:
        self.used = [0] * len(self.steps)

    def next(self, prompt: str) -> Step | None:
        """Return the step for a prompt, None where none is left."""
        for i, step in enumerate(self.steps):
            spent = not step.repeat and self.used[i] >= step.times
            if not spent and (step.when is None or step.when in prompt):
                self.used[i] += 1
                self.last = step
                return step
        return None

    def text_of(self, step: Step) -> str:
        """Return the text that a step sends, cut and dressed as it says."""
        text = json.dumps(step.data, ensure_ascii=False) if step.data is not None else step.reply
        if step.rest:
            text, self.owed = self.owed, ""
        if step.break_json:
            text = spoil_json(text)
        if step.cut_at is not None:
            text, self.owed = text[: step.cut_at], text[step.cut_at :]
        return _dressed(text, step)


def _dressed(text: str, step: Step) -> str:
    for depth in range(step.fences):
        info = "json" if depth == 0 and step.data is not None else ""
        text = f"```{info}\n{text}\n```"
    if step.preamble:
        text = f"{step.preamble}\n\n{text}"
    if step.think:
        text = f"<think>{step.think}</think>\n{text}"
    return text
