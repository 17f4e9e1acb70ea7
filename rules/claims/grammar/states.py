"""Conditions, cover, advantage and disadvantage."""

from rules.claims.grammar.base import Match
from rules.claims.grammar.figures import signed_at
from rules.claims.lexicon import Meaning
from rules.claims.model import Advantage, Applies, Condition, Cover
from rules.claims.stream import Stream

MOST_BEFORE = 16
"""Words before a condition in which the roll is named that imposes it."""
MOST_TO_VERB = 8
"""Words between a verb and the condition that ends its clause."""
_QUOTES = ("«", "»", "“", "”", '"', "(", ")")


def read_condition(s: Stream, i: int) -> Match | None:
    """Read a condition word; the claim says whether the text states the condition of the rules."""
    meaning = s.get(i, "condition")
    if meaning is None:
        return None
    claim = Condition(
        **s.place(i, i + 1),
        condition=s.named(i, meaning),
        mechanical=_is_mechanical(s, i, meaning),
        negated=_is_negated(s, i),
    )
    return Match((claim,), i + 1)


def _is_negated(s: Stream, i: int) -> bool:
    """Tell whether a word before item `i` keeps the condition off; `termina apresada` ends nothing."""
    at = s.find_back(i, 4, ("immune",))
    noun = at is not None and s.any(at - 1, ("own", "article"))  # `who heard it to its end gains …`
    return at is not None and not noun and not (at == i - 1 and s.has(at, "linking_becomes"))


def _is_mechanical(s: Stream, i: int, meaning: Meaning) -> bool:
    """Tell whether the text around item `i` shows that its condition is the one of the rules."""
    before = i - 1
    while before > i - 3 and s.any(before, ("of", "(", ":")):
        before -= 1
    if s.has(before, "condition_label") or s.has(i + 1, "condition_label"):
        return True
    if s.any(i + 1, ("(", ",")) and s.find(i + 2, 3, ("t.dc",)) is not None:
        return True
    if s.is_capital(i) and not s.opens_sentence(i) and not s.any(i - 1, ("article", "of")):
        return True
    if _is_quoted(s, i) or _is_emphasised(s, i) or _lasts(s, i):
        return True
    verb = _verb_before(s, i)
    # `el apresado es …` is somebody, `is frightened of losing it` a feeling: neither states a condition.
    if verb is None or s.has(i - 1, "article") or s.has(i - 1, "versus") or _fears_to_do(s, i):
        return False
    if s.has(verb, "linking_becomes") or not meaning.everyday:
        return True
    if _is_held(s, i, meaning) or _binds_somebody(s, i, meaning):
        return True
    return s.find_back(i, MOST_BEFORE, ("on_failure", "t.saving_throw"), ("stop", "break")) is not None


def _fears_to_do(s: Stream, i: int) -> bool:
    """Tell whether what follows a word of fear is a deed that is feared (`asustado de perder el papel`)."""
    if not s.has(i, "fear") or not s.has(i + 1, "fear_of") or not s.is_word(i + 2):
        return False
    return s.written(i + 2).casefold().endswith(s.lexicon.vocabulary.deed_endings)


def _binds_somebody(s: Stream, i: int, meaning: Meaning) -> bool:
    """Tell whether a condition that holds is one of game creatures (`whoever stands there is restrained`)."""
    entry = s.lexicon.ruleset.conditions.get(meaning.id or "")
    held = entry is not None and entry.needs_escape
    return held and s.find_back(i, MOST_BEFORE, ("who_suffers",), ("stop", "break")) is not None


def _is_held(s: Stream, i: int, meaning: Meaning) -> bool:
    """Tell whether a net, a web or the like is named before a condition in which it holds somebody."""
    entry = s.lexicon.ruleset.conditions.get(meaning.id or "")
    held = entry is not None and entry.needs_escape
    return held and s.find_back(i, MOST_BEFORE, ("holder",), ("stop", "break")) is not None


def _verb_before(s: Stream, i: int) -> int | None:
    """Return the linking verb at most four items before; other conditions may stand between.

    Where the condition ends its clause it may lie farther back (`leaves whoever treads on it restrained`).
    """
    near = s.find_back(i, 4, ("linking_becomes", "linking_is"), ("end", "(", ")"))
    if near is not None or not (s.any(i + 1, ("end", ",", ")")) or i + 1 >= len(s.tags)):
        return near
    return s.find_back(i, MOST_TO_VERB, ("linking_becomes",), ("end", ",", "(", ")"))


