"""Ability checks and saving throws."""

from rules.claims.grammar.base import Match, balanced
from rules.claims.grammar.difficulty import (
    Read,
    dc_value,
    one_row,
    read_bare,
    read_change,
    read_dcs,
    read_lower,
    read_tail,
)
from rules.claims.grammar.options import MOST_UNKNOWN_WORDS, Options, ability_at, read_options, unknown_skill
from rules.claims.grammar.totals import OR_MORE, one_total, target_at, total_after, total_ahead
from rules.claims.model import BareDC, Check, CheckForm, CheckOption, Claim, Difficulty, Named, Save
from rules.claims.stream import Stream

_CHECK_WORDS = ("check", "t.ability_check", "t.contest")
_SAVE_WORDS = ("t.saving_throw", "t.death_save")
_FILL = ("of", "article", "glue", "contested", "grouped", "check", ":", "t.advantage", "t.disadvantage", "(")
_NO_READ = Read((), False, 0)
_MOST_BACK = 5
"""Items between a total and the word that says that it must be reached."""
_MOST_APART = 9
"""Items between an option and its DC that say what it does."""
_NOT_APART = ("end", ";", ":", *_CHECK_WORDS, *_SAVE_WORDS, "skill", "ability", "dice", "same_dc")
_DIE = 20
_MOST_BEFORE = 20
"""Items between a check and what is said of a total that is too low."""


def _checks(
    s: Stream, start: int, end: int, options: Options, dcs: Read, named: bool, form: CheckForm = "check"
) -> tuple[Claim, ...]:
    """Make the claims of options and DCs: one claim, or one an option where the DCs are dealt out."""
    place = s.place(start, end)
    many = options.options
    if dcs.respectively and len(dcs.dcs) == len(many) > 1:
        pairs = zip(many, dcs.dcs, strict=True)
        return tuple(
            Check(**place, options=(o,), dcs=(d,), form=form, named_as_check=named) for o, d in pairs
        )
    against: tuple[CheckOption, ...] = ()
    if form != "passive" and (other := _other_side(s, options.after)) is not None:
        against, form = other.options, "contest"
        place = s.place(start, max(end, other.after))
    return (
        Check(
            **place,
            options=many,
            dcs=dcs.dcs,
            form=form,
            joined=options.joined,
            against=against,
            named_as_check=named,
        ),
    )


def _other_side(s: Stream, i: int) -> Options | None:
    j = s.skip(i, ("check", "contested", ","), 2)
    if not s.has(j, "versus"):
        return None
    side = s.find(j + 1, 5, ("skill", "ability"), ("end", ",", "(", "number", "dice"))
    return None if side is None else read_options(s, side)


def read_check(s: Stream, i: int) -> Match | None:
    """Read from a word for a check: `prueba de Fuerza (Atletismo) CD 15`, `a check using Stealth, DC 12`."""
    form: CheckForm = "contest" if _is_contest(s, i) else "check"
    j = _fill(s, i + 1, 5)
    if s.any(j, _SAVE_WORDS) or s.has(j, "t.attack_roll"):
        return None
    first = read_dcs(s, j) or _NO_READ
    if first.dcs:
        j = _fill(s, s.skip(first.after, (")",), 1), 4)
    options = read_options(s, j) or _unknown_option(s, j, bool(first.dcs))
    if options is None or s.any(options.after, _SAVE_WORDS):
        return None
    tail = first if first.dcs else _asked_after(s, options.after)
    if not tail.dcs and _is_figurative(s, j, options.after):
        return None
    passive = s.has(options.after, "passive")
    end = balanced(s, i, max(tail.after, options.after + passive, first.after))
    return Match(_checks(s, i, end, options, tail, True, "passive" if passive else form), end)


def _fill(s: Stream, i: int, most: int) -> int:
    """Skip small words after a check, a save or its DC, but not an ability that looks like one (`Con`)."""
    end = i + most
    while i < end and s.any(i, _FILL) and ability_at(s, i) is None:
        i += 1
    return i


def _asked_after(s: Stream, i: int) -> Read:
    """Read the DC, or the total that must be reached, of a check or save which ends before item `i`."""
    return read_tail(s, i, named=True) or total_after(s, i) or total_ahead(s, i) or _NO_READ


