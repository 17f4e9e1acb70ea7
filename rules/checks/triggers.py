"""What sets off an action: whether it follows on what somebody else does, outside of one's own turn."""

from collections.abc import Sequence

from rules.checks.context import Context
from rules.checks.text import Sentence, Word
from rules.claims.model import ActionUse

_EVENT = 14
"""Words of a clause in which it is told what sets an action off."""
_TARGET_WITHIN = 12
"""Words after an opportunity attack in which it is told at whom it is made, and why."""
_GIVEN_WITHIN = 6
"""Words before an opportunity attack in which it is said that it is provoked, or given."""
_STEM = 4
"""Letters that a word has at least before the ending of a deed (`reading`, `leer`)."""
_OWNER_WITHIN = 4
"""Words in which it is told whose turn it is."""
_SOMEBODY = 2
"""Words of a creature's plain name (`a creature`)."""
_REACH_WITHIN = 5
"""Words between a movement and the reach that it goes into, or out of."""
_LINK_WITHIN = 3
"""Words after an opportunity attack in which that begins."""


def is_reaction(ctx: Context, sentence: Sentence, use: ActionUse) -> bool:
    """Tell whether an action is an answer to another's deed (`when a creature misses her, the captain …`)."""
    if _is_another_moved(ctx, sentence, use) or _is_on_anothers_turn(ctx, sentence, use):
        return True
    words = sentence.words
    for first, after in ctx.phrases("event_opens").find(words):
        clause = _clause(ctx, words, after, use)
        deeds = tuple(ctx.word_list("deed_endings"))
        if not clause:
            continue
        if words[first].text in ctx.word_list("opens_a_deed") and not clause[0].text.endswith(deeds):
            continue  # `sin exponerse al ataque`
        if ";" in ctx.source[min(words[first].start, use.end) : max(use.start, clause[-1].end)]:
            continue
        rest = [w for w in words if w.start < words[first].start or w.start > clause[-1].end]
        if ctx.phrases("own_turn").any(rest):
            continue
        perceived = (*words[first:after], *clause[:2])
        if ctx.phrases("event_harm").any(clause) or ctx.phrases("event_perceived").any(perceived):
            return True
        if _is_struck(ctx, clause) or _is_failed(ctx, words[first:after], clause):
            return True
        strong = ctx.phrases("event_strong").any(words[first:after])
        if _is_foreign(ctx, clause, strong) and _has_other_subject(ctx, clause, rest, use):
            return True
    return False


def _is_struck(ctx: Context, clause: Sequence[Word]) -> bool:
    """Tell whether an event is a blow that lands (`when an arrow strikes the ward`)."""
    thrown = ctx.phrases("event_missiles").first(clause[:3])
    own = thrown is not None and any(w.text in ctx.word_list("event_own") for w in clause[: thrown[0]])
    return thrown is not None and not own and ctx.phrases("event_lands").any(clause[thrown[1] :])


def _is_failed(ctx: Context, opener: Sequence[Word], clause: Sequence[Word]) -> bool:
    """Tell whether an event is a player character's failed roll (`when the hero fails the save`).

    `If the target fails, the lion can bite it as a bonus action` is still the lion's own turn.
    """
    whenever = ctx.phrases("event_whenever").any(opener) and ctx.phrases("of_players").any(clause[:3])
    return whenever and ctx.phrases("event_fails").any(clause)


def _is_on_anothers_turn(ctx: Context, sentence: Sentence, use: ActionUse) -> bool:
    """Tell whether an action is taken on the turn of who does not take it (`on the ogre's turn`)."""
    before, after = sentence.before(use.start), sentence.after(use.end)
    named = bool(before) and (
        before[0].text in (*ctx.word_list("indefinite"), *ctx.word_list("subject_articles"))
        or before[0].text not in ctx.small_words
    )
    closes = ctx.phrases("turn_closes")
    for _, last in ctx.phrases("turn_opens").find(after) if named else ():
        ahead = after[last : last + _OWNER_WITHIN]
        end = closes.first(ahead) if ctx.word_list("turn_closes") else (1, 1)
        owner = ahead[: end[0]] if end else ()
        if owner and not {w.text for w in owner} & {w.text for w in before}:
            return True
    return False