def _is_quoted(s: Stream, i: int) -> bool:
    return s.any(i - 1, _QUOTES[:5]) and s.any(i + 1, _QUOTES[:5])


def _is_emphasised(s: Stream, i: int) -> bool:
    start, end = s.starts[i], s.ends[i]
    return s.text[start - 1 : start] in ("*", "_") and s.text[end : end + 1] in ("*", "_")


def _lasts(s: Stream, i: int) -> bool:
    """Tell whether a time follows that says how long the condition lasts."""
    if s.any(i + 1, ("and", "or", ",")) and s.has(i + 2, "condition"):
        i += 2  # `blinded and deafened for 1 minute`
    if s.has(i + 1, "until"):
        return s.find(i + 2, 8, ("unit",)) is not None
    return s.has(i + 1, "during") and (s.any(i + 2, ("number", "dice"))) and s.has(i + 3, "unit")


def read_cover(s: Stream, i: int) -> Match | None:
    """Read cover with its degree, and the bonus to Armor Class that may follow it."""
    meaning = s.get(i, "cover")
    if meaning is None:
        return None
    if meaning.id is None and s.has(i + 1, "cover_of"):
        return None  # `the partial cover of the local press`
    degree = s.named(i, meaning)
    j = s.skip(i + 1, ("(", ",", ":"), 1)
    bonus = signed_at(s, j)
    if bonus is not None and j > i + 1:
        k = s.skip(j + 2, ("glue", "of", "article", "change_to", "bonus_word"), 4)
        if s.has(k, "t.ac"):
            end = k + 2 if s.has(k + 1, ")") and s.has(i + 1, "(") else k + 1
            return Match((Cover(**s.place(i, end), degree=degree, bonus=bonus),), end)
    return Match((Cover(**s.place(i, i + 1), degree=degree),), i + 1)


def read_advantage(s: Stream, i: int) -> Match | None:
    """Read advantage or disadvantage where it is the one of the rules."""
    if not _is_roll_word(s, i):
        return None
    what = s.find(i + 1, 8, ("attack_word", "check", "t.saving_throw", "t.attack_roll"), ("end", ","))
    applies: Applies = ""
    if what is not None:
        attacks = s.any(what, ("attack_word", "t.attack_roll"))
        saves: Applies = "saves" if s.has(what, "t.saving_throw") else "checks"
        applies = "attacks" if attacks else "" if s.has(what, "roll_word") else saves
    if what is not None and not (s.has(i + 1, "on") or (what == i + 2 and s.any(i + 1, ("own", "article")))):
        applies, what = "", None
    if what is None and s.has(i - 1, "have") and _rolled_before(s, i - 1):
        applies = "attacks"  # `makes her attack rolls with disadvantage`
    ranged = what is not None and (s.has(what + 1, "ranged") or s.has(what - 1, "ranged"))
    end = i + 1 if what is None else what + 2 if ranged and s.has(what + 1, "ranged") else what + 1
    mode = "disadvantage" if s.has(i, "t.disadvantage") else "advantage"
    return Match((Advantage(**s.place(i, end), mode=mode, applies=applies, ranged=ranged),), end)


def _rolled_before(s: Stream, i: int) -> bool:
    """Tell whether attack rolls are named just before item `i` (`her attacks are made with`)."""
    at = s.find_back(i, 3, ("attack_word", "t.attack_roll"), ("end", ",", "check", "t.saving_throw"))
    return at is not None


def _is_roll_word(s: Stream, i: int) -> bool:
    if s.has(i + 1, "figurative") or s.has(i - 1, "figurative"):
        return False
    if s.has(i - 1, "have"):
        return True
    if s.is_capital(i) and not s.opens_sentence(i):
        return True
    follows = s.find(i + 1, 4, ("check", "t.saving_throw", "t.attack_roll", "attack_word"), ("end", ","))
    if follows is None or not s.has(i + 1, "on"):
        return False
    return not (s.has(follows, "attack_word") and s.has(i - 1, "article"))
