"""Reading plans: the one place from which the rest of the program takes it."""

from concilio.chapterfile.plan_merge import merge_readings
from concilio.chapterfile.plan_scan import PlanText, read_plan
from concilio.chapterfile.plan_values import (
    PlanIncomplete,
    as_written,
    cut_field,
    incomplete,
    missing_fields,
    to_proposal,
    to_scene_plan,
)

__all__ = [
    "PlanIncomplete",
    "PlanText",
    "as_written",
    "cut_field",
    "incomplete",
    "merge_readings",
    "missing_fields",
    "read_plan",
    "to_proposal",
    "to_scene_plan",
]
