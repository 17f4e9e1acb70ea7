"""Sentences of a dialogue's paragraph that nobody says: a DC or dice are the narrator's, not a character's.

In Spanish a paragraph that opens with a dash is speech to its end (`—Pasad —dice—. Cada uno hace una prueba
de Sigilo CD 12.`), and authors go on there with what the table must roll.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter

from rules.claims.model import ActionUse, ArmorClass, Attack, Check, Claim, Damage, HitPoints, Save
from rules.claims.speech import Stretch, is_inside

_END = re.compile(r"[.!?…]+[»”\"*_]*\s")
_MOST_BACK = 400
"""Characters on each side of a claim in which its sentence is looked for."""
_DASHES = "—―"
_SPENT = ("bonus_action", "opportunity_attack")


def narrated(text: str, base: int, spoken: Sequence[Stretch], claims: Sequence[Claim]) -> list[Stretch]:
    """Return the stretches of a text, inside the spoken ones, that are the narrator's; in order."""
    dashed = [s for s in spoken if text[s[0] : s[0] + 1] in _DASHES]
    found: list[Stretch] = []
    for claim in claims if dashed else ():
        start = claim.start - base
        if found and start < found[-1][1]:
            continue
        if is_inside(dashed, start) and is_of_the_game(claim) and _goes_on(text, _begin_of(dashed, start)):
            found.append(_sentence(text, start))
    return found


def _begin_of(stretches: Sequence[Stretch], at: int) -> int:
    """Return where the stretch begins in which an offset lies."""
    return stretches[bisect_right(stretches, at, key=itemgetter(0)) - 1][0]


def _goes_on(text: str, start: int) -> bool:
    """Tell whether a spoken stretch follows words of the narrator in its line (`—Pasad —dice—. Y …`)."""
    line = text.rfind("\n", max(0, start - _MOST_BACK), start) + 1
    return any(c.isalpha() for c in text[line:start])


def is_of_the_game(claim: Claim) -> bool:
    """Tell whether a claim has a figure or a word that only the rules have."""
    if isinstance(claim, Check | Save):
        return bool(claim.dcs)
    if isinstance(claim, Damage):
        return claim.dice is not None
    if isinstance(claim, HitPoints):
        return claim.value is not None or claim.dice is not None
    if isinstance(claim, ActionUse):
        return claim.action.id in _SPENT
    return isinstance(claim, ArmorClass) or (isinstance(claim, Attack) and claim.bonus is not None)


def _sentence(text: str, at: int) -> Stretch:
    """Return the sentence around an offset, within its line."""
    low = max(0, at - _MOST_BACK, text.rfind("\n", max(0, at - _MOST_BACK), at) + 1)
    high = min(len(text), at + _MOST_BACK)
    line = text.find("\n", at, high)
    high = high if line < 0 else line
    start = max((m.end() for m in _ends(text, low, at)), default=low)
    end = next((m.end() for m in _ends(text, at, high)), high)
    return start, end


def _ends(text: str, low: int, high: int) -> Iterator[re.Match[str]]:
    return _END.finditer(text, low, high)