def _is_figurative(s: Stream, i: int, after: int) -> bool:
    """Tell whether small letters and what stands around say `proof of his deceit`, `fuerza de voluntad`."""
    if s.is_capital(i):
        return False
    return not s.has(i - 1, "of") or (s.has(after, "of") and s.is_plain(after + 1))


def _is_contest(s: Stream, i: int) -> bool:
    return s.any(i, ("t.contest", "contested")) or s.has(i + 1, "contested") or s.has(i - 1, "contested")


def _unknown_option(s: Stream, i: int, has_dc: bool) -> Options | None:
    """Read an unknown word where a skill must stand: after `prueba de` and before a DC or a stop."""
    end = i
    while end < i + MOST_UNKNOWN_WORDS and s.is_word(end) and not s.any(end, ("t.dc", "or", "if")):
        end += 1
    tail = s.skip(end, ("(", ",", ":"), 2)
    if end == i or not (has_dc or s.has(tail, "t.dc")) or not s.has(i - 1, "of"):
        return None
    unknown = unknown_skill(s, i, end, named=True)
    return Options((CheckOption(unknown),), "", end) if unknown else None


def read_target(s: Stream, i: int) -> Match | None:
    """Read from what a roll must reach: `superar un 16 en Atletismo`, `a 15 or higher on Stealth`."""
    value = target_at(s, i)
    more = s.any(i + 1, OR_MORE)
    j = i + 2 if more else i + 1
    if value is None or (value == _DIE and not more) or not s.any(j, ("on", "glue", "of")):
        return None
    first = s.skip(j + 1, ("article", "own", "check", "of"), 4)
    options = read_options(s, first)
    if options is None or not any(s.is_capital(k) for k in range(first, options.after)):
        return None
    if not (more or _must_be_reached(s, i) or _is_a_roll(s, i, options)):
        return None
    dcs = one_total(s, i, options.after)
    end = options.after + s.has(options.after, "check")
    return Match(_checks(s, i, end, options, dcs, True), end)


def _must_be_reached(s: Stream, i: int) -> bool:
    return s.find_back(i, _MOST_BACK, ("reach", "total_of")) is not None


def _is_a_roll(s: Stream, i: int, options: Options) -> bool:
    """Tell whether `un 14 en Perspicacia` is a total rolled: a skill has no score, and nobody has it."""
    has_article = s.any(i - 1, ("singular_article",)) or s.has(i - 1, "article")
    return has_article and bool(options.options[0].skill) and s.find_back(i, 4, ("have",)) is None


def read_too_low(s: Stream, i: int) -> Match | None:
    """Read from what says that a lower total fails: `anything below an 18`, `nada que no llegue a 18`."""
    below = s.skip(i + 1, ("too_low", "check", "of", "that"), 2)
    if not s.has(below, "below"):
        return None
    j = s.skip(below + 1, ("article", "of"), 2)
    value = target_at(s, j)
    if value is None or s.find_back(i, _MOST_BEFORE, ("skill", "ability", *_CHECK_WORDS), ("stop",)) is None:
        return None
    place = s.place(j, j + 1)
    dcs = (Difficulty(value, place["start"], place["end"]),)
    return Match((BareDC(**s.place(i, j + 1), dcs=dcs),), j + 1)


def read_save(s: Stream, i: int) -> Match | None:
    """Read from a word for a saving throw: `tirada de salvación de Constitución (CD 12)`."""
    meaning = s.get(i, "t.saving_throw") or s.get(i, "t.death_save")
    if meaning is None:
        return None
    death = s.has(i, "t.death_save")
    j = _fill(s, i + 1, 4)
    first = read_dcs(s, j) or _NO_READ
    if first.dcs:
        j = _fill(s, s.skip(first.after, (")",), 1), 4)
    options = read_options(s, j)
    abilities = _abilities(options)
    if meaning.everyday and not (abilities or first.dcs or (read_tail(s, i + 1, named=False))):
        return None
    after = options.after if options and abilities else (first.after or i + 1)
    tail = first if first.dcs else _asked_after(s, after)
    end = balanced(s, i, max(after, tail.after))
    return Match((Save(**s.place(i, end), abilities=abilities, dcs=tail.dcs, death=death),), end)


def _abilities(options: Options | None) -> tuple[Named, ...]:
    if options is None:
        return ()
    return tuple(o.ability for o in options.options if o.ability is not None and o.skill is None)


