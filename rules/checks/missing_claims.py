"""What a reviewer says is missing, in a sentence of any shape, and what the plan gives of it."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from rules.checks import lexicon
from rules.checks.completeness import left_out, missing_fields
from rules.checks.context import Context
from rules.checks.text import Marks, Sentence, Word, words_of
from rules.claims.model import ArmorClass, Check, Claim, Damage, HitPoints
from rules.document import FieldKey, PlanScene
from rules.wording import LANGUAGES

DENIALS = ("claims_missing", "is_missing", "only_one")
"""Lists of words by which something is said not to be there."""
_BEFORE = 8
"""Words before a thing in which it is denied."""
_AFTER = 8
_DENIED = 6
"""Words before a denial in which it is denied itself."""
_GAP = 5
"""Words between a thing and the words after it that say that it is missing."""
_FIELDS: dict[str, FieldKey] = {
    "thing_state": "state_change",
    "thing_action": "player_action",
    "thing_place": "place",
    "thing_present": "present",
    "thing_situation": "situation",
}
_DEGREES = {"thing_partial": "degree_partial", "thing_failure": "degree_failure"}
_NUMBERS: dict[str, type[Claim]] = {"thing_ac": ArmorClass, "thing_hp": HitPoints, "thing_damage": Damage}
_THINGS = ("thing_dc", "thing_outcomes", *_NUMBERS, *_DEGREES, *_FIELDS)


class Missing(NamedTuple):
    """A thing that is said to be missing: its list's name and what else the sentence names."""

    thing: str
    rest: tuple[Word, ...]
    purpose: tuple[Word, ...]
    """The words that follow `for` or `of`, where they say which one is meant."""


@cache
def _things() -> Marks:
    return Marks({n: [p for lang in LANGUAGES for p in lexicon.word_list(n, lang)] for n in _THINGS})


def missing_things(ctx: Context, sentence: Sentence) -> Iterator[Missing]:
    """Give what a sentence says is not in the plan; what is supposed or denied itself is not said."""
    words = sentence.words
    found = sorted((first, last, name) for name, at in _things().find(words).items() for first, last in at)
    named = {i for first, last, _ in found for i in range(first, last)}
    for first, last, name in found:
        if lexicon.phrases_any("supposes").any(_clause(ctx, words, first)):
            continue
        before, after = _denied_before(ctx, words, first, named), _denied_after(ctx, words, last)
        restricted = (
            before and lexicon.phrases_any("restricts").length_at(words, last) if last < len(words) else 0
        )
        one = name == "thing_outcomes" and lexicon.phrases_any("only_one").any(
            words[max(0, first - 3) : first]
        )
        if (before != after and not restricted) or one:
            rest = tuple(w for i, w in enumerate(words) if i not in named)
            yield Missing(name, rest, _purpose(words, last))


def _clause(ctx: Context, words: Sequence[Word], index: int) -> Sequence[Word]:
    """Return the words around one of them, to the next semicolon on either side."""
    at = words[index].start
    low = ctx.source.rfind(";", words[0].start, at)
    high = ctx.source.find(";", at, words[-1].end)
    return [w for w in words if w.start > low and (high < 0 or w.end <= high)]


def _denied_before(ctx: Context, words: Sequence[Word], first: int, named: set[int]) -> bool:
    """Tell whether a denial stands before a thing, with nothing but small words and other things between."""
    low = max(0, first - _BEFORE)
    fillers = lexicon.words_any("claim_fillers")
    for begin, end in lexicon.phrases_any("claims_missing").find(words[low:first]):
        between = range(low + end, first)
        if all(i in named or words[i].text in fillers or _is_skill(ctx, words[i]) for i in between):
            return not lexicon.phrases_any("denies").any(words[max(0, low + begin - _DENIED) : low + begin])
    return False


def _is_skill(ctx: Context, word: Word) -> bool:
    return ctx.ruleset.find("skill", word.text, ctx.document.language) is not None


def _denied_after(ctx: Context, words: Sequence[Word], last: int) -> bool:
    """Tell whether a thing is said after it to be missing, in the same clause."""
    found = lexicon.phrases_any("is_missing").first(words[last : last + _AFTER])
    if found is None or found[0] > _GAP:
        return False
    gap = ctx.source[words[last - 1].end : words[last + found[0]].start]
    return not any(mark in gap for mark in ",;:.()")


def _purpose(words: Sequence[Word], last: int) -> tuple[Word, ...]:
    follows = last < len(words) and words[last].text in lexicon.words_any("claim_purpose")
    return tuple(words[last + 1 : last + 6]) if follows else ()


def outcomes_given(scene: PlanScene, missing: Missing) -> list[str]:
    """Return the labels of the outcomes of the degree that is said to be missing; of all for `outcomes`."""
    if missing.thing == "thing_outcomes":
        return [o.label.text for o in scene.outcomes] if len(scene.outcomes) > 1 else []
    degree = lexicon.phrases_any(_DEGREES[missing.thing])
    return [o.label.text for o in scene.outcomes if degree.any(words_of(o.label))]


def numbers_given(ctx: Context, scene: PlanScene, missing: Missing) -> list[str]:
    """Return the plan's armour class, hit points or damage of whom the sentence speaks."""
    told = ctx.stems_of(missing.rest)
    claims = ctx.plan_claims(scene, _NUMBERS[missing.thing])
    given = [c for c in claims if not isinstance(c, Damage) or c.dice]
    meant = [c for c in given if told & ctx.stems(ctx.plan_sentence(scene, c.start))]
    return [" ".join(c.quote.split()) for c in meant]


def is_meant(ctx: Context, scene: PlanScene, missing: Missing) -> bool:
    """Tell whether a DC that is said to be missing is one of the plan's, where its purpose is named."""
    told = ctx.stems_of(missing.purpose)
    checks = ctx.plan_claims(scene, Check)
    return not told or any(told & ctx.stems(ctx.plan_sentence(scene, c.start)) for c in checks)


def field_given(scene: PlanScene, missing: Missing) -> str:
    """Return the text of a field that is said to be missing; empty where the plan lacks it as well."""
    key = _FIELDS.get(missing.thing)
    field = scene.field(key) if key else None
    whole = field is not None and key not in missing_fields(scene) and not left_out(field.text.text)
    return field.text.text if field and whole else ""


def is_number(missing: Missing) -> bool:
    """Tell whether what is missing is a number other than a DC."""
    return missing.thing in _NUMBERS


def is_outcome(missing: Missing) -> bool:
    """Tell whether what is missing is an outcome."""
    return missing.thing in _DEGREES or missing.thing == "thing_outcomes"
