"""Extraction: a passage in, its claims out."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from rules.claims.columns import read_heads
from rules.claims.grammar.actions import (
    read_action,
    read_crit,
    read_natural,
    read_roll_verb,
    read_sense,
    read_spell_name,
    read_spell_word,
    read_term,
)
from rules.claims.grammar.base import Reader
from rules.claims.grammar.checks import (
    read_check,
    read_dc,
    read_option,
    read_passive,
    read_save,
    read_target,
    read_too_low,
)
from rules.claims.grammar.damage import read_average, read_damage_word, read_dice
from rules.claims.grammar.figures import (
    read_ac,
    read_attack_label,
    read_attack_roll,
    read_hp,
    read_number_of,
    read_signed,
)
from rules.claims.grammar.measures import read_fall, read_half, read_measure, read_until
from rules.claims.grammar.states import read_advantage, read_condition, read_cover
from rules.claims.lexicon import Lexicon, Tags, lexicon
from rules.claims.model import Claim
from rules.claims.speech import Stretch, is_inside
from rules.claims.stream import make_stream
from rules.claims.voice import narrated
from rules.document import Passage
from rules.ruleset import Ruleset

READERS: tuple[tuple[str, Reader], ...] = (
    ("dice", read_dice),
    ("number", read_average),
    ("number", read_number_of),
    ("number", read_natural),
    ("number", read_target),
    ("number", read_measure),
    ("sign", read_signed),
    ("half", read_half),
    ("unit", read_measure),
    ("crit", read_crit),
    ("natural", read_natural),
    ("too_low", read_too_low),
    ("t.dc", read_dc),
    ("t.saving_throw", read_save),
    ("t.death_save", read_save),
    ("t.contest", read_check),
    ("t.ability_check", read_check),
    ("check", read_check),
    ("check", read_too_low),
    ("passive", read_passive),
    ("skill", read_option),
    ("ability", read_option),
    ("t.ac", read_ac),
    ("t.hp", read_hp),
    ("t.attack_roll", read_attack_roll),
    ("attack_label", read_attack_label),
    ("t.damage", read_damage_word),
    ("cover", read_cover),
    ("t.advantage", read_advantage),
    ("t.disadvantage", read_advantage),
    ("condition", read_condition),
    ("action", read_action),
    ("sense", read_sense),
    ("spell_word", read_spell_word),
    ("spell_name", read_spell_name),
    ("fall_verb", read_fall),
    ("roll_verb", read_roll_verb),
    ("until", read_until),
    ("term", read_term),
)
"""Readers by the tag of the item that may begin a claim; the first that finds something wins."""


class _ReadersOf(dict[int, tuple[Reader, ...]]):
    """Readers by the identity of an item's tags, which are shared and live as long as the lexicon."""

    def of(self, tags: Tags) -> tuple[Reader, ...]:
        readers = self[id(tags)] = tuple(read for tag, read in READERS if tag in tags)
        return readers


@cache
def _known_readers(words: Lexicon) -> _ReadersOf:
    return _ReadersOf()


def extract(passage: Passage, language: str, ruleset: Ruleset) -> tuple[Claim, ...]:
    """Return the claims of a passage in the order of their places.

    Works on any text, in time linear in its length.

    Raises:
        UnknownLanguageError: there are no words for the language.
    """
    words = lexicon(ruleset, language)
    known = _known_readers(words)
    stream = make_stream(passage.text, passage.start, words)
    read_heads(stream)
    claims: list[Claim] = []
    after = 0
    for i, tags in enumerate(stream.tags):
        if not tags or i < after:
            continue
        readers = known.get(id(tags))
        for read in known.of(tags) if readers is None else readers:
            found = read(stream, i)
            if found is not None:
                claims += found.claims
                after = found.after
                break
    claims.sort(key=lambda claim: (claim.start, claim.end))
    told = narrated(passage.text, passage.start, stream.spoken, claims)
    return tuple(_told_by_narrator(claims, told, passage.start) if told else claims)


def _told_by_narrator(claims: list[Claim], told: list[Stretch], base: int) -> Iterator[Claim]:
    for claim in claims:
        outside = claim.in_speech and is_inside(told, claim.start - base)
        yield replace(claim, in_speech=False) if outside else claim
