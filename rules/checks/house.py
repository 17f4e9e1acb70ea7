"""House rules of a fight. Each rule runs only with a ruleset whose `combat` section says so."""

from collections.abc import Callable, Iterator, Sequence

from rules.checks.context import Context, Mark, Unit
from rules.checks.hit import Hit
from rules.checks.openings import has_cause, openings
from rules.checks.text import Sentence, Word, contains, fold
from rules.claims.model import Check, Condition, Save
from rules.combat import CombatRules

_BOOK = "house"
_DENIED_WITHIN = 5
"""Words before a statement in which it is denied."""
_DIES_WITHIN = 6
"""Words after `do not let` in which somebody is killed."""
_OBJECT_WITHIN = 9
"""Words after an attack in which its target is named."""
_SUBJECT_WITHIN = 9
"""Words before an attack in which the attacker is named."""


def combat_without_hostility(ctx: Context) -> Iterator[Hit]:
    """A fight begins by a theft, a threat, a scuffle or a failed roll: nobody has attacked."""
    if not ctx.ruleset.combat.opening.not_by:
        return
    for unit in ctx.units:
        for mark in openings(ctx, unit):
            previous = _previous(ctx, unit, mark.sentence)
            words = [*previous, *mark.sentence.words]
            caused = has_cause(ctx, mark.sentence.words) or ctx.phrases("tense_only").any(previous)
            fierce = ctx.phrases("hostile_kind").any(words)
            if caused and not fierce and not _was_hostile(ctx, mark, previous):
                yield _hit(ctx, unit, mark, "combat-without-hostility.message")


def _was_hostile(ctx: Context, mark: Mark, previous: Sequence[Word]) -> bool:
    """Tell whether somebody attacks before a fight begins; what follows from it is no reason for it."""
    before = mark.sentence.before(mark.start)
    after = mark.sentence.after(mark.end)
    turned = ctx.phrases("turns_to_fight").any(mark.sentence.words)  # its subject is the cause
    earlier = [w for w in (() if turned else previous) if not ctx.phrases("mere_damage").any([w])]
    if ctx.phrases("hostile_act").any([*earlier, *before]):
        return True
    return ctx.phrases("hostile_act").any(after) and ctx.phrases("subordinate").any(after)


def initiative_as_order(ctx: Context) -> Iterator[Hit]:
    """Initiative decides who acts when: here the answers do, and initiative only breaks ties."""
    for unit, mark in _marks(ctx, "initiative_order", lambda rules: rules.turns.order == "answers"):
        told = (*mark.sentence.words, *_next(ctx, unit, mark.sentence))
        if not ctx.phrases("tie_break").any(told):
            yield _hit(ctx, unit, mark, "initiative-as-order.message")


def idle_enemy(ctx: Context) -> Iterator[Hit]:
    """A hostile creature stands by in a fight without one of the grounds that the rules know."""
    for unit, mark in _marks(ctx, "idles", lambda rules: rules.hostiles.act_every_turn):
        before = _own_clause(ctx, mark.sentence.before(mark.start))
        around = _around(ctx, unit, mark.sentence)
        grounds = [*_previous(ctx, unit, mark.sentence), *mark.sentence.words]
        excused = ctx.phrases("idle_grounds").any(grounds) or _is_held_or_rolled(ctx, unit, mark.sentence)
        other = [w for w in around if not mark.start <= w.start < mark.end]
        fighting = ctx.phrases("fight").any(other) or ctx.phrases("fight_time").any(around)
        if _is_enemy(ctx, before) and fighting and not excused:
            yield _hit(ctx, unit, mark, "idle-enemy.message")


def _own_clause(ctx: Context, words: Sequence[Word]) -> Sequence[Word]:
    """Return the words after the last `while`: who does what before it is somebody else."""
    begun = [last for _, last in ctx.phrases("meanwhile").find(words)]
    return words[begun[-1] :] if begun else words


def _is_held_or_rolled(ctx: Context, unit: Unit, sentence: Sentence) -> bool:
    kinds = (Check, Save, Condition)
    return any(ctx.told_between(unit.passage, kind, sentence.start, sentence.end) for kind in kinds)


def essential_npc(ctx: Context) -> Iterator[Hit]:
    """Somebody cannot be killed because the plot needs them, and no plan B is told."""
    for unit, mark in _marks(ctx, "essential", lambda rules: not rules.rewards.essential):
        if not ctx.phrases("plan_b").any(_around(ctx, unit, mark.sentence)):
            yield _hit(ctx, unit, mark, "essential-npc.message")
    for unit, mark in _kept_alive(ctx):
        if not ctx.phrases("plan_b").any(_around(ctx, unit, mark.sentence)):
            yield _hit(ctx, unit, mark, "essential-npc.message")


