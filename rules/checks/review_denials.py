"""What a reviewer denies of a plan, read as grammar: a denial, the thing denied, and of whom it is said.

A clause denies a thing in one of five ways: by a word that lacks (`falta`, `omits`), by a particle with a
verb of giving (`nadie pide`, `never states`), by a determiner (`ninguna CD`, `no DC`), by a question (`where
is the DC?`) or by a demand (`add the DC`). Two of them in one clause undo each other. The rest of the clause
says which one is meant: it must be what the plan says of that thing.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from rules.checks import lexicon
from rules.checks.completeness import left_out, missing_fields
from rules.checks.context import Context
from rules.checks.text import Marks, Word, stem, words_of
from rules.claims.model import (
    ArmorClass,
    BareDC,
    Check,
    Claim,
    Condition,
    Cover,
    Damage,
    Distance,
    Duration,
    HitPoints,
    Roll,
    Save,
)
from rules.document import FieldKey, Passage, PlanScene
from rules.wording import LANGUAGES, texts

Spans = Mapping[str, Sequence[tuple[int, int]]]

_VERB_WITHIN = 4
"""Words after a particle in which the verb stands that it denies."""
_UNDONE_WITHIN = 4
"""Words before a word that lacks, in which it is denied."""
_NONE_WITHIN = 3
"""Words between a determiner and its thing."""
_DEMANDED_WITHIN = 5
"""Words between a demand and what is demanded."""
_OPENING = 3
"""Words at a clause's beginning in which a demand stands."""
_SHORT_NAME = 4
"""Letters of a name's part by which somebody is called."""
_LOCATED_WITHIN = 3
"""Words before a place in which a word says that something is there."""
_LONGEST_NAME = 5
"""Words of the longest name."""
_LOOKED_UP = ("fillers", "one", "asking", "joints", "locating", "kinds", "partitive", "whence")
"""Lists of single words that are looked up and not found as phrases."""
_BREAKS = frozenset(",;:.()—")
_FIELDS: dict[str, FieldKey] = {
    "state": "state_change",
    "action": "player_action",
    "place": "place",
    "present": "present",
    "situation": "situation",
}
_KINDS: dict[str, tuple[type[Claim], ...]] = {
    "dc": (Check, Save, BareDC),
    "numbers": (Check, Save, BareDC, ArmorClass),
    "check": (Check,),
    "roll": (Check, Save),
    "save": (Save,),
    "damage": (Damage,),
    "ac": (ArmorClass,),
    "hp": (HitPoints,),
    "cover": (Cover,),
    "distance": (Distance,),
    "height": (Distance,),
    "area": (Distance,),
    "duration": (Duration,),
    "escape": (Check, BareDC),
    "exit": (Check, BareDC),
}
_DEGREES = ("critical", "partial", "failure", "success")
_HOLDING = ("escape", "exit")
_HELD_WITHIN = 240
"""Characters after a condition in which the roll stands that ends it."""
_OF_SOMETHING = ("exit",)
"""Things of which a denial must say of what: one gets out of a condition and out of a mill."""
_WEAK = ("place", "success", "failure", "attack")
"""Things that are mostly words of the sentence: where another thing is denied, they only say which one."""


class Clause(NamedTuple):
    """The words of a clause and what stands in them, as ranges of their indexes by the list's name."""

    words: tuple[Word, ...]
    found: Spans
    text: str


@cache
def word_list(table: str, name: str) -> frozenset[str]:
    """Return a list of words of all languages together: debates mix them."""
    return frozenset(w for lang in LANGUAGES for w in texts(lang, "reviews")[table][name])


@cache
def marks() -> Marks:
    """Return all that a reviewer's words are read by, ready to be found in one pass."""
    lists: dict[str, list[str]] = {}
    for language in LANGUAGES:
        for table, prefix in (
            ("things", "thing_"),
            ("words", ""),
            ("counted", "counted_"),
            ("ordinals", "scene_"),
        ):
            for name, phrases in texts(language, "reviews")[table].items():
                if name not in _LOOKED_UP:
                    lists.setdefault(prefix + name, []).extend(phrases)
    return Marks(lists)


@cache
def _fillers() -> frozenset[str]:
    return frozenset(w for w in word_list("words", "fillers") if not w.endswith("*"))


@cache
def _kin() -> Mapping[str, str]:
    return {w: name for lang in LANGUAGES for name, ws in texts(lang, "reviews")["kin"].items() for w in ws}


def matter(word: Word) -> str:
    """Return what a word has in common with others of its matter: its kin, else its stem."""
    return _kin().get(word.text) or stem(word.text)


