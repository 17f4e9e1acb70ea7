"""Words of the ruleset: one language in one text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from rules.checks import lexicon
from rules.checks.context import Context, Unit
from rules.checks.denials import is_mentioned
from rules.checks.hit import Hit, Replacement
from rules.checks.replacements import cased
from rules.checks.text import Phrases, Sentence, Word, clip, fold, words_of
from rules.claims.model import BareDC, Check, Named, Save
from rules.document import Passage
from rules.ruleset import Kind, Ruleset

_LEAST_WORDS = 6
"""Words that a sentence must have for its language to be told."""
_LEAST_HINTS = 3
_FEWEST_WORDS = 5
"""Words of a sentence whose language is told by fewer hints, where nothing speaks against it."""
_FEWEST_HINTS = 2
_LEAST_PLAIN = 2
"""Words in small letters, beside the hints, that a sentence has and a mere name has not."""
_SHARE = 0.25
"""Least share of a sentence's words that only the other language has."""
_TIMES = 4
"""How many times as many as words of the text's own language."""
_BILINGUAL = 0.35
"""Share of foreign sentences from which free prose is taken as meant to be in two languages."""
_LEAST_FOREIGN = 3
"""Sentences that show the intention."""
_OWN_LINE = re.compile(r"[ \t]*(?:[-*•|#>]|\d{1,3}[.)])")
"""What begins a line that is no part of a paragraph: of a list, a table, a heading, a quotation."""
_LEAST_IN_BLOCK = 2
"""Words of one language only that tell a paragraph's language."""
_LEAST_BLOCKS = 2
_BLOCKS_SHARE = 0.25
"""Paragraphs, and their share, that are wholly in another language where a text is meant to have two."""
_LONG_TERM = 7
"""Letters from which a single word is a term of the other language by itself (`disadvantage`)."""
_BESIDE = 48
"""Characters beside a foreign term in which its translation may stand."""
_KINDS: tuple[Kind, ...] = ("skill", "cover", "action", "term", "sense", "condition")


class Foreign(NamedTuple):
    """A term of the ruleset in another language."""

    kind: Kind
    id: str


def mixed_language(ctx: Context) -> Iterator[Hit]:
    """A text slips into another language: whole sentences, or terms of the rules."""
    others = [language for language in ctx.ruleset.languages if language != ctx.language]
    runs = [(unit, run, language) for language in others for unit, run in _runs(ctx, language)]
    spans = {(s.start, s.end) for _, run, _ in runs for s in run}
    for unit, run, _ in runs:
        start, end = run[0].words[0].start, run[-1].end
        begin, stop = clip(ctx.source, start, min(end, start + 200))
        yield Hit(unit.scene, unit.part, begin, stop, ctx.say("mixed-language.sentence"))
    for language in others:
        yield from _terms(ctx, language, spans)
        yield from _names(ctx, language, spans)
    yield from _skills(ctx, spans)


def _runs(ctx: Context, language: str) -> Iterator[tuple[Unit, Sequence[Sentence]]]:
    """Give the runs of sentences in that language; none where the text is meant to have two languages."""
    found: list[tuple[Unit, list[Sentence]]] = []
    foreign = told = 0
    for unit in ctx.units:
        run: list[Sentence] = []
        for sentence in ctx.sentences(unit.passage):
            told += len(sentence.words) >= _LEAST_WORDS
            if _is_foreign(ctx, unit, sentence, language) and not _is_said(ctx, unit, sentence, language):
                foreign += 1
                if not run:
                    found.append((unit, run))
                run.append(sentence)
            else:
                run = []
    few = foreign < _LEAST_FOREIGN or foreign <= told * _BILINGUAL
    if ctx.document.chapter is not None:
        yield from found
    elif few and found:
        whole = _whole_blocks(ctx, language)
        yield from (one for one in found if not any(a <= one[1][0].words[0].start < b for a, b in whole))


