"""The embedded reader: two contradictions that can be counted, and no opinion on the rest.

Somebody whom a scene's change of state leaves dead is present in a later one; and there are more of something
than the outline says.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from agents.embedded.beats import sentences
from agents.embedded.brief import fold_tokens
from agents.embedded.loading import LEXICON, load_yaml
from agents.types import ContradictionReply, ReaderReply, ReadTask, SceneToRead
from concilio.domain.plan import ScenePlan
from rules.claims.vocabulary import vocabulary
from rules.folding import fold_word
from rules.ruleset import load_ruleset

FIELDS = ("situation", "player_action", "state_change")
LEAST_NOUN = 4
"""Letters that a counted noun has at least: shorter words are rarely nouns."""
_WORD = re.compile(r"\w+")
_PLACE = re.compile(r"\{(\w+)\}")


def read(task: ReadTask) -> ReaderReply:
    """Return the contradictions of a chapter; none for one that has none."""
    words: Mapping[str, Any] = load_yaml(LEXICON / task.canon.language / "reading.yaml")
    return ReaderReply(contradictions=[*_returned(task, words), *_more_than_told(task, words)])


def _returned(task: ReadTask, words: Mapping[str, Any]) -> Iterator[ContradictionReply]:
    """Yield each of the cast who is present after a scene that ends with its death."""
    gone: dict[str, tuple[str, str]] = {}
    for scene in task.scenes:
        for name, (where, told) in gone.items():
            if _is_present(name, scene.plan, words):
                yield ContradictionReply(
                    scene=scene.plan.id,
                    part="plan",
                    quote=name,
                    against="scene",
                    other=told,
                    why=_message(words["message_gone"], {"name": name, "scene": where}),
                )
        for person in task.canon.cast:
            if person.count == 1 and (told := _death_of(person.name, scene.plan, words)):
                gone.setdefault(person.name, (scene.plan.id, told))


def _death_of(name: str, plan: ScenePlan, words: Mapping[str, Any]) -> str:
    """Return the sentence of a change of state that leaves somebody dead, or an empty text."""
    for sentence in sentences(plan.state_change):
        tokens = set(fold_tokens(sentence))
        told = tokens & _folded(words["gone"]) and not tokens & _folded(words["doubt"])
        if told and set(fold_tokens(name)) <= tokens:
            return sentence
    return ""


def _is_present(name: str, plan: ScenePlan, words: Mapping[str, Any]) -> bool:
    tokens = fold_tokens(plan.present)
    return set(fold_tokens(name)) <= set(tokens) and not set(tokens) & _folded(words["remains"])


def _more_than_told(task: ReadTask, words: Mapping[str, Any]) -> Iterator[ContradictionReply]:
    """Yield each count that is above the only one that the outline gives of the same thing."""
    told: dict[str, list[tuple[int, str]]] = {}
    for field in task.outline.fields:
        for noun, count, quote in _counts(field.text, task):
            told.setdefault(noun, []).append((count, quote))
    for scene in task.scenes:
        for part, text in _texts(scene):
            for noun, count, quote in _counts(text, task):
                theirs = told.get(noun, [])
                if len(theirs) == 1 and count > theirs[0][0] > 1:
                    yield ContradictionReply(
                        scene=scene.plan.id,
                        part="prose" if part == "prose" else "plan",
                        quote=quote,
                        against="outline",
                        other=theirs[0][1],
                        why=_message(words["message_count"], {"theirs": theirs[0][1], "ours": quote}),
                    )


def _texts(scene: SceneToRead) -> Iterator[tuple[str, str]]:
    for field in FIELDS:
        yield "plan", getattr(scene.plan, field)
    yield "prose", scene.prose


def _counts(text: str, task: ReadTask) -> Iterator[tuple[str, int, str]]:
    """Yield what words count in a text: the folded noun, how many, and the words; no times, no lengths."""
    language, numbers = task.canon.language, vocabulary(task.canon.language).numbers
    for one, two in pairwise(_WORD.finditer(text)):
        word, noun = fold_word(one.group()), fold_word(two.group())
        if word not in numbers or noun in numbers or len(noun) < LEAST_NOUN or noun.isdigit():
            continue
        if two.start() == one.end() + 1 and load_ruleset().find("unit", noun, language) is None:
            yield noun, numbers[word], text[one.start() : two.end()]


def _message(template: str, values: Mapping[str, str]) -> str:
    """Return a message of ours with values put in once: they are never read as templates."""
    return _PLACE.sub(lambda m: values[m[1]], template)


def _folded(words: list[str]) -> set[str]:
    return {word for one in words for word in fold_tokens(one)}