def _kept_alive(ctx: Context) -> Iterator[tuple[Unit, Mark]]:
    """Give where somebody lives whatever is done, or must not be killed because they are needed later."""
    for unit, mark in _marks(ctx, "no_matter", lambda rules: not rules.rewards.essential):
        known = any(m.sentence == mark.sentence for m in ctx.marked(unit.passage, "essential", _BOOK))
        after = mark.sentence.after(mark.end)
        lives = ctx.phrases("lives_on").first(after)
        if lives and not ctx.phrases("of_players").any(after) and not known:
            yield unit, Mark(mark.start, after[lives[1] - 1].end, mark.sentence)
    for unit, mark in _marks(ctx, "keep_alive", lambda rules: not rules.rewards.essential):
        after = mark.sentence.after(mark.end)
        dies = ctx.phrases("is_killed").first(after[:_DIES_WITHIN])
        if dies and ctx.phrases("needed_later").any(after) and not _is_players(ctx, after, dies):
            yield unit, Mark(mark.start, after[dies[1] - 1].end, mark.sentence)


def _is_players(ctx: Context, words: Sequence[Word], dies: tuple[int, int]) -> bool:
    """Tell whether it is a player character who is killed, or dies."""
    victim = words[: dies[0]] if ctx.phrases("dies_alone").any(words[dies[0] : dies[1]]) else words[dies[1] :]
    return ctx.phrases("of_players").any(victim[:_DIES_WITHIN])


def window_repeated(ctx: Context) -> Iterator[Hit]:
    """A second decisive window opens with neither a success nor a turn between."""
    last: tuple[Unit, Mark] | None = None
    for unit, mark in _marks(ctx, "window", lambda rules: rules.windows is not None):
        repeated = next(iter(ctx.phrases("again").find(mark.sentence.words)), None)
        opened = ctx.phrases("opens").any(mark.sentence.words)
        follows = last is not None and last[0] is unit and last[1].sentence.start < mark.sentence.start
        told = _between(ctx, unit, last[1].sentence if last and follows else mark.sentence, mark.sentence)
        apart = ctx.phrases("between").any(told) or ctx.phrases("denies").any(mark.sentence.words)
        if (repeated or (follows and opened)) and not apart and not _rolled(ctx, unit, last, mark):
            yield _hit(ctx, unit, mark, "window-repeated.message")
        if opened:
            last = (unit, mark)


def _rolled(ctx: Context, unit: Unit, last: tuple[Unit, Mark] | None, mark: Mark) -> bool:
    start = last[1].end if last and last[0] is unit else mark.sentence.start
    return any(ctx.told_between(unit.passage, kind, start, mark.start) for kind in (Check, Save))


def _between(ctx: Context, unit: Unit, first: Sentence, last: Sentence) -> Sequence[Word]:
    """Return the words after one sentence up to the end of another; that one's own where both are one."""
    start = last.start if first is last else first.end
    return ctx.words_between(unit.passage, start, last.end)


def window_without_risk(ctx: Context) -> Iterator[Hit]:
    """A decisive window opens over something that threatens nobody."""
    for unit, mark in _marks(ctx, "window", lambda rules: bool(rules.windows and rules.windows.needs)):
        titled = ctx.source.startswith(":", mark.end)
        opened = titled or ctx.phrases("opens").any(mark.sentence.words)
        around = _around(ctx, unit, mark.sentence)
        calm = ctx.phrases("calm_matter").any([*mark.sentence.words, *_next(ctx, unit, mark.sentence)])
        if opened and calm and not ctx.phrases("risk").any(around):
            yield _hit(ctx, unit, mark, "window-without-risk.message")


def kills_the_downed(ctx: Context) -> Iterator[Hit]:
    """An enemy strikes a player character who is down."""
    for unit, mark in _marks(ctx, "finishes", lambda rules: not rules.hostiles.attack_the_downed):
        before = mark.sentence.before(mark.start)[-_SUBJECT_WITHIN:]
        after = mark.sentence.after(mark.end)[:_OBJECT_WITHIN]
        if _strikes_the_named(ctx, unit, mark, before, after) or _strikes_who_fell(ctx, unit, mark):
            yield _hit(ctx, unit, mark, "kills-the-downed.message")
    for unit, mark in _marks(ctx, "cuts_open", lambda rules: not rules.hostiles.attack_the_downed):
        after = mark.sentence.after(mark.end)[:_OBJECT_WITHIN]
        clause = max(mark.sentence.start, ctx.source.rfind(",", mark.sentence.start, mark.start))
        others = ctx.phrases("of_players").any(ctx.words_between(unit.passage, clause, mark.start))
        # `cuts the unconscious character's throat`, and not `cuts the ropes of the fallen hero`
        if not others and all(ctx.phrases(name).any(after) for name in ("throat", "downed", "of_players")):
            yield _hit(ctx, unit, mark, "kills-the-downed.message")