def read_option(s: Stream, i: int) -> Match | None:
    """Read from a skill or an ability: `Percepción CD 12`, `Strength (Athletics) check (DC 15)`."""
    options = read_options(s, i)
    if options is None:
        return None
    j = options.after
    if s.any(j, _CHECK_WORDS):
        tail = _asked_after(s, j + 1)
        end = max(j + 1, tail.after)
        form: CheckForm = "contest" if s.has(j + 1, "contested") or s.has(i - 1, "contested") else "check"
        return Match(_checks(s, i, end, options, tail, True, form), end)
    if s.any(j, _SAVE_WORDS) and (abilities := _abilities(options)):
        tail = _asked_after(s, j + 1)
        end = max(j + 1, tail.after)
        return Match((Save(**s.place(i, end), abilities=abilities, dcs=tail.dcs),), end)
    if s.has(j, "passive"):
        return _passive(s, i, j + 1, options)
    with_tool = s.find(j, 4, ("tool",), ("end", "check", "skill", "ability")) is not None
    tail = read_tail(s, j, named=with_tool) or (_total_of_skill(s, i, j) if s.is_capital(i) else None)
    if tail is None and s.find(j, _MOST_BACK, ("same_dc",), ("end", "skill", "ability")) is not None:
        tail = _NO_READ._replace(after=j)
    if tail is None:
        return _contest(s, i, options) or _told_apart(s, i, options)
    if s.find(j, tail.after - j, ("headed_save",), ()) is not None:
        return Match(
            (Save(**s.place(i, tail.after), abilities=_abilities(options), dcs=tail.dcs),), tail.after
        )
    if not s.is_capital(i) and s.any(tail.after, ("ability", "skill")):
        return None  # `by main strength, with a DC 15 Strength check`: the DC is the check's that follows
    return Match(_checks(s, i, tail.after, options, tail, False), tail.after)


def _told_apart(s: Stream, i: int, options: Options) -> Match | None:
    """Read an option and a DC of which it is said what it does (`Strength will force it, at DC 17`)."""
    if not s.is_capital(i):
        return None
    k = s.find(options.after, _MOST_APART, ("t.dc",), _NOT_APART)
    read = read_dcs(s, k) if k is not None else None
    if k is None or read is None or not read.dcs or not one_row(s, i, k):
        return None
    follows = s.skip(read.after, (")", "of", "article", "glue", "contested", "grouped"), 4)
    if s.any(follows, (*_CHECK_WORDS, *_SAVE_WORDS, "skill", "ability")):
        return None  # `Strength is no use: a DC 15 Dexterity check`
    if s.has(k, "headed_save"):
        return Match(
            (Save(**s.place(i, read.after), abilities=_abilities(options), dcs=read.dcs),), read.after
        )
    return Match(_checks(s, i, read.after, options, read, False), read.after)


def _total_of_skill(s: Stream, i: int, j: int) -> Read | None:
    """Read the total that a skill by its name alone must reach (`que tire Sigilo, y no baje de 18`); or none,
    where it is only said to be rolled."""
    total = total_after(s, j) or (total_ahead(s, j) if s.any(i, ("skill",)) or s.has(j - 1, ")") else None)
    rolled = s.has(s.skip(i - 1, ("article", "own"), 0), "roll_verb")
    return total or (Read((), False, j) if rolled and s.has(i, "skill") else None)


def _contest(s: Stream, i: int, options: Options) -> Match | None:
    """Read `Sigilo contra Percepción`; only with capitals on both sides, or it is plain narration."""
    other = _other_side(s, options.after)
    if other is None or not (s.is_capital(i) and other.options):
        return None
    first = other.options[0].skill or other.options[0].ability
    if first is None or not first.text[0].isupper():
        return None
    claims = _checks(s, i, other.after, options, _NO_READ, False)
    return Match(claims, other.after)


def _passive(s: Stream, i: int, j: int, options: Options) -> Match:
    """Read the score of a passive check from item `j` on."""
    k = s.skip(j, ("of", ":", "=", "article", "score", "glue", "("), 4)
    value = dc_value(s, k)
    if value is None:
        told = read_dcs(s, k) or _NO_READ
        end = balanced(s, i, max(j, told.after))
        return Match(_checks(s, i, end, options, told, True, "passive"), end)
    place = s.place(k, k + 1)
    score = Read((Difficulty(value, place["start"], place["end"]),), False, k + 1)
    end = k + 2 if s.has(k + 1, ")") and any(s.has(n, "(") for n in range(j, k)) else k + 1
    return Match(_checks(s, i, end, options, score, True, "passive"), end)


