"""Lengths as a language prints them: its unit for the rules' feet, its decimal mark in anybody's figures."""

import re
from typing import TYPE_CHECKING

from concilio.catalogue import say
from rules.claims.extract import extract
from rules.claims.model import Distance
from rules.document import Passage

if TYPE_CHECKING:
    from concilio.domain.base import Language
    from rules.ruleset import Ruleset

_POINT = re.compile(r"(?<=\d)\.(?=\d{1,2}(?!\d))")
"""The point of a decimal figure; three digits after it are thousands (`1.500 m`)."""


def length(feet: int, language: "Language", far: int | None = None) -> str:
    """Return feet as printed in a language's unit, with a long range where there is one (`24/96 m`)."""
    scale = float(say("export.unit.per_foot", language))
    figures = [f"{value * scale:g}" for value in (feet, far) if value is not None]
    return f"{decimals('/'.join(figures), language)} {say('export.unit.name', language)}"


def decimals(text: str, language: "Language") -> str:
    """Return a text that is nothing but a length, with the language's decimal mark."""
    return _POINT.sub(say("export.unit.decimal", language), text)


def lengths_in(text: str, language: "Language", ruleset: "Ruleset") -> str:
    """Return a text whose lengths have the language's decimal mark; its other figures stay as they are."""
    if _POINT.search(text) is None:
        return text
    parts: list[str] = []
    at = 0
    for claim in extract(Passage(text, 0), language, ruleset):
        if isinstance(claim, Distance) and claim.start >= at:
            parts += text[at : claim.start], decimals(claim.quote, language)
            at = claim.end
    return "".join(parts) + text[at:]
