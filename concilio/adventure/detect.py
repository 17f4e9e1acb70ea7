"""In which language an adventure is written, and by which rules, before any of it is judged."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from concilio.adventure.chapters import KNOWN_KEYS
from concilio.adventure.fields import nearest_word
from concilio.adventure.frontmatter import KEYS, peek
from concilio.adventure.labels import label_languages
from concilio.adventure.nodes import Node
from concilio.adventure.problems import Problems
from concilio.adventure.source import Source
from concilio.adventure.words import fold, language_code, words_of
from concilio.catalogue import DEFAULT_LANGUAGE, LANGUAGES, user_language
from concilio.domain.base import Language
from rules.rulefiles import names_in
from rules.ruleset import SHIPPED, Ruleset, RulesetError, load_ruleset

Opened = tuple[Source, Node | None, Problems]
OWN_RULESETS = "rulesets"
"""Folder beside an adventure that holds its own rulesets."""
_STATED = re.compile(r"^language[ \t]*:[ \t]*[\"']?(\w[\w-]*)", re.MULTILINE)
_LABEL_WEIGHT = 5
"""A known label says as much of the language as five small words."""
_SAMPLE_CHARACTERS = 60_000
_FORMAT_KEYS = frozenset({*KNOWN_KEYS, *KEYS})
"""Keys of the format itself: English words that do not make a text English."""
_LABEL_CHARACTERS = 80


def language_of(opened: list[Opened]) -> Language:
    """Return the language that is stated, else the one that the labels and the text are in."""
    for _, node, _ in opened:
        stated = peek(node, "language")
        code = language_code(stated.text[:40]) if stated else None
        if code:
            return _as_language(code)
    scores: Counter[str] = Counter()
    for source, _, _ in opened:
        own_keys = _FORMAT_KEYS if source.is_yaml else frozenset[str]()
        scores += _scores(source.text[:_SAMPLE_CHARACTERS], own_keys)
    best = max(LANGUAGES, key=lambda language: (scores[language], language == DEFAULT_LANGUAGE))
    return _as_language(best)


def stated_language(sources: Iterable[Source]) -> Language:
    """Return the language of texts of which nothing is taken apart yet: in it, their faults are told."""
    kept = list(sources)
    for source in kept:
        stated = _STATED.search(source.text[:_SAMPLE_CHARACTERS])
        if stated and (code := language_code(stated[1][:40])):
            return _as_language(code)
    return language_of([(source, None, Problems(source.name)) for source in kept])


def _as_language(code: str) -> Language:
    return "en" if code == "en" else "es"


def _scores(text: str, own_keys: frozenset[str]) -> Counter[str]:
    scores: Counter[str] = Counter()
    for line in text.split("\n"):
        label, colon, _ = line[:_LABEL_CHARACTERS].partition(":")
        if colon and label.strip("- ") not in own_keys:
            for language in label_languages(label):
                scores[language] += _LABEL_WEIGHT
    counted = Counter(fold(text).split())
    for language in LANGUAGES:
        scores[language] += sum(counted[fold(word)] for word in words_of(language)["stop_words"])
    return scores


def ruleset_of(opened: list[Opened], folder: Path | None = None) -> Ruleset | None:
    """Return the ruleset that the adventure names, or the default; None where its files are broken.

    An unknown name is noted, and the rest is read by the ruleset that it most likely means.

    Args:
        opened: the adventure's files.
        folder: the adventure's own; rulesets in its folder `rulesets` can be named too.
    """
    for _, node, problems in opened:
        stated = peek(node, "ruleset")
        if stated is None:
            continue
        name, known = stated.text.strip(), ruleset_names(folder)
        if name in known:
            return _load(name, folder, stated, problems)
        near = nearest_word(name, known)
        key = "unknown_ruleset_near" if near else "unknown_ruleset"
        problems.add(key, stated.line, stated.column, text=name, near=near or "", names=", ".join(known))
        return _load(near, folder, stated, problems) if near else load_ruleset()
    return load_ruleset()


def ruleset_names(folder: Path | None = None) -> tuple[str, ...]:
    """Return the ids of the rulesets that ship, and of those beside an adventure."""
    own = names_in(folder / OWN_RULESETS) if folder else ()
    return tuple(sorted({*names_in(SHIPPED), *own}))


def _load(name: str, folder: Path | None, stated: Node, problems: Problems) -> Ruleset | None:
    try:
        return load_ruleset(name, folder if folder and name in names_in(folder / OWN_RULESETS) else None)
    except RulesetError as error:
        problems.add(
            "broken_ruleset", stated.line, stated.column, name=name, reason=error.told(user_language())
        )
        return None