def clauses(source: str, words: Sequence[Word], found: Spans | None = None) -> Iterator[Clause]:
    """Cut a sentence into its clauses, at marks and at words that open another one.

    `found` is what stands in the sentence, where that is known.
    """
    known = marks().find(words) if found is None else found
    cuts = _cuts(source, words, {i for i, _ in known.get("splits", ())})
    inside = _shared_out(known, cuts)
    for (first, after), own in zip(pairwise((0, *cuts)), inside, strict=True):
        part = tuple(words[first:after])
        yield Clause(part, own, source[part[0].start : part[-1].end])


def _cuts(source: str, words: Sequence[Word], openers: Set[int]) -> list[int]:
    """Return the indexes after the last words of a sentence's clauses."""
    cuts = [
        index
        for index in range(1, len(words))
        if index in openers or _is_broken(source[words[index - 1][2] : words[index][1]])
    ]
    return [*cuts, len(words)] if words else []


def _shared_out(found: Spans, cuts: Sequence[int]) -> list[dict[str, list[tuple[int, int]]]]:
    """Return what stands within each clause, counted from its first word."""
    inside: list[dict[str, list[tuple[int, int]]]] = [{} for _ in cuts]
    for name, spans in found.items():
        for start, end in spans:
            at = bisect_right(cuts, start)
            if end <= cuts[at]:
                first = cuts[at - 1] if at else 0
                inside[at].setdefault(name, []).append((start - first, end - first))
    return inside


def _is_broken(gap: str) -> bool:
    """Tell whether a clause ends in the gap between two words; the dot of `Scene 2.1` ends none."""
    return gap not in (" ", ".") and not _BREAKS.isdisjoint(gap)


def denial(clause: Clause) -> str:
    """Return how a clause denies: `lacks`, `gives`, `none`, `asks`, `adds`; empty where it denies nothing."""
    found = clause.found
    if any(first <= 1 for first, _ in found.get("identity", ())):
        return ""
    lacking = found.get("lacking", ())
    particles = found.get("particles", ())
    inside = {i for first, last in lacking for i in range(first, last)}
    free = [p for p in particles if p[0] not in inside]
    if lacking:
        undone = len(lacking) > 1 and not _adjoin(lacking)
        undone = undone or any(first - _UNDONE_WITHIN <= p[0] < last for first, last in lacking for p in free)
        return "" if undone else "lacks"
    verbs = [first for first, _ in found.get("gives", ())]
    ends = {last for _, last in found.get("gives", ())}
    if any(0 < v - p[0] <= _VERB_WITHIN for p in free for v in verbs) or any(p[0] in ends for p in free):
        return "gives"
    if found.get("none"):
        return "none"
    if found.get("asks") and not free and found["asks"][0][0] <= 1:
        return "asks"
    demand = found.get("adds", ())
    return "adds" if demand and not free and demand[0][0] < _OPENING else ""


def _adjoin(spans: Sequence[tuple[int, int]]) -> bool:
    """Tell whether words that lack stand together: apart they undo each other."""
    return all(b[0] - a[1] <= 1 for a, b in pairwise(spans))


def things(clause: Clause, how: str) -> list[tuple[str, int, int]]:
    """Return the things that a clause denies in a way, each with its range; longer words win over shorter."""
    spans = sorted(
        (
            (name.removeprefix("thing_"), first, last)
            for name, at in clause.found.items()
            for first, last in at
            if name.startswith("thing_")
        ),
        key=lambda t: (t[1], t[1] - t[2]),
    )
    kept: list[tuple[str, int, int]] = []
    for name, first, last in spans:
        if not kept or first >= kept[-1][2]:
            kept.append((name, first, last))
    kept = [t for t in kept if not any(w.text.isdecimal() for w in clause.words[t[2] : t[2] + 1])]
    strong = [t for t in kept if t[0] not in _WEAK]
    kept = strong or kept
    if how == "none":
        ends = [last for _, last in clause.found["none"]]
        kept = [t for t in kept if any(0 <= t[1] - end <= _NONE_WITHIN for end in ends)] or [
            t for t in kept if any(first <= t[1] < last for first, last in clause.found["none"])
        ]
    if how in ("asks", "adds"):
        at = clause.found[how][0][1]
        kept = [t for t in kept if 0 <= t[1] - at <= _DEMANDED_WITHIN]
    return kept


def rest_of(ctx: Context, scene: PlanScene, clause: Clause, named: Sequence[tuple[int, int]]) -> list[Word]:
    """Return the words of a clause that say which thing is meant: no denial, no verb, no small words."""
    spent = {i for first, last in named for i in range(first, last)}
    for name in ("splits", "lacking", "particles", "none", "gives", "asks", "adds"):
        spent |= {i for first, last in clause.found.get(name, ()) for i in range(first, last)}
    for name, at in clause.found.items():
        spent |= {i for first, last in at for i in range(first, last) if name.startswith("scene_")}
    fillers, where = _fillers(), _whereabouts(ctx, scene)
    left = [
        (i, w)
        for i, w in enumerate(clause.words)
        if i not in spent and w.text not in fillers and not w.text.isdigit()
    ]
    left = _before_next(clause, left, max((last for _, last in named), default=len(clause.words)))
    elsewhere = [(i, w) for i, w in left if not _is_where(clause, i, where)]
    # words of the scene's place say only where, once something else says what
    plain = [w for _, w in elsewhere if matter(w) not in where]
    return plain or [w for _, w in elsewhere]