def is_in_anothers_turn(ctx: Context, sentence: Sentence, use: ActionUse) -> bool:
    """Tell whether it is said before an action that the turn is another's (`on that thief's turn, as a …`).

    Whose turn opens the sentence may be who acts (`On that creature's turn, as a bonus action, it …`).
    """
    before = sentence.before(use.start)
    while before and before[-1].text in ctx.word_list("by_way_of"):
        before = before[:-1]
    for first, last in ctx.phrases("turn_of_that").find(before):
        owner = before[last : last + _OWNER_WITHIN + 1]
        closed = ctx.phrases("turn_closes").first(owner) if ctx.word_list("turn_closes") else (0, len(owner))
        ends = closed is not None and last + closed[1] == len(before)
        if first > 1 and ends and not ctx.phrases("own_turn").any(before[:first]):
            return True
    return False


def _is_foreign(ctx: Context, clause: Sequence[Word], strong: bool) -> bool:
    """Tell whether a clause tells what somebody, or something that sounds, does: no mere state."""
    other = ctx.phrases("event_others").first(clause[:4])
    acts = (other is not None and other[0] == 0) or _is_anybody(ctx, clause)
    if acts and ctx.phrases("event_verbs").any(clause):
        return True
    if ctx.phrases("event_states").any(clause[1:5]):
        return False
    first = clause[0]
    named = first.text in ctx.word_list("subject_articles") or ctx.source[first.start].isupper()
    return acts or ctx.phrases("event_alarms").any(clause) or (strong and named)


def _is_anybody(ctx: Context, clause: Sequence[Word]) -> bool:
    """Tell whether a clause begins with somebody who was not named before (`a thief`)."""
    article = clause[0].text in ctx.word_list("indefinite") and len(clause) > 1
    return article and not ctx.phrases("event_times").any(clause[1:3])


def _is_another_moved(ctx: Context, sentence: Sentence, use: ActionUse) -> bool:
    """Tell whether one's deed, or failed roll, has another act (`whoever fails lets the guard …`)."""
    words = sentence.before(use.start)
    moved = ctx.phrases("event_moves").first(words)
    if moved is None or ctx.phrases("own_turn").any(sentence.after(words[moved[0]].start)):
        return False
    subject, agent = words[: moved[0]], words[moved[1] :]
    deed = ctx.phrases("event_doer").first(subject[:5]) or ctx.phrases("failing").first(subject[:3])
    named = any(w.text in ctx.word_list("subject_articles") for w in agent[:3])
    capital = bool(agent) and ctx.source[agent[0].start].isupper()
    return deed is not None and (named or capital or ctx.phrases("event_by").any(agent))


def _clause(ctx: Context, words: Sequence[Word], after: int, use: ActionUse) -> Sequence[Word]:
    """Return the words of an event: to the next comma, the action, or the sentence's end."""
    clause: list[Word] = []
    for word in words[after : after + _EVENT]:
        if clause and "," in ctx.source[clause[-1].end : word.start]:
            break
        if use.start <= word.start < use.end:
            return ()
        clause.append(word)
    return clause


def _has_other_subject(ctx: Context, clause: Sequence[Word], rest: Sequence[Word], use: ActionUse) -> bool:
    """Tell whether somebody else acts than who is told of in an event."""
    main = [w for w in rest if clause[-1].end <= w.start < use.start]
    before, after = [w for w in rest if w.end <= use.start], [w for w in rest if w.start >= use.end]
    main = main or (before if any(w.text not in ctx.small_words for w in before) else after)
    if not main or ctx.phrases("of_players").any(main):
        return False
    texts = {w.text for w in clause}
    if main[0].text in ctx.word_list("subject_articles"):
        return (len(main) > 1 and main[1].text not in texts) or ctx.phrases("event_at_it").any(clause)
    named = ctx.source[main[0].start].isupper() and main[0].text not in ctx.small_words
    return (named and main[0].text not in texts) or ctx.phrases("event_at_it").any(clause)


