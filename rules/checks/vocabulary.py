"""Words of the ruleset: does the text use words that the game has, and one word for one thing?"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from rules.checks import agreement, borrowed, denials, measures, odd_words, replacements, variants
from rules.checks.context import Context, Unit
from rules.checks.hit import Hit, Replacement
from rules.checks.languages import foreign_ability, foreign_skill
from rules.checks.text import Sentence, flat, fold
from rules.claims.model import (
    ActionUse,
    ArmorBonus,
    ArmorClass,
    Check,
    Claim,
    Condition,
    Cover,
    Damage,
    Distance,
    HitPoints,
    Named,
    Roll,
    Sense,
    TermUse,
    UnsizedDie,
)
from rules.ruleset import Kind

_SPENT = 6
"""Words before an action in which somebody spends it."""
_ALTERNATIVE = re.compile(r"\+\d{1,2}\s+\w{1,3}\s+\Z")
"""Another bonus and a small word, just before a bonus."""
_BONUS_WITHIN = 40
"""Characters between a degree of cover and the bonus that it gives."""
_LONG_WORD = 4
"""Letters of a word that may go on a name; shorter ones are terms' short forms (`DC`, `Con`)."""
_LIMBS = 10
"""Feet in words that may be those of a table, an idol or a beast, at most."""
_MEASURED_WITHIN = 3
"""Words before feet, or after, that say that they are a length."""
_METRIC = ("metre", "centimetre")
_IMPERIAL = ("foot", "yard", "inch")
_BESIDE = 12
"""Characters between a length and its conversion."""
_SAME_LENGTH = 0.12
"""Share by which a length and its conversion may differ (`10 m (33 ft)`)."""


def unknown_skill(ctx: Context) -> Iterator[Hit]:
    """A word stands where a skill must stand, and the ruleset has no such skill."""
    for unit in ctx.units:
        for check in ctx.told(unit.passage, Check):
            for skill in check.unknown:
                if (
                    foreign_skill(ctx, skill)
                    or foreign_ability(ctx, skill.text)
                    or _is_verb(ctx, unit, skill)
                    or _is_of_a_longer_name(ctx, unit, skill)
                ):
                    continue
                right = ctx.ruleset.nearest("skill", skill.text, ctx.document.language) or ""
                message = ctx.say("unknown-skill.message", word=skill.text)
                known = replacements.word(ctx, skill, right) if skill.id else None
                span = (check.start, check.end)
                yield Hit(unit.scene, unit.part, *span, message, right, ctx.ruleset.id, replacement=known)
        yield from odd_words.old_skills(ctx, unit)


def _is_verb(ctx: Context, unit: Unit, word: Named) -> bool:
    """Tell whether a word is no name but what is done (`the DC is 15 to spot it`)."""
    before = ctx.sentence_at(unit.passage, word.start).before(word.start)[-1:]
    return ctx.source[word.start].islower() and ctx.phrases("infinitive_marks").any(before)


def _is_of_a_longer_name(ctx: Context, unit: Unit, word: Named) -> bool:
    """Tell whether a wrong skill's word only begins a name in capitals (`Sneak Attack`)."""
    after = ctx.sentence_at(unit.passage, word.start).after(word.end)[:1]
    if word.status != "wrong" or not after or ctx.source[word.end : after[0].start] != " ":
        return False
    written = ctx.source[after[0].start : after[0].end]
    return ctx.source[word.start].isupper() and written.istitle() and len(written) >= _LONG_WORD


def unknown_term(ctx: Context) -> Iterator[Hit]:
    """A term of another game, or of none, stands where the ruleset has its own."""
    for unit in ctx.units:
        for claim, kind, named in _terms(ctx, unit):
            if named.status in ("wrong", "unknown") and not denials.is_disowned(ctx, unit, claim.start):
                right = ctx.ruleset.word(kind, named.id, ctx.language) if named.id else ""
                key = "unknown-term.instead" if right else "unknown-term.message"
                message = ctx.say(key, word=named.text, right=right)
                known = replacements.word(ctx, named, right)
                span = (claim.start, claim.end)
                yield Hit(unit.scene, unit.part, *span, message, right, ctx.ruleset.id, replacement=known)
        yield from borrowed.old_saves(ctx, unit)
        yield from borrowed.wrong_difficulty(ctx, unit)
        yield from variants.borrowed_terms(ctx, unit)


