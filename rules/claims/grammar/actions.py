"""The action economy, extreme results, dice without a size, senses, spells and other terms."""

from typing import Literal, cast

from rules.claims.grammar.base import Match
from rules.claims.grammar.figures import number_at
from rules.claims.grammar.measures import read_amount
from rules.claims.lexicon import Meaning
from rules.claims.model import ActionUse, Critical, Sense, Spell, TermUse, UnsizedDie
from rules.claims.stream import Stream

_QUOTES = ("«", "“", '"', "of", "article")
Extreme = Literal["critical_hit", "critical_success", "critical_failure", "natural_1", "natural_20"]
_RESULT_WITHIN = 8
"""Items after a throw in which stands what its result must be."""


def read_action(s: Stream, i: int) -> Match | None:
    """Read a word of the action economy, or an action by its name."""
    meaning = s.get(i, "action")
    if meaning is None:
        return None
    if meaning.id is None or not _is_economy(s, meaning):
        return _use(s, i, i + 1, meaning, i) if meaning.id is None else _named_action(s, i, meaning)
    if meaning.id == "action" and (found := _action_of(s, i)) is not None:
        return found
    if meaning.id in ("action", "reaction") and not _is_spent(s, i):
        return None
    return _use(s, i, i + 1, meaning, i)


def _use(s: Stream, i: int, end: int, meaning: Meaning, at: int) -> Match:
    return Match((ActionUse(**s.place(i, end), action=s.named(at, meaning)),), end)


def _is_economy(s: Stream, meaning: Meaning) -> bool:
    return s.lexicon.ruleset.actions[meaning.id or ""].economy


def _named_action(s: Stream, i: int, meaning: Meaning) -> Match | None:
    """Read `Dash action`: the name before the word for an action."""
    j = s.skip(i + 1, ("”", '"', "»"), 1)
    follows = s.get(j, "action")
    if follows is None or follows.id != "action":
        return None
    return _use(s, i, j + 1, meaning, i)


def _action_of(s: Stream, i: int) -> Match | None:
    """Read `acción de Esconderse`: the name after the word for an action."""
    j = s.skip(i + 1, _QUOTES, 3)
    named = s.get(j, "action")
    if not (s.has(i + 1, "of") or s.is_capital(j)):
        return None
    if named is None or named.id is None or _is_economy(s, named):
        return None
    return _use(s, i, j + 1, named, j)


def _is_spent(s: Stream, i: int) -> bool:
    """Tell whether the words before say that an action is used (`usa su`, `as a`)."""
    j = i - 1
    while j >= i - 3 and s.any(j, ("own", "article", "number")):
        j -= 1
    return s.has(j, "spend")


def read_crit(s: Stream, i: int) -> Match | None:
    """Read words for extreme results."""
    meaning = s.get(i, "crit")
    return None if meaning is None else _critical(s, i, i + 1, cast("Extreme", meaning.id))


def _critical(s: Stream, i: int, end: int, what: Extreme) -> Match:
    return Match((Critical(**s.place(i, end), what=what),), end)


def read_natural(s: Stream, i: int) -> Match | None:
    """Read `1 natural`, `natural 20` from the number or the word."""
    number_first = s.has(i, "number")
    at = i if number_first else i + 1
    if not s.has(i + 1 if number_first else i, "natural"):
        return None
    value = number_at(s, at)
    if value not in (1, 20):
        return None
    return _critical(s, i, i + 2, "natural_1" if value == 1 else "natural_20")


def read_roll_verb(s: Stream, i: int) -> Match | None:
    """Read `tira un dado` where nothing says which die."""
    j = s.skip(i + 1, ("article", "number"), 2)
    counted = s.has(j, "dice_plural") and s.has(j - 1, "number")  # `tira dos dados`
    thrown = s.has(j, "dice_plural") and s.has(j - 1, "article") and _has_threshold(s, j + 1)
    if not (s.has(j, "die") or counted or thrown) or j == i + 1:
        return None
    if s.has(j + 1, "of") and (s.has(j + 2, "number") or s.is_word(j + 2)):
        return None  # `un dado de seis`, `un dado de inspiración`
    if s.any(j + 1, ("(",)) and (s.any(j + 2, ("dice", "number"))):
        return None
    if s.any(j + 1, ("die_size", "dice")) or s.find(j + 1, 3, ("die_size", "dice")) is not None:
        return None
    return Match((UnsizedDie(**s.place(i, j + 1)),), j + 1)


