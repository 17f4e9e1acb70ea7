"""Mechanics by reference: prose places `[[5.1-a]]`, and the words and numbers come from the plan.

A reference in text that came from the outline is dead (`\\[\\[`) and is printed as it was written.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from concilio.domain.plan import Mechanic

_REFERENCE = re.compile(r"(?<!\\)\[\[([^\[\]\n]{1,24})\]\]")


@dataclass(frozen=True, slots=True)
class Rendered:
    """Prose with its references written out."""

    text: str
    used: tuple[str, ...]
    """References placed, in order, each once."""
    unknown: tuple[str, ...]
    """References that the plan does not have; they are taken out of the text."""


def render_references(draft: str, mechanics: Iterable[Mechanic]) -> Rendered:
    """Write out the references of a draft."""
    texts = {m.ref: m.text for m in mechanics}
    used: dict[str, None] = {}
    unknown: dict[str, None] = {}

    def written(match: re.Match[str]) -> str:
        ref = match.group(1).strip()
        if ref not in texts:
            unknown[ref] = None
            return ""
        used[ref] = None
        return _capitalised(texts[ref]) if _starts_sentence(draft, match.start()) else texts[ref]

    text = _REFERENCE.sub(written, draft).replace("\\[\\[", "[[")
    return Rendered(_tidy(text) if unknown else text, tuple(used), tuple(unknown))


def _starts_sentence(text: str, at: int) -> bool:
    before = text[:at].rstrip(" *_(¿¡«“\"'")
    return not before or before[-1] in ".!?…\n"


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _tidy(text: str) -> str:
    return re.sub(r" +([,.;:])", r"\1", re.sub(r"[ \t]{2,}", " ", text))