def _before_next(clause: Clause, left: list[tuple[int, Word]], after: int) -> list[tuple[int, Word]]:
    """Return the words that stand before what a conjunction adds to the thing (`and the bell is loud`)."""
    for index in range(after + 1, len(clause.words)):
        kept = [(i, w) for i, w in left if i < index]
        if clause.words[index].text in word_list("words", "joints") and any(i >= after for i, _ in kept):
            return kept
    return left


def _is_where(clause: Clause, index: int, where: frozenset[str]) -> bool:
    """Tell whether a word only says in which scene (`en la balsa`)."""
    before = {w.text for w in clause.words[max(0, index - _LOCATED_WITHIN) : index]}
    return matter(clause.words[index]) in where and not before.isdisjoint(word_list("words", "locating"))


def is_located(ctx: Context, scene: PlanScene, words: tuple[Word, ...]) -> bool:
    """Tell whether words say that they speak of a scene by its title or its place (`en la garita`)."""
    clause, where = Clause(words, {}, ""), _whereabouts(ctx, scene)
    return any(w.text not in _fillers() and _is_where(clause, i, where) for i, w in enumerate(words))


def _whereabouts(ctx: Context, scene: PlanScene) -> frozenset[str]:
    def make() -> frozenset[str]:
        place = scene.field("place")
        words = [*words_of(scene.title), *(ctx.words(place.text) if place else ())]
        return frozenset(map(matter, words))

    return ctx.keep("whereabouts", str(scene.passage.start), make)


def given(ctx: Context, scene: PlanScene, thing: str, rest: Sequence[Word], at: int) -> list[str]:
    """Return what a plan gives of a thing of which the rest of the clause speaks; empty where it does not.

    `at` is the offset of the thing's word: what stands before it must be the plan's, and what follows first.
    """
    if thing in _DEGREES:
        names = ("critical_success", "critical_failure") if thing == "critical" else (thing,)
        labels = [
            o.label.text
            for o in scene.outcomes
            if any(lexicon.phrases_any(f"degree_{n}").any(words_of(o.label)) for n in names)
        ]
        return labels if not rest else []
    if thing == "outcomes":
        return [o.label.text for o in scene.outcomes] if len(scene.outcomes) > 1 and not rest else []
    if thing in _FIELDS:
        field = scene.field(_FIELDS[thing])
        whole = field and _FIELDS[thing] not in missing_fields(scene) and not left_out(field.text.text)
        return [_shortened(field.text.text)] if field and whole and not rest else []
    if thing in _HOLDING:
        rest = [w for w in rest if w.text not in word_list("words", "whence")]
    if thing in _OF_SOMETHING and not rest:
        return []
    wanted = {matter(w) for w in rest}
    if thing == "dc" and len(rest) == 1 and _is_the_danger(ctx, scene, rest[0]):
        wanted.clear()
    return [
        " ".join(c.quote.split())
        for c in _claims(ctx, scene, thing)
        if not wanted or _is_meant(rest, _told_with(ctx, scene, c), at)
    ]


def _is_the_danger(ctx: Context, scene: PlanScene, word: Word) -> bool:
    """Tell whether a plain thing of a scene is what its one saving throw is made against (`the song`).

    Its sentence need not be that of the saving throw, but it states no other figures.
    """
    saves = ctx.plan_claims(scene, Save)
    if len(saves) != 1 or any(word.text in name for name in names_of(ctx, scene)):
        return False
    told = [
        s
        for f in scene.fields
        for s in ctx.sentences(f.text)
        if any(matter(w) == matter(word) for w in s.words)
    ]
    figured = {c.start for kind in (ArmorClass, HitPoints, Check) for c in ctx.plan_claims(scene, kind)}
    return bool(told) and not any(s.start <= at < s.end for s in told for at in figured)


def _is_meant(rest: Sequence[Word], told: set[str], at: int) -> bool:
    """Tell whether a clause speaks of that of which a plan's sentence speaks."""
    before = [matter(w) in told for w in rest if w.start < at]
    after = [matter(w) in told for w in rest if w.start >= at]
    return all(before) and (not after or after[0]) and 2 * sum(after) >= len(after)


