"""What sets off an action: whether it follows on what somebody else does, outside of one's own turn."""

from collections.abc import Sequence

from rules.checks.context import Context
from rules.checks.text import Sentence, Word
from rules.claims.model import ActionUse

_EVENT = 14
"""Words of a clause in which it is told what sets an action off."""
_TARGET_WITHIN = 12
"""Words after an opportunity attack in which it is told at whom it is made, and why."""
_LINK_WITHIN = 3
"""Words after an opportunity attack in which that begins."""


def is_reaction(ctx: Context, sentence: Sentence, use: ActionUse) -> bool:
    """Tell whether an action is an answer to another's deed (`when a creature misses her, the captain …`)."""
    words = sentence.words
    for first, after in ctx.phrases("event_opens").find(words):
        clause = _clause(ctx, words, after, use)
        if not clause or ";" in ctx.source[min(words[first].start, use.end) : max(use.start, clause[-1].end)]:
            continue
        rest = [w for w in words if w.start < words[first].start or w.start > clause[-1].end]
        if ctx.phrases("own_turn").any(rest):
            continue
        if ctx.phrases("event_harm").any(clause):
            return True
        other = ctx.phrases("event_others").first(clause[:4])
        acts = other is not None and other[0] == 0 and ctx.phrases("event_verbs").any(clause)
        if acts and _has_other_subject(ctx, clause, rest, use):
            return True
    return False


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
    main = [w for w in rest if clause[-1].end <= w.start < use.start] or [
        w for w in rest if w.end <= use.start
    ]
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
