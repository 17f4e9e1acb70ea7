"""What a text says of the player characters' will: an editor's sentences, with the fault and near it."""

from dataclasses import replace
from typing import Any, Literal

import pytest
import yaml

from concilio.chapterfile.reader import read_document
from rules.engine import check
from rules.ruleset import load_ruleset
from tests.rules.editors.chapters import FOLDER

_TABLE: dict[str, Any] = yaml.safe_load((FOLDER / "agency.yaml").read_text(encoding="utf-8"))


def _is_told(language: Literal["es", "en"], text: str) -> bool:
    document = replace(read_document(text, "scene.md"), language=language)
    return any(f.rule == "player-agency" for f in check(document, load_ruleset()))


@pytest.mark.parametrize(("language", "text"), _TABLE["faults"])
def test_the_will_of_player_characters_is_not_the_texts_to_tell(
    language: Literal["es", "en"], text: str
) -> None:
    assert _is_told(language, text)


@pytest.mark.parametrize(("language", "text"), _TABLE["right"])
def test_what_leaves_their_will_alone_is_right(language: Literal["es", "en"], text: str) -> None:
    assert not _is_told(language, text)
