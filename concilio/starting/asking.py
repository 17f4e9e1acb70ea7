"""The questions of `concilio init`: what flags answer is not asked, what does not do is asked again."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import click

from concilio.catalogue import say
from concilio.printable import shown_text
from concilio.starting.answers import MOST_ENTRIES, WrongAnswerError

T = TypeVar("T")
MOST_TRIES = 20
"""Wrong answers to one question after which it is taken that nobody reads along."""


@dataclass
class Asker:
    """Asks on a terminal, or reads one answer a line where the input is none; asks nothing when `silent`.

    The questions go to the standard error. Where the input ends, what is left gets its default.
    """

    silent: bool = False

    def one(self, question: str, default: str, read: Callable[[str], T]) -> T:
        """Return the answer to a question, read; an empty one is the default.

        Raises:
            WrongAnswerError: the default itself does not do, or nothing else ever came.
        """
        for _ in range(MOST_TRIES):
            if self.silent:
                break
            given = self._line(f"{question} [{default}]")
            try:
                return read(given or default)
            except WrongAnswerError as error:
                click.echo(shown_text(f"  {error}"), err=True)
        return read(default)

    def several(self, question: str, read: Callable[[str], T], key: Callable[[T], str]) -> tuple[T, ...]:
        """Return the answers to a question that is asked until an empty line; each key's last one."""
        found: dict[str, T] = {}
        wrong = 0
        while not self.silent and len(found) < MOST_ENTRIES and wrong < MOST_TRIES:
            given = self._line(question)
            if not given:
                break
            try:
                answer = read(given)
            except WrongAnswerError as error:
                wrong += 1
                click.echo(shown_text(f"  {error}"), err=True)
                continue
            if found.get(key(answer), answer) != answer:
                click.echo(shown_text(f"  {say('init.corrected', name=key(answer))}"), err=True)
            found[key(answer)] = answer
        return tuple(found.values())

    def _line(self, question: str) -> str:
        """Return a line of the input, empty where the user only pressed enter or the input has ended."""
        if sys.stdin.isatty():
            asked: str = click.prompt(question, default="", show_default=False, err=True)
            return asked.strip()
        click.echo(f"{question}: ", nl=False, err=True)
        line = sys.stdin.readline()
        click.echo(shown_text(line.rstrip("\n")), err=True)
        if not line:
            self.silent = True
            click.echo(say("init.input_ended"), err=True)
        return line.strip()
