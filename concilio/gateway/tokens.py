"""A limit on tokens a minute: calls begin when what they may take still fits into the last 60 seconds.

What a call takes is known when it has ended. So it begins with a guess (its prompt, and what replies took
lately), which its reply replaces.
"""

from collections import deque
from dataclasses import dataclass, field

WINDOW_S = 60.0
CHARACTERS_A_TOKEN = 3.5
"""Of prompts in Spanish and English; few, so that the guess is rather too high."""
FIRST_REPLY = 600
"""Tokens of a reply, before there has been one."""
MEMORY = 0.1
"""Weight of a new reply in what a reply is thought to take."""


@dataclass
class Spend:
    """Tokens of one call, counted from when it begins."""

    start: float
    """Seconds of the clock."""
    tokens: int


@dataclass
class TokenWindow:
    """What was taken in the last minute, and what is about to be. Its owner locks it."""

    _spent: deque[Spend] = field(default_factory=deque[Spend])
    _reply: float = FIRST_REPLY

    def guess(self, characters: int) -> int:
        """Return the tokens that a call with a prompt of so many characters may take."""
        return int(characters / CHARACTERS_A_TOKEN + self._reply)

    def take(self, now: float, characters: int, per_minute: int) -> Spend:
        """Return the next call's share: it may begin at its `start`, not before those who asked earlier."""
        while self._spent and self._spent[0].start <= now - WINDOW_S:
            self._spent.popleft()
        tokens = min(self.guess(characters), per_minute)
        start, free = now, per_minute - tokens
        for spend in reversed(self._spent):
            start = max(start, spend.start)
            free -= spend.tokens
            if free < 0:
                start = max(start, spend.start + WINDOW_S)
                break
        spend = Spend(start, tokens)
        self._spent.append(spend)
        return spend

    def settle(self, spend: Spend, tokens_in: int | None, tokens_out: int | None) -> None:
        """Replace a guess by what a call took; what nobody told stays guessed."""
        if tokens_out is not None:
            self.learn(tokens_out)
            spend.tokens = (tokens_in or 0) + tokens_out

    def learn(self, tokens_out: int) -> None:
        """Think better of what a reply takes."""
        self._reply += (tokens_out - self._reply) * MEMORY

    def drop(self, spend: Spend) -> None:
        """Count a call no more: it brought no reply."""
        spend.tokens = 0
