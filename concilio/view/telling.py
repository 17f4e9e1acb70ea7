"""A line of a run's events as the page takes it: what is not of its type is left out, and noted."""

import json
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    ValidationError,
)

from concilio.batch.stated import Number

Count = Annotated[StrictInt, Field(ge=0, le=10**12)]
"""How many there are of something: no run of ours counts further."""
Measure = Annotated[StrictInt | StrictFloat, Field(ge=0, le=10**12, allow_inf_nan=False)]
_BEGINNING = '{"at": "'
"""How each line of ours begins."""


class Told(BaseModel):
    """What happened, in the fields that a page shows; None and empty texts are what nobody said."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: StrictStr
    at: StrictStr = ""
    chapter: Number | None = None
    round: Count | None = None
    agent: StrictStr = ""
    model: StrictStr = ""
    from_journal: StrictBool = False
    tokens_in: Count | None = None
    tokens_out: Count | None = None
    cost_usd: Measure | None = None
    characters: Count = 0
    seconds: Measure = 0
    faults: Count = 0
    verdict: StrictStr | None = None
    objections: Count = 0
    ending: StrictStr | None = None
    open: Count | None = None
    scene: StrictStr = ""
    findings: Count = 0
    done: StrictBool = False
    scenes: Count = 0


def told(line: str) -> tuple[Told | None, bool]:
    """Return what a line tells, and whether all of it is as we write it.

    Of a line that a killed process left half written nothing is told, and it is no fault of the file's.
    """
    try:
        event: Any = json.loads(line)
    except (ValueError, RecursionError):
        half = line.startswith(_BEGINNING) or _BEGINNING.startswith(line.strip())
        return None, half
    try:
        return Told.model_validate(event), True
    except ValidationError as error:
        if not isinstance(event, dict):
            return None, False
        wrong = {fault["loc"][0] for fault in error.errors()}
    try:
        return Told.model_validate({k: v for k, v in event.items() if k not in wrong}), False  # pyright: ignore[reportUnknownVariableType]
    except ValidationError:  # it does not say what it is
        return None, False
