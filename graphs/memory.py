"""What a chapter leaves for the next one: how it ends, and what its outcomes promise of later chapters."""

import re
from collections.abc import Iterator

from concilio.domain.plan import Proposal

_LATER_CHAPTER = re.compile(r"\b(?:cap(?:[íi]tulo|\.)?|ch(?:apter|\.)?)\s*(\d{1,3})\b", re.IGNORECASE)


def remembered(chapter: int, proposal: Proposal) -> tuple[str, ...]:
    """Return the lines that later chapters' agents receive."""
    return tuple(dict.fromkeys((*_promises(chapter, proposal), *_last_state(proposal))))


def _promises(chapter: int, proposal: Proposal) -> Iterator[str]:
    for scene in proposal.scenes:
        for outcome in scene.outcomes:
            if any(int(n) > chapter for n in _LATER_CHAPTER.findall(outcome.text)):
                yield f"{scene.id} · {outcome.label}: {outcome.text}"


def _last_state(proposal: Proposal) -> Iterator[str]:
    if proposal.scenes:
        last = proposal.scenes[-1]
        yield f"{last.id}: {last.state_change}"
