"""Dice as designers write them, in either language: `4d6kh3`, `2d20kh1+5`, `3d6 de daño`, `7 (2d6)`.

Reads from left to right once, in time linear in a text whose length is bounded. The words are data.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import floor

from rules.odds.dice import MOST_SIDES, Dice, Number, Roll, Scaled, Sum, check_size, dice_in, render, spread
from rules.odds.dice_tokens import Token, tokens_of
from rules.odds.dice_words import damage_words, roles
from rules.odds.errors import OddsError

DEEPEST = 8
"""Brackets within brackets."""
LONGEST_PHRASE = 6
"""Tokens before the word that tells what is kept."""
D20 = 20

_PLUS, _MINUS, _TIMES = "+＋", "-−–—‐‑", "*×·"
_SKIPPED = ",.;:"
_KEEPS: dict[str, tuple[bool, bool]] = {
    "kh": (True, True),
    "k": (True, True),
    "kl": (True, False),
    "dl": (False, False),
    "dh": (False, True),
}
"""What is written after dice: whether it keeps or drops, and whether the highest."""


def parse(text: str) -> Roll:
    """Return the dice that a text writes.

    Advantage (`1d20+5 with advantage`, `d20 con ventaja`) rolls the one d20 twice.

    Raises:
        OddsError: it is no dice expression (the place is told), or too large to compute.
    """
    return _Parser(text).whole()


@dataclass(frozen=True, slots=True)
class _Keep:
    """What words say is kept: `los 3 más altos`, `drop the lowest`."""

    first: Token
    number: int
    keeps: bool
    high: bool | None
    """None where they do not say which."""


@dataclass(frozen=True, slots=True)
class _Average:
    """A number that is said to be the average of one of some rolls."""

    token: Token
    rolls: tuple[Roll, ...]


class _Parser:
    """One reading of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens_of(text)
        self._at = 0
        self._depth = 0
        self._modes: set[str] = set()
        self._averages: list[_Average] = []

    def whole(self) -> Roll:
        """Return the whole text's roll."""
        if len(self._tokens) == 1:
            raise OddsError("empty")
        roll = self._sum()
        if self._now.kind != "end":
            raise self._unexpected()
        if len(self._modes) == 1:
            roll = with_mode(roll, self._modes.pop())
        check_size(roll)
        for average in self._averages:
            _check_average(average)
        return roll

    # What is being read

    @property
    def _now(self) -> Token:
        return self._tokens[self._at]

    def _ahead(self, by: int = 1) -> Token:
        return self._tokens[min(self._at + by, len(self._tokens) - 1)]

    def _unexpected(self) -> OddsError:
        token = self._now
        if token.kind == "end":
            return OddsError("ends_early", text=self._text, column=token.start + 1)
        found = self._text[token.start : token.end]
        code = "unknown_word" if token.kind == "word" else "unexpected"
        return OddsError(code, found=found, column=token.start + 1)

    def _is(self, token: Token, role: str) -> bool:
        return token.kind == "word" and role in roles().get(token.text, ())

    def _skip(self) -> None:
        """Pass over what changes no number of its own; advantage is kept in mind."""
        while self._is_filler(self._now) or self._is_mode(self._now):
            if self._is_mode(self._now):
                self._modes.add("advantage" if self._is(self._now, "advantage") else "disadvantage")
            self._at += 1

    def _is_filler(self, token: Token) -> bool:
        if token.kind == "mark":
            return token.text in _SKIPPED
        if token.kind != "word" or token.text == "d":
            return False
        known = roles().get(token.text)
        return "filler" in known if known is not None else token.text in damage_words()

    # Sums and terms

    def _sum(self) -> Roll:
        parts = [(self._sign(), self._term())]
        while True:
            self._tail(parts)
            sign = self._operator()
            if sign is None:
                break
            parts.append((sign * self._sign(), self._term()))
        return _joined(parts)

    def _sign(self) -> int:
        self._skip()
        sign = 1
        while self._is(self._now, "plus") or (self._now.kind == "mark" and self._now.text in _PLUS + _MINUS):
            sign = -sign if self._now.text in _MINUS else sign
            self._at += 1
            self._skip()
        return sign

    def _operator(self) -> int | None:
        """Return the sign of the term that follows, or None where none does."""
        token = self._now
        if token.kind == "mark" and token.text in _PLUS + _MINUS:
            self._at += 1
            return -1 if token.text in _MINUS else 1
        if (self._is(token, "plus") or self._is(token, "minus")) and self._begins():
            self._at += 1
            return -1 if self._is(token, "minus") else 1
        return None

    def _begins(self, by: int = 1) -> bool:
        """Tell whether a term begins some tokens ahead, words that change nothing aside."""
        while self._is_filler(self._ahead(by)) or self._is(self._ahead(by), "plus"):
            by += 1
        return self._ahead(by).kind == "number" or self._ahead(by).text in ("d", "(")

    def _tail(self, parts: list[tuple[int, Roll]]) -> None:
        """Read what is said of the last term: what is kept, advantage, words that change nothing."""
        while True:
            self._skip()
            sign, last = parts[-1]
            if self._is(self._now, "plus") and self._is_mode(self._ahead()):
                self._at += 1
            elif self._is(self._now, "half"):
                self._at += 1
                parts[:] = [(1, Scaled(_joined(parts), divisor=2))]
            elif self._keeps_follow():
                parts[-1] = (sign, _kept_by(self._keep_phrase(), last))
            elif not self._aside(parts):
                return

    def _aside(self, parts: list[tuple[int, Roll]]) -> bool:
        """Read what a bracket says of the dice before it: `2d6 (7)`, `1d8 (fire)`, `4d6 (drop lowest)`."""
        begin, bracket = self._at, self._now
        if bracket.text != "(":
            return False
        self._at += 1
        with self._deeper():
            if self._now.kind == "number" and self._ahead().text == ")":
                self._averages.append(_Average(self._now, (parts[-1][1], Sum(tuple(parts)))))
                self._at += 1
            else:
                self._tail(parts)
        if self._now.text == ")" and self._at > begin + 1:
            self._at += 1
            return True
        self._at = begin
        return False

    @contextmanager
    def _deeper(self) -> Generator[None]:
        self._depth += 1
        if self._depth > DEEPEST:
            raise OddsError("too_deep", column=self._tokens[self._at - 1].start + 1, most=DEEPEST)
        yield
        self._depth -= 1

    def _is_mode(self, token: Token) -> bool:
        return self._is(token, "advantage") or self._is(token, "disadvantage")

    def _term(self) -> Roll:
        self._skip()
        for role, change in (("half", {"divisor": 2}), ("double", {"factor": 2})):
            if self._is(self._now, role):
                self._at += 1
                with self._deeper():
                    return Scaled(self._term(), **change)
        roll = self._factor()
        while (change := self._scaling(roll)) is not None:
            roll = change
        return roll

    def _scaling(self, roll: Roll) -> Roll | None:
        token = self._now
        if self._is_times(token) and self._begins():
            self._at += 1
            other = self._factor()
            if isinstance(other, Number):
                return Scaled(roll, factor=other.value)
            if isinstance(roll, Number):
                return Scaled(other, factor=roll.value)
            raise OddsError("dice_by_dice", column=token.start + 1)
        if token.kind == "mark" and token.text in "/÷":
            self._at += 1
            divisor = self._number()
            if divisor.value == 0:
                raise OddsError("unexpected", found=divisor.text, column=divisor.start + 1)
            return Scaled(roll, divisor=divisor.value)
        return None

    def _is_times(self, token: Token) -> bool:
        return self._is(token, "times") or (token.kind == "mark" and token.text in _TIMES)

    # Numbers and dice

    def _number(self) -> Token:
        if self._now.kind != "number":
            raise self._unexpected()
        self._at += 1
        return self._tokens[self._at - 1]

    def _factor(self) -> Roll:
        self._skip()
        if self._keeps_follow():
            phrase = self._keep_phrase()
            return _kept_by(phrase, self._factor())
        if self._now.text == "(":
            return self._bracket()
        if self._now.text == "d":
            return self._dice(1, self._now)
        first = self._number()
        if self._now.text == "d":
            return self._dice(first.value, first)
        if self._now.text == "(" and self._dice_in_bracket():
            return self._averaged(first)
        return Number(first.value)

    def _dice_in_bracket(self) -> bool:
        by = 1
        while self._ahead(by).kind != "end" and self._ahead(by).text not in (")", "d"):
            by += 1
        return self._ahead(by).text == "d"

    def _bracket(self) -> Roll:
        self._at += 1
        with self._deeper():
            inner = self._sum()
        if self._now.text != ")":
            raise self._unexpected()
        self._at += 1
        return inner

    def _averaged(self, average: Token) -> Roll:
        """Read `7 (2d6)`, as stat blocks print damage: the average, and the dice it is the average of."""
        inner = self._bracket()
        self._averages.append(_Average(average, (inner,)))
        return inner

    def _dice(self, count: int, first: Token) -> Roll:
        self._at += 1
        if self._now.text == "%":
            self._at += 1
            sides = 100
        else:
            sides = self._number().value
        if count < 1 or not 1 <= sides <= MOST_SIDES:
            written = self._text[first.start : self._tokens[self._at - 1].end]
            raise OddsError("bad_dice", found=written, column=first.start + 1, most=MOST_SIDES)
        return self._with_suffixes(Dice(count, sides))

    def _with_suffixes(self, dice: Dice) -> Dice:
        while True:
            token = self._now
            touches = self._at > 0 and self._tokens[self._at - 1].end == token.start
            if token.text in _KEEPS:
                dice = self._kept_by_suffix(dice, *_KEEPS[token.text])
            elif token.text == "d" and touches:
                dice = self._kept_by_suffix(dice, False, False)
            elif (token.text == "!" and touches) or self._is(token, "explode"):
                dice = self._exploding(dice)
            elif token.text in ("r", "ro"):
                self._at += 1
                dice = replace(dice, reroll=self._number().value)
            elif token.text == "mi":
                self._at += 1
                dice = replace(dice, least=self._least(dice.sides))
            else:
                break
        if dice.explodes and (dice.reroll or dice.least):
            raise OddsError("explodes_alone", found=render(dice), column=self._tokens[self._at - 1].start + 1)
        return dice

    def _exploding(self, dice: Dice) -> Dice:
        token = self._now
        self._at += 1
        if dice.sides == 1:
            raise OddsError("endless_dice", found=render(dice), column=token.start + 1)
        if dice.explodes:
            raise OddsError("unexpected", found=token.text, column=token.start + 1)
        return replace(dice, explodes=True)

    def _least(self, sides: int) -> int:
        """Read what lower dice count as: a face that they have, for more would be no roll."""
        number = self._number()
        if not 1 <= number.value <= sides:
            raise OddsError("bad_least", found=number.value, most=sides, column=number.start + 1)
        return number.value

    def _kept_by_suffix(self, dice: Dice, keeps: bool, high: bool) -> Dice:
        token = self._now
        self._at += 1
        number = self._number().value if self._now.kind == "number" else 1
        return _kept(dice, number, keeps, high, token)

    # What is kept, in words

    def _keeps_follow(self) -> bool:
        """Tell whether words of keeping or dropping follow (`and drop the lowest`, `los 3 más altos`)."""
        for by in range(LONGEST_PHRASE):
            token = self._ahead(by)
            if self._is(token, "keep") or self._is(token, "drop") or self._is_side(token):
                return True
            if not (token.kind == "number" or self._is(token, "plus") or self._is_filler(token)):
                return False
        return False

    def _is_side(self, token: Token) -> bool:
        return self._is(token, "high") or self._is(token, "low")

    def _keep_phrase(self) -> _Keep:
        first, keeps, number, sides = self._now, True, None, set[bool]()
        while True:
            token = self._now
            if self._is(token, "keep") or self._is(token, "drop"):
                keeps = self._is(token, "keep")
            elif self._is_side(token):
                sides.add(self._is(token, "high"))
            elif token.kind == "number" and number is None and self._ahead().text != "d":
                number = token.value
            elif not (self._is_filler(token) or (self._is(token, "plus") and not self._adds(sides))):
                break
            self._at += 1
        return _Keep(first, 1 if number is None else number, keeps, sides.pop() if len(sides) == 1 else None)

    def _adds(self, sides: set[bool]) -> bool:
        """Tell whether `más` or `and` adds here: once it is said what is kept, before another term."""
        return bool(sides) and self._begins()