def _strikes_the_named(
    ctx: Context, unit: Unit, mark: Mark, before: Sequence[Word], after: Sequence[Word]
) -> bool:
    """Tell whether the blow's object is a player character, or anybody, who is said to be down."""
    if not ctx.phrases("downed").any(after) or ctx.phrases("of_players").any(before):
        return False
    anybody = ctx.phrases("anyone").any(after) or _is_final(ctx, unit, mark)
    return ctx.phrases("of_players").any(after) or (anybody and _is_enemy(ctx, before))


def _strikes_who_fell(ctx: Context, unit: Unit, mark: Mark) -> bool:
    """Tell whether who is struck fell in the clause before (`si un héroe cae, los guardias lo rematan`)."""
    start = mark.sentence.start
    comma = ctx.source.rfind(",", start, mark.start)
    if comma < 0 or not (_is_final(ctx, unit, mark) or _hits_the_same(ctx, mark)):
        return False
    clause = ctx.words_between(unit.passage, start, comma)
    fell = [first for first, _ in ctx.phrases("goes_down").find(clause)]
    victim = clause[: fell[-1]] if fell else ()
    named = ctx.phrases("of_players").any(victim) or ctx.phrases("anyone").any(victim)
    return named and _is_enemy(ctx, ctx.words_between(unit.passage, comma, mark.start))


def _hits_the_same(ctx: Context, mark: Mark) -> bool:
    """Tell whether a blow's object is who was just named (`le desgarra`, `bites them`), and nobody else."""
    before, after = mark.sentence.before(mark.start)[-1:], mark.sentence.after(mark.end)[:2]
    theirs = (*before, *after[:1])
    same = any(w.text in ctx.word_list("the_same") for w in theirs)
    return same and not ctx.phrases("another").any(after)


def _is_final(ctx: Context, unit: Unit, mark: Mark) -> bool:
    """Tell whether words speak of a blow that is only struck at who is down."""
    return ctx.phrases("final_blow").any(ctx.words_between(unit.passage, mark.start, mark.end))


def xp_without_hostility(ctx: Context) -> Iterator[Hit]:
    """Experience is given for somebody who was not hostile."""
    for unit, mark in _marks(ctx, "xp_words", lambda rules: not rules.rewards.xp_for_others):
        words = mark.sentence.words
        told = all(ctx.phrases(name).any(words) for name in ("kills", "harmless", "gives"))
        if told and not ctx.phrases("no_xp").any(words):
            yield _hit(ctx, unit, mark, "xp-without-hostility.message")


def _marks(ctx: Context, name: str, applies: Callable[[CombatRules], bool]) -> Iterator[tuple[Unit, Mark]]:
    """Give the phrases of a list that are not denied, where the ruleset has the rule."""
    if not applies(ctx.ruleset.combat):
        return
    for unit in ctx.units:
        for mark in ctx.marked(unit.passage, name, _BOOK):
            if not _is_denied(ctx, mark):
                yield unit, mark


def _is_denied(ctx: Context, mark: Mark) -> bool:
    """Tell whether it is said of a phrase, in its clause, that it is not so."""
    clause = max(ctx.source.rfind(end, mark.sentence.start, mark.start) for end in ",:;")
    words = [w for w in mark.sentence.words if clause < w.start and w.end <= mark.start]
    inside = [
        word
        for word in mark.sentence.around(mark.start, mark.end, 1)
        if not any(sign in ctx.source[mark.end : word.start] for sign in ",:;")
    ]
    return ctx.phrases("denies").any(words[-_DENIED_WITHIN:]) or ctx.phrases("nobody").any(inside)


def _is_enemy(ctx: Context, words: Sequence[Word]) -> bool:
    texts = [w.text for w in words]
    named = any(contains(fold(name).split(), texts) for name in ctx.facts.stat_blocks)
    return named or ctx.phrases("enemies").any(words)


def _previous(ctx: Context, unit: Unit, sentence: Sentence) -> Sequence[Word]:
    if sentence.start <= unit.passage.start:
        return ()
    return ctx.sentence_at(unit.passage, sentence.start - 1).words


def _next(ctx: Context, unit: Unit, sentence: Sentence) -> Sequence[Word]:
    if sentence.end >= unit.passage.end:
        return ()
    return ctx.sentence_at(unit.passage, sentence.end).words


def _around(ctx: Context, unit: Unit, sentence: Sentence) -> list[Word]:
    """Return the words of a sentence with those before and after it."""
    return [*_previous(ctx, unit, sentence), *sentence.words, *_next(ctx, unit, sentence)]


def _hit(ctx: Context, unit: Unit, mark: Mark, key: str) -> Hit:
    span = (mark.start, mark.end)
    source = ctx.cite(ctx.ruleset.combat.source)
    return ctx.clause_hit(unit.scene, unit.part, unit.passage, span, ctx.say(key), "", source)