def _whole_blocks(ctx: Context, language: str) -> Sequence[tuple[int, int]]:
    """Return where paragraphs, list items and table rows stand that are all in that language.

    None where they are too few: then they were left behind, and the text is not meant to have two languages.
    """
    theirs, own = _hints(language), _hints(ctx.language)
    found: list[tuple[int, int]] = []
    told = 0
    for unit in ctx.units:
        for block in _blocks(unit.passage):
            texts = [w.text for w in words_of(block)]
            there, here = (sum(map(hints.__contains__, texts)) for hints in (theirs, own))
            told += there + here >= _LEAST_IN_BLOCK
            if there >= _LEAST_IN_BLOCK and there >= _TIMES * here:
                found.append((block.start, block.end))
    return found if len(found) >= _LEAST_BLOCKS and len(found) >= told * _BLOCKS_SHARE else ()


def _blocks(passage: Passage) -> Iterator[Passage]:
    """Give the paragraphs of a passage; a line of a list, a table or a quotation is one by itself."""
    start, at, apart = passage.start, passage.start, False
    for line in passage.text.splitlines(keepends=True):
        own = _OWN_LINE.match(line) is not None
        if at > start and (own or apart or not line.strip()):
            yield Passage(passage.text[start - passage.start : at - passage.start], start)
            start = at
        at += len(line)
        apart = own
        start = at if not line.strip() else start
    if at > start:
        yield Passage(passage.text[start - passage.start :], start)


def _is_foreign(ctx: Context, unit: Unit, sentence: Sentence, language: str) -> bool:
    """Tell whether a sentence is in that language: many of its small words, or some and none of ours."""
    words = sentence.words
    texts = [w.text for w in words]
    if len(words) < _FEWEST_WORDS or _any_hints(language).isdisjoint(texts):
        return False
    theirs, own = _hints(language), _hints(ctx.language)
    hints = sum(map(theirs.__contains__, texts))
    if len(words) >= _LEAST_WORDS and hints >= _LEAST_HINTS and hints >= _SHARE * len(words):
        many = hints >= _TIMES * sum(map(own.__contains__, texts))
        return many and not _is_mere_name(ctx, words, language)
    return _is_wholly_foreign(ctx, unit, words, language)


def _is_said(ctx: Context, unit: Unit, sentence: Sentence, language: str) -> bool:
    """Tell whether somebody in the story speaks that language (`He shouts: “¡La rueda …”`)."""
    first = next(w for w in sentence.words if w.text in _any_hints(language))
    return ctx.is_spoken(unit.passage, first.start)


def _is_mere_name(ctx: Context, words: Sequence[Word], language: str) -> bool:
    """Tell whether words are a name by itself (`La Casa de la Luna Roja`)."""
    telling = [w for w in words[1:] if w.text not in _any_hints(language)]
    return bool(telling) and all(ctx.source[w.start].isupper() for w in telling)


def _is_wholly_foreign(ctx: Context, unit: Unit, words: Sequence[Word], language: str) -> bool:
    """Tell whether a short sentence has small words of that language, before plain words, and none of ours.

    `La subasta empieza dentro de media hora` is Spanish; `de la` in `Captain Ruiz de la Vega` shows nothing.
    """
    theirs, own = _own_words(language, ctx.language), _own_words(ctx.language, language)
    hints = [i for i, w in enumerate(words) if w.text in theirs]
    if len(hints) < _FEWEST_HINTS or not own.isdisjoint(w.text for w in words):
        return False
    if not ctx.source[words[0].start].isupper():
        return False
    leading = [i for i in hints if _leads_plain_word(ctx, words, i, theirs)]
    leading = [i for i in leading if not is_mentioned(ctx, unit, words[i].start)]
    plain = sum(w.text not in theirs and ctx.source[w.start].islower() for w in words[1:])
    return len(leading) >= max(_FEWEST_HINTS, _SHARE * len(words)) and plain >= _LEAST_PLAIN