def _terms(ctx: Context, unit: Unit) -> Iterator[tuple[Claim, Kind, Named]]:
    for action in ctx.told(unit.passage, ActionUse):
        if action.action.status == "canonical" or _spent(ctx, unit, action):
            yield action, "action", action.action
    for term in ctx.told(unit.passage, TermUse):
        yield term, "term", term.term
    for sense in ctx.told(unit.passage, Sense):
        named = ctx.words_between(unit.passage, sense.start, sense.end)
        if sense.metres is not None or ctx.phrases("surely_senses").any(named):
            yield sense, "sense", sense.sense
    figures = (*ctx.told(unit.passage, HitPoints), *ctx.told(unit.passage, ArmorClass))
    for figure in figures:
        yield figure, "term", figure.term


def _spent(ctx: Context, unit: Unit, action: ActionUse) -> bool:
    """Tell whether somebody spends an action: an `acción rápida` may be any quick deed."""
    sentence = ctx.sentence_at(unit.passage, action.start)
    before = sentence.before(action.start)[-_SPENT:]
    return ctx.phrases("spending").any(before)


class _Use(NamedTuple):
    """A word of the ruleset as a text uses it."""

    unit: Unit
    kind: Kind
    named: Named


def _uses(ctx: Context) -> Iterator[_Use]:
    for unit in ctx.units:
        for claim in ctx.claims(unit.passage):
            if claim.in_speech:
                continue
            if isinstance(claim, Check):
                for option in claim.options:
                    if option.skill:
                        yield _Use(unit, "skill", option.skill)
            elif isinstance(claim, Condition) and claim.mechanical:
                yield _Use(unit, "condition", claim.condition)
            elif isinstance(claim, Cover):
                yield _Use(unit, "cover", claim.degree)
            elif isinstance(claim, ActionUse):
                yield _Use(unit, "action", claim.action)


def term_variant(ctx: Context) -> Iterator[Hit]:
    """A word that means a term of the ruleset and is not its own: a note, never a fault by itself."""
    yield from variants.variants(ctx)
    uses = list(_uses(ctx))
    canonical = {(u.kind, u.named.id) for u in uses if u.named.status == "canonical"}
    for use in uses:
        named = use.named
        if named.id is None or named.status != "synonym":
            continue
        word = ctx.ruleset.word(use.kind, named.id, ctx.language)
        mixed = (use.kind, named.id) in canonical
        one = (
            _order(ctx, named.text) == _order(ctx, word)
            if mixed
            else _shape(ctx, named.text) == _shape(ctx, word)
        )
        if one or not (mixed or _odd(ctx, use)):
            continue
        message = ctx.say(
            "term-variant.mixed" if mixed else "term-variant.message", word=named.text, right=word
        )
        span = (named.start, named.end)
        yield ctx.clause_hit(
            use.unit.scene, use.unit.part, use.unit.passage, span, message, word, ctx.ruleset.id
        )


def _odd(ctx: Context, use: _Use) -> bool:
    """Tell whether a variant is no word of plain language either."""
    if use.kind == "skill":
        return variants.is_odd_skill(ctx, use.named.text)
    if use.kind != "condition":
        return False
    folded = fold(use.named.text)
    forms = ctx.ruleset.forms(use.kind, ctx.language)
    return not any(
        everyday for text, id_, _, everyday in forms if id_ == use.named.id and fold(text) == folded
    )


def _shape(ctx: Context, text: str) -> tuple[str, ...]:
    """Return what the forms of one term have in common: its words' beginnings, in no order."""
    parts = fold(text).replace("-", " ").split()
    return tuple(sorted(p[:4] for p in parts if p not in ctx.small_words))


def _order(ctx: Context, text: str) -> tuple[str, ...]:
    """Return a term as its readers see it: endings and small words aside, order and hyphens kept."""
    return tuple(p if "-" in p else p[:4] for p in fold(text).split() if p not in ctx.small_words)


def damage_type(ctx: Context) -> Iterator[Hit]:
    """A word stands where a damage type must stand, and it is none."""
    plain = ctx.word_list("no_damage_type")
    for unit in ctx.units:
        yield from odd_words.odd_damage(ctx, unit)
        yield from agreement.damage_agreement(ctx, unit)
        for damage in ctx.told(unit.passage, Damage):
            for named in damage.types:
                if named.status not in ("wrong", "unknown") or fold(named.text) in plain:
                    continue
                right = ctx.ruleset.word("damage_type", named.id, ctx.language) if named.id else ""
                key = "damage-type.instead" if right else "damage-type.message"
                message = ctx.say(key, word=named.text, right=right)
                severity = None if right else "warning"
                yield Hit(
                    unit.scene,
                    unit.part,
                    damage.start,
                    damage.end,
                    message,
                    right,
                    ctx.say("damage-type.source"),
                    severity,
                    replacements.damage_type(ctx, damage, named),
                )


