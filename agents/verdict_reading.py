"""The verdict of a reply: stated on a line of its own, once, and not taken back by what stands around it."""

import re
from collections.abc import Iterator

from agents.vocabulary import folded, words
from concilio.domain.debate import Verdict

LONGEST_LINE = 120
"""Characters of a line that may state a verdict."""
_NEAR = 4
"""Words between the word for a verdict and the verdict, in a sentence."""

_VERDICT_LINE = re.compile(r"^[\s*_#`-]*([^\W\d_]+)[\s*_`]*:[\s*_`]*([^\W\d_]+(?: [^\W\d_]+)?)[\s*_`.!]*$")
_LABELLED_END = re.compile(r":[\s*_`]*([^\W\d_]+(?: [^\W\d_]+)?)[\s*_`.!]*$")
_WHOLE_FENCE = re.compile(r"`{3,}[^\n`]*\n((?:(?!`{3}).)*)`{3,}\Z", re.DOTALL)
_FENCE_LINE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_JSON_VERDICT = re.compile(r'"verdict"\s*:\s*"(\w+)"')
_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE_ENDS = (".", "!", "?", "…", "»", "”", '"', ")", "|")


def find_verdict(text: str) -> Verdict | None:
    """Return the verdict stated on a line of its own; None where there is none, or it is in doubt.

    In doubt are two different ones, an acceptance beside words that refuse, one that hangs on a condition.
    """
    own = _own_words(text)
    found = set(_stated(own.splitlines()))
    verdict = found.pop() if len(found) == 1 else None
    return None if verdict == "accept" and refuses(own) else verdict


def verdicts_in(text: str) -> set[str]:
    """Return all verdicts that a reply states, in JSON or on lines, whether or not they agree."""
    stated = {match.group(1) for match in _JSON_VERDICT.finditer(text)}
    return stated | {verdict for line in text.splitlines() if (verdict := verdict_of(line))}


def states_verdict(text: str) -> bool:
    """Tell whether a line of a text has the form of a verdict, whatever it is worth."""
    return any(verdict_of(line) for line in text.splitlines())


def verdict_of(line: str) -> Verdict | None:
    """Return the verdict that a line states, or None."""
    match = _VERDICT_LINE.match(line) if len(line) < LONGEST_LINE else None
    if match is None or folded(match.group(1)) not in words("verdict"):
        return None
    return _meant(match.group(2))


def refuses(text: str) -> bool:
    """Tell whether a text says in so many words that it does not accept: a verdict beside it is in doubt."""
    plain = folded(text)
    if any(phrase in plain for phrase in words("refusal")):
        return True
    return any(_refuses_in_passing(line) for line in text.splitlines() if verdict_of(line) is None)


def _meant(said: str) -> Verdict | None:
    plain = folded(said)
    if plain in words("accept"):
        return "accept"
    return "refine" if plain in words("refine") else None


def _stated(lines: list[str]) -> Iterator[Verdict]:
    for at, line in enumerate(lines):
        verdict = verdict_of(line)
        if verdict == "accept" and _hangs_on(lines, at):
            continue
        if verdict:
            yield verdict


def _hangs_on(lines: list[str], at: int) -> bool:
    """Tell whether a line goes on in the next one with a condition, or ends a conditional sentence."""
    before = lines[at - 1].strip() if at else ""
    after = lines[at + 1].strip() if at + 1 < len(lines) else ""
    opens = _WORD.match(folded(after))
    if opens and after[:1].islower() and opens.group() in words("conditional"):
        return True
    unfinished = bool(before) and not before.rstrip("*_`").endswith(_SENTENCE_ENDS)
    return unfinished and any(word in words("conditional") for word in _WORD.findall(folded(before)))


def _refuses_in_passing(line: str) -> bool:
    """Tell whether a line names the other verdict: after a label, or near the word for a verdict."""
    end = _LABELLED_END.search(line[-LONGEST_LINE:])
    if end and _meant(end.group(1)) == "refine":
        return True
    said = _WORD.findall(folded(line))
    places = [i for i, word in enumerate(said) if word in words("verdict")]
    return any(word in words("refine") for i in places for word in said[i + 1 : i + 1 + _NEAR])


def _own_words(text: str) -> str:
    """Return a reply without what it only shows: code blocks, unless all of it is one, and comments."""
    stripped = text.strip()
    if match := _WHOLE_FENCE.match(stripped):
        stripped = match.group(1)
    return _COMMENT.sub("", "\n".join(_outside_fences(stripped)))


def _outside_fences(text: str) -> Iterator[str]:
    inside = False
    for line in text.splitlines():
        if _FENCE_LINE.match(line):
            inside = not inside
        elif not inside:
            yield line