def _joined(parts: list[tuple[int, Roll]]) -> Roll:
    return parts[0][1] if len(parts) == 1 and parts[0][0] > 0 else Sum(tuple(parts))


def _kept_by(phrase: _Keep, roll: Roll) -> Dice:
    if phrase.high is None or not isinstance(roll, Dice) or roll.count == 1:
        raise OddsError("keep_unclear", found=phrase.first.text, column=phrase.first.start + 1)
    return _kept(roll, phrase.number, phrase.keeps, phrase.high, phrase.first)


def _check_average(average: _Average) -> None:
    means = [spread(roll).mean for roll in average.rolls]
    if average.token.value not in map(floor, means):
        column = average.token.start + 1
        raise OddsError("wrong_average", found=average.token.value, mean=means[-1], column=column)


def _kept(dice: Dice, number: int, keeps: bool, high: bool, token: Token) -> Dice:
    count = number if keeps else dice.count - number
    if dice.keep is not None or not 1 <= count <= dice.count:
        raise OddsError("bad_keep", number=number, count=dice.count, column=token.start + 1)
    if count == dice.count:
        return dice
    return replace(dice, keep=count, highest=high == keeps)


def with_mode(roll: Roll, mode: str) -> Roll:
    """Return a roll with advantage or disadvantage on its one d20.

    Source: SRD 5.1, Advantage and Disadvantage.

    Raises:
        OddsError: it has no single d20, or more than one.
    """
    plain = [dice for dice in dice_in(roll) if dice.count == 1 and dice.sides == D20]
    if len(plain) != 1:
        raise OddsError("no_single_d20")
    return _changed(roll, lambda dice: replace(dice, count=2, keep=1, highest=mode == "advantage"))


def _changed(roll: Roll, change: Callable[[Dice], Dice]) -> Roll:
    match roll:
        case Number():
            return roll
        case Dice(count=count, sides=sides):
            return change(roll) if (count, sides) == (1, D20) else roll
        case Sum(parts):
            return Sum(tuple((sign, _changed(part, change)) for sign, part in parts))
        case Scaled(inner):
            return replace(roll, roll=_changed(inner, change))