def cover_degree(ctx: Context) -> Iterator[Hit]:
    """Cover has a degree that the ruleset does not have."""
    degrees = ", ".join(
        e.names[ctx.language].word for e in ctx.ruleset.cover.values() if ctx.language in e.names
    )
    for unit in ctx.units:
        for cover in ctx.told(unit.passage, Cover):
            if denials.is_disowned(ctx, unit, cover.start):
                continue
            if cover.degree.status in ("wrong", "unknown"):
                message = ctx.say("cover-degree.message", word=cover.degree.text, degrees=degrees)
                span = (cover.start, cover.end)
                source = ctx.say("cover-degree.source")
                yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, degrees, source)
            elif (right := _right_bonus(ctx, unit, cover)) is not None:
                message = ctx.say("cover-degree.bonus", word=cover.degree.text, right=f"+{right}")
                span = (cover.start, cover.end)
                source = ctx.say("cover-degree.source")
                yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, f"+{right}", source)


def _right_bonus(ctx: Context, unit: Unit, cover: Cover) -> int | None:
    """Return the bonus that a degree gives where the text gives it another one; None where it does not."""
    degree = ctx.ruleset.cover.get(cover.degree.id or "")
    if degree is None or not degree.armor_class:
        return None
    told = cover.bonus
    if told is None:
        sentence = ctx.sentence_at(unit.passage, cover.start)
        bonuses = ctx.told_between(unit.passage, ArmorBonus, cover.end, sentence.end)
        others = ctx.told_between(unit.passage, Cover, sentence.start, sentence.end)
        near = [b for b in bonuses if b.start - cover.end <= _BONUS_WITHIN]
        told = near[0].value if len(near) == len(others) == 1 else None
        if not bonuses and len(others) == 1:
            told = _bonus_before(ctx, unit, cover, sentence)
        if near and _ALTERNATIVE.search(ctx.source[cover.end : near[0].start]):
            return None  # `half or three-quarters, +2 or +5 to AC`
    return degree.armor_class if told is not None and told != degree.armor_class else None


def _bonus_before(ctx: Context, unit: Unit, cover: Cover, sentence: Sentence) -> int | None:
    """Return the only bonus of a sentence, where it comes of the cover (`+3 to AC from half cover`)."""
    bonuses = ctx.told_between(unit.passage, ArmorBonus, sentence.start, sentence.end)
    if len(bonuses) != 1:
        return None
    between = ctx.words_between(unit.passage, bonuses[0].end, cover.start)
    joins = ctx.phrases("comes_of").first(between)
    plain = (
        joins is not None and joins[0] == 0 and all(w.text in ctx.small_words for w in between[joins[1] :])
    )
    return bonuses[0].value if plain else None


def mixed_units(ctx: Context) -> Iterator[Hit]:
    """A text measures in metres and in feet."""
    both = {start for u in ctx.units for start in _converted(ctx, u)}
    told = [(u, d) for u in ctx.units for d in ctx.told(u.passage, Distance) if d.start not in both]
    told = [(u, d) for u, d in told if not _may_be_limbs(ctx, u, d)]
    told += [(u, d) for u in ctx.units for d in odd_words.feet_marks(ctx, u)]
    metric = [(u, d) for u, d in told if d.unit in _METRIC]
    imperial = [(u, d) for u, d in told if d.unit in _IMPERIAL]
    if not metric or not imperial:
        return
    first = min(told, key=lambda use: use[1].start)[1]
    # Where both stand equally often, the text measures in that which it uses first.
    share = (len(imperial), first.unit in _IMPERIAL) < (len(metric), first.unit in _METRIC)
    few, many = (imperial, metric) if share else (metric, imperial)
    unit_word = ctx.ruleset.word("unit", many[0][1].unit, ctx.language)
    for unit, distance in few:
        message = ctx.say("mixed-units.message", told=flat(distance.quote), unit=unit_word)
        scale = ctx.ruleset.units[many[0][1].unit].metres or 1
        exact = distance.metres / scale
        usual = measures.usual(exact, many[0][1].unit in _METRIC)
        expected = _written(ctx, usual or exact, many[0][1])
        span = (distance.start, distance.end)
        certain = usual and len(few) < len(many)
        known = replacements.length(ctx, distance, expected) if certain else None
        hit = ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, expected)
        yield replace(hit, replacement=known)


def _may_be_limbs(ctx: Context, unit: Unit, told: Distance) -> bool:
    """Tell whether a few feet in words may be limbs (`tres pies de barro`, `six feet and two heads`)."""
    if told.unit != "foot" or told.shape != "distance" or told.value > _LIMBS or told.quote[0].isdigit():
        return False
    sentence = ctx.sentence_at(unit.passage, told.start)
    before, after = sentence.before(told.start), sentence.after(told.end)
    measures = ctx.phrases("length_before").any(before[-_MEASURED_WITHIN:])
    of_length = ctx.phrases("length_after").first(after[:_MEASURED_WITHIN])
    return not measures and (of_length is None or of_length[0] > 0)