def read_passive(s: Stream, i: int) -> Match | None:
    """Read from the word for passive: `passive Perception 14`."""
    options = read_options(s, i + 1)
    return _passive(s, i, options.after, options) if options else None


def read_dc(s: Stream, i: int) -> Match | None:
    """Read from a DC: `DC 15 Strength (Athletics) check`, `CD 15 de Percepción`, `la CD baja 2`."""
    read = read_dcs(s, i)
    if read is None:
        return read_change(s, i)
    if s.find(i + 1, 3, _SAVE_WORDS, ("number",)) is not None:
        return Match((Save(**s.place(i, read.after), dcs=read.dcs),), read.after)  # `CD de salvación 13`
    if s.has(i, "headed"):
        return _after_headed(s, i, read)
    j = s.skip(read.after, ("of", "article", "glue", "grouped", "contested"), 3)
    if s.any(j, _SAVE_WORDS):
        return _save_after_dc(s, i, read, j)
    lead = s.any(j, _CHECK_WORDS)
    k = s.skip(j, (*_CHECK_WORDS, "of", "article", "glue", "contested", "grouped"), 5) if lead else j
    if s.any(k, _SAVE_WORDS):
        return _save_after_dc(s, i, read, k)
    options = read_options(s, k) if _may_follow(s, read.after, k) else None
    if options is None:
        return _unknown_after_dc(s, i, read) or read_bare(s, i, read)
    after = options.after
    if s.any(after, _SAVE_WORDS) and (abilities := _abilities(options)):
        read = read_lower(s, read._replace(after=after + 1))
        claim = Save(**s.place(i, read.after), abilities=abilities, dcs=read.dcs)
        return Match((claim,), read.after)
    named = lead or s.any(after, _CHECK_WORDS)
    end = after + 1 if s.any(after, _CHECK_WORDS) else after
    if not named and read_tail(s, after, named=False) is not None:
        return read_bare(s, i, read)  # the option has a DC of its own: `CD 12, Sigilo CD 15`
    read = read_lower(s, read._replace(after=end)) if named else read._replace(after=end)
    return Match(_checks(s, i, read.after, options, read, named), read.after)


def _after_headed(s: Stream, i: int, read: Read) -> Match:
    """Read what a row has after its DC (`| 14 | Stealth |` under `DC | Check`)."""
    k = s.find(read.after, _MOST_APART, ("skill", "ability"), ("end", "t.dc"))
    options = read_options(s, k) if k is not None and one_row(s, i, k) else None
    if options is None or not s.is_capital(k or 0):
        return read_bare(s, i, read)
    end = options.after
    if s.has(i, "headed_save"):
        return Match((Save(**s.place(i, end), abilities=_abilities(options), dcs=read.dcs),), end)
    return Match(_checks(s, i, end, options, read, False), end)


def _may_follow(s: Stream, after: int, k: int) -> bool:
    """Tell whether an option at item `k` may belong to the DC that ends before item `after`."""
    return not any(s.any(n, ("end", ")", ",", "or", "and")) for n in range(after, k))


def _save_after_dc(s: Stream, i: int, read: Read, j: int) -> Match:
    options = read_options(s, s.skip(j + 1, ("of", "article", "glue"), 3))
    abilities = _abilities(options)
    end = options.after if options and abilities else j + 1
    return Match((Save(**s.place(i, end), abilities=abilities, dcs=read.dcs),), end)


def _unknown_after_dc(s: Stream, i: int, read: Read) -> Match | None:
    """Read `DC 15 Streetwise check`: capitals that are no skill between a DC and the word for a check."""
    end = read.after
    while end < read.after + MOST_UNKNOWN_WORDS and s.is_capital(end) and not s.any(end, _CHECK_WORDS):
        end += 1
    if end == read.after or not s.any(end, _CHECK_WORDS):
        return None
    unknown = unknown_skill(s, read.after, end)
    if unknown is None:
        return None
    options = Options((CheckOption(unknown),), "", end)
    return Match(_checks(s, i, end + 1, options, read, True), end + 1)
