"""Turn the debate of a chapter file of the old system into a script: the same replies, with their cuts."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.fake_model.script import Script, parse_script

_DEBATE = re.compile(r"^##\s+(?:Debate completo|Full debate|Debate)\s*$", re.MULTILINE)
_END = re.compile(r"^_(?:Outcome|Resultado)\b", re.MULTILINE)
_SCENE = re.compile(r"\b(?:Escena|Scene|Cap[ií]tulo|Chapter)\b|\d")
_HEADING = re.compile(r"^### +([^\n]+)$", re.MULTILINE)
_FINISHED = (".", "!", "?", "…", "»", "”", '"', ")", "*", "`")
DEFAULT_NAMES = {"Iris Vela": "iris", "Damián Tachón": "damian", "Rubén Veinte": "ruben"}
LAST_LINE_IS_WHOLE = re.compile(r"(?:VEREDICTO|VERDICT)\s*:\s*\w+\s*\Z", re.IGNORECASE)


def messages_of_chapter(
    markdown: str, names: Mapping[str, str] = DEFAULT_NAMES
) -> tuple[tuple[str, str, bool], ...]:
    """Return a debate's messages in order: agent, text, and whether the text was cut.

    A message begins at a heading `### Name`, for the names given; other headings of that level are its text.
    """
    begin = _DEBATE.search(markdown)
    if begin is None:
        return ()
    end = _END.search(markdown, begin.end())
    debate = markdown[begin.end() : end.start() if end else len(markdown)]
    marks = [m for m in _HEADING.finditer(debate) if m[1].strip() in names]
    stops = [m.start() for m in marks[1:]] + [len(debate)]
    texts = (debate[m.end() : stop].strip() for m, stop in zip(marks, stops, strict=True))
    return tuple((names[m[1].strip()], text, is_cut(text)) for m, text in zip(marks, texts, strict=True))


def is_cut(text: str) -> bool:
    """Tell whether a message ends in mid sentence."""
    return not (text.endswith(_FINISHED) or LAST_LINE_IS_WHOLE.search(text))


def script_from_chapter(
    markdown: str,
    rest: Mapping[tuple[str, int], str] | None = None,
    names: Mapping[str, str] = DEFAULT_NAMES,
    after: Mapping[str, Sequence[Any]] | None = None,
) -> Script:
    """Return a script that replays a chapter's debate, each agent's messages in order.

    Args:
        markdown: a chapter file.
        rest: continuation of a cut message, by agent and number of its message from 0: the answer to the
            request after it. A cut message without one is followed by the agent's next message.
        names: headings to agents.
        after: steps that each agent plays when its messages are used up.
    """
    steps: dict[str, list[Any]] = {}
    for agent, text, cut in messages_of_chapter(markdown, names):
        mine = steps.setdefault(agent, [])
        number = sum(1 for step in mine if not step.get("rest_of"))
        mine.append({"reply": text, "finish_reason": "length" if cut else "stop"})
        follow = (rest or {}).get((agent, number))
        if cut and follow is not None:
            mine.append({"reply": follow, "rest_of": number})
    for mine in steps.values():
        for step in mine:
            step.pop("rest_of", None)
    for agent, more in (after or {}).items():
        steps.setdefault(agent, []).extend(more)
    return parse_script({"models": steps})
