"""What a reviewer denies or states of a plan, in sentences of many shapes, false and right."""

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.rules.editors.chapters import FOLDER, Planted, bases, is_found, rendered

TABLE: dict[str, list[list[str]]] = yaml.safe_load(
    (Path(__file__).parent / "reviews_told.yaml").read_text(encoding="utf-8")
)
_WORD = {"es": "Escena", "en": "Scene"}


def review(base: str, scene: str, form: str, sentence: str) -> Planted:
    """Return a right chapter in whose debate a sentence stands: the checker's line, or the critic's words."""
    chapter: dict[str, Any] = copy.deepcopy(dict(bases("second")[base]))
    if form == "line":
        label = f"- **{_WORD[chapter['lang']]} {scene}**: "
        lines = [label + sentence if x.startswith(label) else x for x in chapter["checker"].split("\n")]
        chapter["checker"] = "\n".join(lines)
    else:
        chapter["critic"] = f"{sentence}\n\n{chapter['critic']}"
    text = rendered(chapter)
    assert sentence in text
    adventure = FOLDER / "second" / chapter["adventure"]
    return Planted("", "false-claim", text, sentence.rstrip("."), "", adventure, None)


@pytest.mark.parametrize("case", TABLE["wrong"], ids=lambda c: c[3])
def test_a_false_statement_of_the_plan_is_found(case: list[str]) -> None:
    assert is_found(review(*case))


@pytest.mark.parametrize("case", TABLE["right"], ids=lambda c: c[3])
def test_a_right_statement_is_silent(case: list[str]) -> None:
    assert not is_found(review(*case))