def _leads_plain_word(ctx: Context, words: Sequence[Word], index: int, hints: frozenset[str]) -> bool:
    """Tell whether a small word stands before one in small letters, other small words aside."""
    following = next((w for w in words[index + 1 :] if w.text not in hints), None)
    return following is None or not ctx.source[following.start].isupper()


@cache
def _hints(language: str) -> frozenset[str]:
    return frozenset(lexicon.word_list("function_words", language))


@cache
def _any_hints(language: str) -> frozenset[str]:
    return _hints(language) | lexicon.words_of_list("small_words", language)


@cache
def _own_words(language: str, other: str) -> frozenset[str]:
    """Return the small words of a language that are no words of the other one."""
    shared = _any_hints(other) | lexicon.words_of_list("words_elsewhere", language)
    return _any_hints(language) - shared


def _terms(ctx: Context, language: str, spans: set[tuple[int, int]]) -> Iterator[Hit]:
    known, phrases = foreign_terms(ctx.ruleset, ctx.language, language)
    for unit in ctx.units:
        words = ctx.words(unit.passage)
        for first, after in phrases.find(words):
            start, end = words[first].start, words[after - 1].end
            sentence = ctx.sentence_at(unit.passage, start)
            if (sentence.start, sentence.end) in spans or ctx.is_spoken(unit.passage, start):
                continue
            term = known[tuple(w.text for w in words[first:after])]
            if after - first == 1 and not ctx.source[start].islower():
                continue  # a name, or a condition as its book prints it
            hit = _term_hit(ctx, unit, term, start, end)
            if hit is not None:
                yield hit


def _skills(ctx: Context, spans: set[tuple[int, int]]) -> Iterator[Hit]:
    """Find skills of one word where a check names them (`CD 15 de Stealth`)."""
    for unit in ctx.units:
        for check in ctx.told(unit.passage, Check):
            for skill in check.unknown:
                sentence = ctx.sentence_at(unit.passage, check.start)
                id_ = foreign_skill(ctx, skill)
                if id_ is None or (sentence.start, sentence.end) in spans or len(skill.text.split()) > 1:
                    continue
                hit = _term_hit(ctx, unit, Foreign("skill", id_), skill.start, skill.end)
                if hit is not None:
                    yield hit


def _names(ctx: Context, language: str, spans: set[tuple[int, int]]) -> Iterator[Hit]:
    """Find abilities and skills named in another language, in a roll (`a DC 12 Destreza check`)."""
    known, phrases = _foreign_names(ctx.ruleset, ctx.language, language)
    for unit in ctx.units:
        words = ctx.words(unit.passage)
        for first, after in phrases.find(words):
            start, end = words[first].start, words[after - 1].end
            sentence = ctx.sentence_at(unit.passage, start)
            rolled = any(
                ctx.told_between(unit.passage, kind, sentence.start, sentence.end)
                for kind in (Check, Save, BareDC)
            )
            if (sentence.start, sentence.end) in spans or not rolled or not ctx.source[start].isupper():
                continue
            term = known[words[first].text]
            if ctx.is_spoken(unit.passage, start) or (term.kind == "skill" and _is_read(ctx, unit, start)):
                continue
            hit = _term_hit(ctx, unit, term, start, end)
            if hit is not None:
                yield hit


def _is_read(ctx: Context, unit: Unit, offset: int) -> bool:
    """Tell whether a word is read as a check's skill, of which `_skills` tells."""
    checks = ctx.told_between(unit.passage, Check, max(unit.passage.start, offset - _BESIDE), offset + 1)
    return any(skill.start == offset for check in checks for skill in check.unknown)


@cache
def _foreign_names(ruleset: Ruleset, own: str, other: str) -> tuple[Mapping[str, Foreign], Phrases]:
    """Return abilities and skills by their folded names of one word in another language, and those names."""
    found: dict[str, Foreign] = {}
    kinds: tuple[Kind, ...] = ("ability", "skill")
    mine = {key for kind in kinds for text, *_ in ruleset.forms(kind, own) for key in _folded(text)}
    for kind in kinds:
        for id_, entry in ruleset.entries(kind).items():
            names = entry.names.get(other)
            key = tuple(_folded(names.word)) if names is not None else ()
            if len(key) == 1 and key[0] not in mine:
                found.setdefault(key[0], Foreign(kind, id_))
    return found, Phrases(found)