def _told_with(ctx: Context, scene: PlanScene, claim: Claim) -> set[str]:
    """Return the matter of the sentence in which a plan makes a claim, its outcome's label with it."""
    label = next((o.label for o in scene.outcomes if o.text.start <= claim.start < o.text.end), None)
    words = (*ctx.plan_sentence(scene, claim.start).words, *(words_of(label) if label else ()))
    told = {matter(w) for w in words}
    held = _held_together(ctx, scene)
    return told.union(*(held[one] for one in told if one in held))


def _held_together(ctx: Context, scene: PlanScene) -> Mapping[str, set[str]]:
    """Return the matter of the things in a plan's situation, by the thing (`a cauldron of wax`)."""

    def make() -> dict[str, set[str]]:
        field = scene.field("situation")
        words = ctx.words(field.text) if field else ()
        joined = word_list("words", "partitive")
        found: dict[str, set[str]] = {}
        for one, small, other in zip(words, words[1:], words[2:], strict=False):
            if small.text in joined and other.text not in _fillers():
                found.setdefault(matter(one), set()).add(matter(other))
        return found

    return ctx.keep("held together", str(scene.passage.start), make)


def _claims(ctx: Context, scene: PlanScene, thing: str) -> list[Claim]:
    claims: list[Claim] = [c for kind in _KINDS.get(thing, ()) for c in ctx.plan_claims(scene, kind)]
    if thing in ("dc", "numbers", *_HOLDING):
        claims = [c for c in claims if isinstance(c, ArmorClass) or getattr(c, "dc", None) is not None]
    if thing in _HOLDING:
        held = [c.start for c in ctx.plan_claims(scene, Condition) if c.condition.id and not c.negated]
        claims = [c for c in claims if any(0 < c.start - at < _HELD_WITHIN for at in held)]
    if thing in ("damage",):
        claims = [c for c in claims if isinstance(c, Damage) and (c.dice or c.amount)]
        claims += [c for c in ctx.plan_claims(scene, Roll) if claims]
    if thing == "area":
        claims = [c for c in claims if isinstance(c, Distance) and c.shape != "distance"]
    if thing == "height":
        claims = [c for c in claims if "heights" in marks().find(ctx.plan_sentence(scene, c.start).words)]
    if thing == "duration":
        claims = [c for c in claims if isinstance(c, Duration)]
    return claims


def _shortened(text: str, limit: int = 120) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rsplit(" ", 1)[0] + "…"


def names_of(ctx: Context, scene: PlanScene) -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Return those who are in a planned scene, by their name and by each part that nobody else has."""
    return ctx.keep("names in scene", str(scene.passage.start), lambda: _names_of(ctx, scene))


def _names_of(ctx: Context, scene: PlanScene) -> Mapping[tuple[str, ...], tuple[str, ...]]:
    every = {tuple(w.text for w in words_of(Passage(n, 0))) for n in (*ctx.facts.names, *ctx.facts.items)}
    present = scene.field("present")
    if present:
        every |= {tuple(w.text for w in run) for run in _runs(ctx, ctx.words(present.text))}
    told = tuple(w.text for f in scene.fields for w in ctx.words(f.text))
    text = " " + " ".join(told) + " "
    here = {n for n in every if n and f" {' '.join(n)} " in text}
    counts: dict[str, int] = {}
    for name in every:
        for part in set(name):
            counts[part] = counts.get(part, 0) + 1
    parts = {
        (part,): name
        for name in here
        for part in name
        if counts[part] == 1 and len(part) >= _SHORT_NAME and part not in _fillers()
    }
    return parts | {name: name for name in here}


def _runs(ctx: Context, words: Sequence[Word]) -> Iterator[list[Word]]:
    """Give the names in a list of those present: runs of words with a capital, `de` and `of` between them."""
    run: list[Word] = []
    for word in words:
        capital = ctx.source[word.start].isupper()
        apart = run and any(m in ctx.source[run[-1].end : word.start] for m in ",;.:\n")
        if apart or (not capital and (not run or word.text in word_list("words", "joints"))):
            if run:
                yield run
            run = [word] if capital else []
        elif capital or run:
            run.append(word)
    if run:
        yield run


def named_in(ctx: Context, scene: PlanScene, clause: Clause) -> list[tuple[int, int]]:
    """Return the ranges of a clause's words that name somebody or something of a scene, the longest names."""
    names = names_of(ctx, scene)
    found: list[tuple[int, int]] = []
    index = 0
    while index < len(clause.words):
        texts_from = [w.text for w in clause.words[index : index + _LONGEST_NAME]]
        lengths = [n for n in range(len(texts_from), 0, -1) if tuple(texts_from[:n]) in names]
        if lengths:
            found.append((index, index + lengths[0]))
        index += lengths[0] if lengths else 1
    return found
