"""Readers of replies are linear: whatever a model loops on, reading it takes no time that anybody notices."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from agents.prose_reading import read_continuity, read_prose, read_rewrite
from agents.reading import read_plan_reply, read_revision
from agents.review_reading import read_review, read_verdict
from concilio.gateway.errors import ReplyProblem
from concilio.gateway.reply import strip_reasoning
from concilio.gateway.seam import join
from tests.table_scripts import PLAN, PROSE_1

SIZE = 50_000
"""Characters: a quadratic reader takes a minute and more for them."""
SECONDS = 4.0
"""A generous bound: a linear reader takes a tenth of it on a busy machine."""

PATTERNS = [
    *("a", " ", "\n", "\n ", "\t\n", ". ", "{", "[", '{"a":', "`", "```\n", "~~~\n", "*", "_", "**a** "),
    *("- a: b\n", "- ", "— ", "|", "a | b | c | d | e\n", "VEREDICTO: aceptar\n", "VEREDICTO: ", "<"),
    *("<think>", "<!--", "\\", "LUGAR: ", ": ", "5.1 ", "→ ", "[1]\n", "#", "### Escena 1.1 — x\n", "{a: "),
    *("«", "1.", "O1 | ", f"{PLAN}\n", f"{PROSE_1}\n\n"),
]

READERS: list[tuple[str, Callable[[str], Any]]] = [
    ("plan", lambda text: read_plan_reply(text, 1, "es")),
    ("revision", lambda text: read_revision(text, 1, "es")),
    ("review", lambda text: read_review(text, "damian", 1)),
    ("verdict", read_verdict),
    ("prose", read_prose),
    ("rewrite", read_rewrite),
    ("continuity", read_continuity),
    ("join", lambda text: join(text[: len(text) // 2], text[len(text) // 2 :])),
    ("reasoning", strip_reasoning),
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_loop_is_read_in_no_time(pattern: str) -> None:
    """By every reader; a handled problem is as good as a value."""
    text = (pattern * (SIZE // len(pattern) + 1))[:SIZE]
    for name, read in READERS:
        began = time.process_time()
        with suppress(ReplyProblem):
            read(text)
        assert time.process_time() - began < SECONDS, name