def _written(ctx: Context, value: float, like: Distance) -> str:
    """Return a length in the unit of another one, as people of the language write it."""
    names = ctx.ruleset.units[like.unit].names[ctx.language]
    short = like.unit_text in (*names.abbr, names.plural)
    unit = like.unit_text if short and value != 1 else names.word if value == 1 else names.plural
    figure = f"{round(value, 1):g}".replace(".", ctx.decimal_mark)
    return f"{figure} {unit}"


def _converted(ctx: Context, unit: Unit) -> set[int]:
    """Return the places of the lengths beside which the same length stands in the other system."""
    told = ctx.told(unit.passage, Distance)
    found: set[int] = set()
    for one, other in pairwise(told):
        same = abs(other.metres - one.metres) <= _SAME_LENGTH * max(other.metres, one.metres)
        if same and other.start - one.end <= _BESIDE and (one.unit in _METRIC) != (other.unit in _METRIC):
            found |= {one.start, other.start}
    return found


def stat_alias(ctx: Context) -> Iterator[Hit]:
    """A text calls one figure by two names."""
    yield from _aliases(ctx, [(u, c, c.term) for u in ctx.units for c in ctx.told(u.passage, HitPoints)])
    yield from _aliases(ctx, [(u, c, c.term) for u in ctx.units for c in ctx.told(u.passage, ArmorClass)])
    yield from variants.figure_aliases(ctx)


def _aliases(ctx: Context, uses: list[tuple[Unit, HitPoints | ArmorClass, Named]]) -> Iterator[Hit]:
    families = [_family(ctx, named) for _, _, named in uses]
    counts = Counter(families)
    if len(counts) < 2:
        return
    main = max(counts, key=lambda f: (counts[f], f == ""))
    word = next(named.text for (_, _, named), f in zip(uses, families, strict=True) if f == main)
    for (unit, claim, named), family in zip(uses, families, strict=True):
        if family != main:
            message = ctx.say("stat-alias.message", word=named.text, main=word)
            written = ctx.source[named.start : named.end]
            known = Replacement(named.start, named.end, replacements.cased(written, word))
            yield Hit(unit.scene, unit.part, claim.start, claim.end, message, word, replacement=known)


def _family(ctx: Context, named: Named) -> str:
    """Return the name of a term's group of words; empty for the ruleset's own word and its short forms."""
    if named.id is None or named.status == "canonical":
        return ""
    names = ctx.ruleset.terms[named.id].names[ctx.language]
    text = fold(named.text).rstrip("s")
    own = {fold(w).rstrip("s") for w in (names.word, *names.abbr)}
    if text in own or _shape(ctx, text) == _shape(ctx, names.word):
        return ""
    return "alias"


def _is_known_die(ctx: Context, unit: Unit, die: UnsizedDie, sentence: Sentence) -> bool:
    """Tell whether `the die` is one that the text has named before, or that of a d20 roll."""
    words = ctx.words_between(unit.passage, die.start, die.end)
    if not ctx.phrases("definite").any(words):
        return False
    head = {w.text for w in words[-1:]}
    if any(w.text in head for w in ctx.words(unit.passage) if w.end <= die.start):
        return True
    if odd_words.is_known_dice(ctx, sentence):
        return True
    first = (ctx.told(unit.passage, kind)[:1] for kind in (Roll, Damage))
    sized = any(claim.start < die.start for claims in first for claim in claims)
    return sized or ctx.phrases("known_rolls").any(sentence.words)


def ambiguous_die(ctx: Context) -> Iterator[Hit]:
    """A die is to be rolled and nobody says which."""
    for unit in ctx.units:
        yield from odd_words.unsized_dice(ctx, unit)
        yield from odd_words.parity_dice(ctx, unit)
        yield from odd_words.bare_results(ctx, unit)
        for die in ctx.told(unit.passage, UnsizedDie):
            sentence = ctx.sentence_at(unit.passage, die.start)
            if denials.is_mentioned(ctx, unit, die.start) or _is_known_die(ctx, unit, die, sentence):
                continue
            if odd_words.is_story(ctx, unit, die, sentence):
                continue
            clause = ctx.clause_hit(unit.scene, unit.part, unit.passage, (die.start, die.end), "")
            end = sentence.words[-1].end if sentence.words else die.end
            message = ctx.say("ambiguous-die.message")
            yield Hit(
                unit.scene, unit.part, clause.start, max(clause.end, min(end, clause.start + 200)), message
            )
