"""General frames: sentences that any scene may use, each scene another one while there are any."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from agents.embedded.brief import Brief
from agents.embedded.loading import LEXICON, load_yaml
from agents.embedded.slots import rng

_MOST_CHAPTERS_SCENES = 5
"""No list of frames that tell much has a length with a factor of it: it takes long to come round."""


@cache
def frames_of(language: str) -> Any:
    """Return the general frames of prose in a language."""
    return load_yaml(LEXICON / language / "frames.yaml")


def framed(brief: Brief, options: Sequence[str], what: str, index: int) -> str:
    """Return one of the frames: another one each scene; the next chapter goes on where this one ends."""
    order = list(options)
    rng(brief.seed, brief.canon.adventure, what).shuffle(order)
    return order[(brief.outline.number * scenes_a_chapter(brief) + index) % len(order)]


def scenes_a_chapter(brief: Brief) -> int:
    """Return how many frames a chapter uses up: as many as most have scenes, or its outline wants, if more.

    Chapters know nothing of each other's length; a common step keeps a short one out of its neighbour's.
    """
    return max(_MOST_CHAPTERS_SCENES, brief.outline.scenes or 0)
