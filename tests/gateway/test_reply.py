"""Reasoning is not content."""

import pytest

from concilio.gateway.reply import strip_reasoning

CASES = [
    ("Hola.", "Hola.", "no reasoning: untouched"),
    ("\n Hola.", "\n Hola.", "white space is kept where nothing is taken out"),
    ("<think>uno</think>\n\nHola.", "Hola.", "the usual form"),
    ("<THINKING>uno</Thinking>Hola.", "Hola.", "any case, other names"),
    ("<think>a <think>b</think> c</think>Hola.", "Hola.", "nested"),
    ("Antes.<think>x</think> Después.", "Antes. Después.", "in the middle"),
    ("uno dos</think>Hola.", "Hola.", "the opening tag was eaten by the server"),
    ("<think>uno dos tres", "", "never closed: only reasoning"),
    ("<think>", "", "nothing but the tag"),
    ("El mago dice <think> y calla.", "El mago dice  y calla.", "a word of a story that is never closed"),
    ("<thinker>x</thinker>", "<thinker>x</thinker>", "another tag"),
    ('{"a": 1}', '{"a": 1}', "JSON"),
]


@pytest.mark.parametrize(("text", "expected", "why"), CASES)
def test_reasoning_is_taken_out(text: str, expected: str, why: str) -> None:
    """What is left is what the model says to the reader."""
    assert strip_reasoning(text) == expected, why