def wrong_target(ctx: Context, sentence: Sentence, use: ActionUse) -> int | None:
    """Return where it is told that an opportunity attack is made at who comes near; None where it is not."""
    after = sentence.after(use.end)[:_TARGET_WITHIN]
    opens = ctx.phrases("target_opens").first(after[:_LINK_WITHIN])
    if opens is None or any(ctx.phrases(name).any(sentence.words) for name in ("going", "leaving_reach")):
        return None
    wrong = ctx.phrases("coming").first(after) or ctx.phrases("wrong_target").first(after)
    return after[wrong[1] - 1].end if wrong else None


def groundless(ctx: Context, sentence: Sentence, use: ActionUse) -> int | None:
    """Return where a deed begins that is no leaving, and gives an opportunity attack; None for none."""
    words = sentence.words
    if any(ctx.phrases(name).any(words) for name in ("leaving", "going", "leaving_reach", "movement")):
        return None
    before = sentence.before(use.start)
    if ctx.phrases("oa_altered").any(sentence.after(use.end)[:_TARGET_WITHIN]):
        return None  # `whoever makes one against you has disadvantage`: none is given
    given = list(ctx.phrases("oa_given").find(before[-_GIVEN_WITHIN:]))
    denied = ctx.phrases("oa_denied").any(before[-_GIVEN_WITHIN:])
    if given and not denied:
        offset = max(0, len(before) - _GIVEN_WITHIN)
        subject = before[: offset + given[0][0]]
        if subject and _is_deed(ctx, sentence, subject):
            return subject[0].start
    after = sentence.after(use.end)[:_TARGET_WITHIN]
    whom = ctx.phrases("oa_whom").first(after)
    told = whom is not None and len(after) > whom[1] and not ctx.phrases("oa_own").any(after)
    return use.start if told and not denied else None


def comes_into_reach(ctx: Context, words: Sequence[Word]) -> tuple[int, int] | None:
    """Return which words tell that somebody comes into a reach (`moving into the spearman's reach`)."""
    for first, last in ctx.phrases("goes_into").find(words):
        reach = ctx.phrases("reach_words").first(words[last : last + _REACH_WITHIN])
        if reach is not None:
            return first, last + reach[1]
    return None


def is_forced_out(ctx: Context, sentence: Sentence, use: ActionUse) -> int | None:
    """Return where it is told that somebody is moved out of a reach, and gives an attack; None where not.

    Who is shoved, or teleports, provokes none: it does not use its own movement.
    """
    before = sentence.before(use.start)
    given = ctx.phrases("oa_given").first(before[-_GIVEN_WITHIN:])
    if given is None or ctx.phrases("oa_denied").any(before):
        return None
    for first, last in ctx.phrases("is_forced").find(before):
        passive = first > 0 and before[first - 1].text in ctx.word_list("passives")
        away = ctx.phrases("out_of_reach").first(before[last : last + _REACH_WITHIN])
        ahead = before[last + away[1] : last + away[1] + _REACH_WITHIN] if away else ()
        if passive and ctx.phrases("reach_words").any(ahead):
            return before[first - 1].start
    return None


def _is_only_somebody(ctx: Context, sentence: Sentence, subject: Sequence[Word]) -> bool:
    """Tell whether it is only told who provokes an attack, not by what (`when a creature provokes one`)."""
    opened = ctx.phrases("event_opens").first(subject)
    whom = subject[opened[1] :] if opened and opened[0] == 0 else ()
    led = bool(whom) and (whom[0].text in (*ctx.word_list("indefinite"), *ctx.word_list("subject_articles")))
    return led and len(whom) == _SOMEBODY and subject[0] is sentence.words[0]


def _is_deed(ctx: Context, sentence: Sentence, subject: Sequence[Word]) -> bool:
    """Tell whether words before an attack tell of a deed: not of `this`, and of no plain creature."""
    if ctx.phrases("oa_same").any(subject[:2]):
        return False
    if _is_only_somebody(ctx, sentence, subject):
        return False
    clause = sentence.words[:3]
    does = any(w.text.endswith(ctx.word_list("deed_endings")) and len(w.text) > _STEM for w in subject[:4])
    return does or ctx.phrases("event_opens").any(clause) or ctx.phrases("oa_doer").any(subject)
