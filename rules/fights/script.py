"""The intents of a scenario, handed out one by one to whom they belong."""

from collections import deque

from rules.fights.model import MASTER, Intent


class Script:
    """Who means to do what, in order; what is dated waits for its turn."""

    def __init__(self, intents: tuple[Intent, ...]) -> None:
        self._queues: dict[str, deque[Intent]] = {}
        self._reactions: dict[str, deque[Intent]] = {}
        for intent in intents:
            queues = self._reactions if intent.reaction else self._queues
            queues.setdefault(intent.who, deque()).append(intent)

    def due(self, who: str, turn: int) -> tuple[Intent, ...]:
        """Take the next intent of somebody in this turn; of the game master, all that are dated for it."""
        queue = self._queues.get(who, deque())
        found: list[Intent] = []
        while queue and (queue[0].turn is None or queue[0].turn <= turn):
            dated = queue[0].turn is not None
            if found and not (dated and who == MASTER):
                break
            found.append(queue.popleft())
        return tuple(found)

    def reaction(self, who: str, turn: int) -> Intent | None:
        """Take the next reaction of somebody in this turn; None where there is none."""
        queue = self._reactions.get(who)
        if not queue or (queue[0].turn or 0) > turn:
            return None
        return queue.popleft()

    @property
    def is_empty(self) -> bool:
        """Whether nobody means to do anything more; reactions wait for what they answer."""
        return not any(self._queues.values())