def read_die_thrown(s: Stream, i: int) -> Match | None:
    """Read `a die is rolled` where nothing says which die."""
    if not s.any(i - 1, ("article", "number")) or not s.has(i + 1, "linking_is"):
        return None
    j = s.skip(i + 2, ("linking_is",), 1)
    sized = s.find(j + 1, 3, ("die_size", "dice")) is not None
    result = s.find(j + 1, _RESULT_WITHIN, ("number",), ("break",))
    if not s.has(j, "roll_done") or sized or result is None:
        return None  # `the die is cast`
    return Match((UnsizedDie(**s.place(i - 1, j + 1)),), j + 1)


def _has_threshold(s: Stream, i: int) -> bool:
    """Tell whether a result is asked of the dice thrown before item `i` (`si sacas 4 o más`)."""
    more = s.find(i, 12, ("or_more",), ("break", "dice", "dice_plural"))
    return more is not None and number_at(s, more - 1) is not None


def read_sense(s: Stream, i: int) -> Match | None:
    """Read a special sense and the range that may follow it."""
    meaning = s.get(i, "sense")
    if meaning is None:
        return None
    j = s.skip(i + 1, ("(", ":", ",", "of", "glue", "amount_glue"), 4)
    amount = read_amount(s, j)
    metres: float | None = None
    if amount is not None:
        unit = s.get(amount.unit_at, "unit")
        per = s.lexicon.ruleset.units[unit.id].metres if unit and unit.id else None
        metres = None if per is None else round(amount.value * per, 4)
    # The range is read again as a distance: the sense ends before it.
    return Match((Sense(**s.place(i, i + 1), sense=s.named(i, meaning), metres=metres),), i + 1)


def read_spell_word(s: Stream, i: int) -> Match | None:
    """Read `conjuro de caída de pluma`, `hechizo «bola de fuego»`."""
    j = s.skip(i + 1, _QUOTES, 3)
    spell = s.get(j, "spell_name")
    if spell is None or (j == i + 1 and not s.is_capital(j) and " " not in s.written(j)):
        return None
    return Match((Spell(**s.place(i, j + 1), spell=s.named(j, spell)),), j + 1)


def read_spell_name(s: Stream, i: int) -> Match | None:
    """Read `fireball spell`, or a name of several words that is all that is emphasised (`*misil mágico*`)."""
    spell = s.get(i, "spell_name")
    if spell is not None and _is_all_emphasised(s, i) and " " in s.written(i):
        return Match((Spell(**s.place(i, i + 1), spell=s.named(i, spell)),), i + 1)
    j = s.skip(i + 1, ("”", '"', "»"), 1)
    if spell is None or not s.has(j, "spell_word"):
        return None
    return Match((Spell(**s.place(i, j + 1), spell=s.named(i, spell)),), j + 1)


def _is_all_emphasised(s: Stream, i: int) -> bool:
    """Tell whether item `i` is all that stands between two signs of emphasis: so the SRD prints spells."""
    start, end = s.starts[i], s.ends[i]
    return s.text[start - 1 : start] in ("*", "_") and s.text[end : end + 1] in ("*", "_")


def read_term(s: Stream, i: int) -> Match | None:
    """Read any other term of the rules that plain narration does not use."""
    meaning = s.get(i, "term")
    if meaning is None or meaning.everyday or (meaning.id == "dc" and number_at(s, i - 1) is not None):
        return None
    return Match((TermUse(**s.place(i, i + 1), term=s.named(i, meaning)),), i + 1)