def foreign_ability(ctx: Context, text: str) -> bool:
    """Tell whether a word is the name of an ability in another language of the ruleset."""
    others = (language for language in ctx.ruleset.languages if language != ctx.language)
    found = (_foreign_names(ctx.ruleset, ctx.language, other)[0].get(fold(text)) for other in others)
    return any(term is not None and term.kind == "ability" for term in found)


def foreign_skill(ctx: Context, skill: Named) -> str | None:
    """Return the skill that a word means in another language of the ruleset; None where it means none."""
    found = (
        ctx.ruleset.find("skill", skill.text, language)
        for language in ctx.ruleset.languages
        if language != ctx.language
    )
    return next((id_ for id_ in found if id_), None)


def _term_hit(ctx: Context, unit: Unit, term: Foreign, start: int, end: int) -> Hit | None:
    names = ctx.ruleset.entries(term.kind)[term.id].names.get(ctx.language)
    if names is None or _is_translated(ctx, unit.passage, names.word, start, end):
        return None
    word = ctx.source[start:end]
    message = ctx.say("mixed-language.term", word=word, right=names.word)
    exact = Replacement(start, end, cased(word, names.word)) if term.kind == "skill" else None
    return Hit(unit.scene, unit.part, start, end, message, names.word, ctx.ruleset.id, replacement=exact)


def _is_translated(ctx: Context, passage: Passage, word: str, start: int, end: int) -> bool:
    """Tell whether the text's own word stands right beside a foreign one (`Sigilo (Stealth)`)."""
    low, high = max(passage.start, start - _BESIDE), min(passage.end, end + _BESIDE)
    return fold(word) in fold(f"{ctx.source[low:start]} {ctx.source[end:high]}")


@cache
def foreign_terms(
    ruleset: Ruleset, own: str, other: str
) -> tuple[Mapping[tuple[str, ...], Foreign], Phrases]:
    """Return the ruleset's terms of several words in another language that are no words of this one."""
    mine = {tuple(_folded(text)) for kind in _KINDS for text, *_ in ruleset.forms(kind, own)}
    found: dict[tuple[str, ...], Foreign] = {}
    for kind, id_, word in _words_of(ruleset, other):
        key = tuple(_folded(word))
        alone = len(key) == 1 and (kind == "condition" or (kind == "term" and len(key[0]) >= _LONG_TERM))
        if (len(key) > 1 or alone) and key not in mine:
            found.setdefault(key, Foreign(kind, id_))
    return found, Phrases(" ".join(key) for key in found)


def _words_of(ruleset: Ruleset, language: str) -> Iterator[tuple[Kind, str, str]]:
    """Give the words by which a term of the ruleset is known in a language."""
    for kind in _KINDS:
        for id_, entry in ruleset.entries(kind).items():
            names = entry.names.get(language)
            if names is not None:
                yield kind, id_, names.word
                for text in names.also if kind == "cover" else ():
                    yield kind, id_, text
    damage = ruleset.terms.get("damage")
    word = damage.names[language].word if damage and language in damage.names else ""
    for id_ in ruleset.damage_types if word else ():
        for text in _with_type(ruleset, id_, word, language):
            yield "damage_type", id_, text


def _with_type(ruleset: Ruleset, id_: str, word: str, language: str) -> Iterator[str]:
    """Give both orders of the word for damage and its type (`fire damage`, `daño de fuego`)."""
    if language in ruleset.damage_types[id_].names:
        printed = ruleset.printed("damage_type", id_, language)
        yield from (f"{word} {printed}", f"{printed} {word}")


def _folded(text: str) -> Iterator[str]:
    return (word.text for word in words_of(Passage(text, 0)))
