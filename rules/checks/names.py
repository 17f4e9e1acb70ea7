"""Prose against plan and adventure: the spelling of names."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress, count, islice
from operator import itemgetter
from typing import NamedTuple

from rules.checks import replacements
from rules.checks.context import Context, Pair, passages_of
from rules.checks.derived import is_derived
from rules.checks.hit import Hit, Replacement
from rules.checks.text import Word, flat, fold, words_of
from rules.document import Passage

_SHORTEST = 5
"""Letters that a single name must have to be told from its misspellings."""
_LONG = 8
_BEGINNING = 3
"""Letters by which one name is taken for another."""
_LEAST_SHORT = 3
"""Letters of a word in a name of several."""
_LEAST_TO_TELL = 3
"""Capitals of a name of which one may be another, and the name still be meant (`Coin of Nine Rivers`)."""
_LEAST_WITH_NUMBER = 2
_PAIR = 2
"""Words of a name of which one is right and the other is not."""
_MOST_SLIPS = 3
"""Letters by which a misspelt name differs."""
_LEAST_AROUND = 2
"""Words, the name's aside, by which a sentence of the prose is known as one of the plan."""
_MOST_PLACES = 24
"""Sentences of a plan with one name that are looked at: no real one has as many."""
_SHORT_FORM = 3
"""Capitals of which a term's short form consists at most (`CD`, `AC`, `TS`)."""
_GAPS = frozenset((" ", "  ", "-", "\u2010", "\u2011"))
_JOINTS = 2
"""Small words that may stand inside a name (`Corazón de la Noche`)."""
_MOST_KNOWN = 1000
"""Names of one word against which a word's spelling is held: no chapter has as many."""

_start_of: Callable[[Word], int] = itemgetter(1)
_text_of: Callable[[Word], str] = itemgetter(0)


class _Name(NamedTuple):
    """A name as it stands in a text."""

    start: int
    end: int
    words: Sequence[Word]
    opens: bool
    """It begins its sentence, where any word has a capital."""


def name_drift(ctx: Context) -> Iterator[Hit]:
    """A name of the plan or the outline is spelt otherwise in the prose."""
    if not ctx.pairs:
        return
    known = _Known(ctx)
    for pair in ctx.pairs:
        for name in _names_in(ctx, pair.prose):
            rest = _after_first_word(ctx, name)
            if rest is not None and known.is_right(rest):
                continue  # `Tonight the Paper Leviathan`
            right = known.right_for(name)
            if not right and rest is not None:
                name, right = rest, known.right_for(rest)
            right = (
                right or known.called_otherwise(ctx, pair, name) or known.headed_otherwise(ctx, pair, name)
            )
            if right and _is_somebody_else(ctx, pair, name, right):
                continue
            if right and (known.has_the_words_of(name) or not _are_two(ctx, pair, name, right)):
                told = flat(ctx.source[name.start : name.end])
                message = ctx.say("name-drift.message", told=told, name=right)
                # One letter off may be somebody else, unless the adventure has no such person.
                certain = len(name.words) > 1 or right in ctx.facts.names
                written = replacements.cased(ctx.source[name.start : name.end], right)
                exact = Replacement(name.start, name.end, written) if certain else None
                yield Hit(pair.scene, "prose", name.start, name.end, message, right, replacement=exact)


def _is_somebody_else(ctx: Context, pair: Pair, name: _Name, right: str) -> bool:
    """Tell whether a name with another first letter is of nobody that the scene's plan has.

    Nobody mistakes the first letter of a name who does not speak of its owner: where no adventure says who
    there is, `Kaelen` is not `Vaelen`, who is in another scene.
    """
    told = fold(ctx.source[name.start : name.end])
    if ctx.facts.names or len(name.words) > 1 or told[:1] == fold(right)[:1]:
        return False
    planned = (p for p in (*passages_of(pair.plan), pair.plan.title) if p)
    return not any(fold(right) in fold(p.text) for p in planned)


def _are_two(ctx: Context, pair: Pair, name: _Name, right: str) -> bool:
    """Tell whether a name that differs by a whole word stands beside the one it would be: they are two.

    One is meant where the word is made of the right one (`Balanza Nacarada`), and where the sentence is the
    one in which the plan has the right name.
    """
    from rapidfuzz.distance import OSA

    told = flat(ctx.source[name.start : name.end])
    if OSA.distance(told, right) <= _MOST_SLIPS or not _is_told(ctx, pair, right):
        return False
    own, other = ({w.text for w in words} for words in (name.words, words_of(Passage(right, 0))))
    changed = zip(own - other - ctx.small_words, other - own - ctx.small_words, strict=False)
    return not any(is_derived(*two, ctx.language) for two in changed) and not _is_its_place(
        ctx, pair, name, right
    )


def _is_its_place(ctx: Context, pair: Pair, name: _Name, right: str) -> bool:
    """Tell whether a name stands in the sentence in which the plan has another one, and that one does not."""
    sentence = ctx.sentence_at(pair.prose, name.start)
    if right in flat(ctx.source[sentence.start : sentence.end]):
        return False
    named = ctx.stems_of((*name.words, *words_of(Passage(right, 0))))
    around = ctx.stems(sentence) - named
    places = ctx.keep(
        "places of a name", f"{pair.plan.passage.start} {right}", lambda: _places_of(ctx, pair, right)
    )
    return any(len(around & stems) >= _LEAST_AROUND for stems in places)


def _places_of(ctx: Context, pair: Pair, right: str) -> Sequence[frozenset[str]]:
    """Return the stems of the sentences in which a plan has a name; the first ones of many."""
    sentences = (s for passage in passages_of(pair.plan) for s in ctx.sentences(passage))
    named = (s for s in sentences if right in flat(ctx.source[s.start : s.end]))
    return [ctx.stems(s) for s in islice(named, _MOST_PLACES)]


def _is_told(ctx: Context, pair: Pair, right: str) -> bool:
    prose = ctx.keep("flat prose", str(pair.prose.start), lambda: flat(pair.prose.text))
    return ctx.keep("told names", f"{pair.prose.start} {right}", lambda: right in prose)


def _after_first_word(ctx: Context, name: _Name) -> _Name | None:
    """Return a name without the word that only opens its sentence (`Hallar el Libro de Sal`)."""
    small = 1
    while small < len(name.words) and name.words[small].text in ctx.small_words:
        small += 1
    if not name.opens or small >= len(name.words):
        return None
    return _Name(name.words[small].start, name.end, name.words[small:], False)


def _names_in(ctx: Context, passage: Passage) -> Iterator[_Name]:
    """Give the runs of capitalised words of a passage, small words inside them included."""
    for sentence in ctx.sentences(passage):
        words = sentence.words
        after = 0
        for index in _capitals(ctx.source, words):
            end = _run_end(ctx, words, index) if index >= after else index
            if end > index:
                after = end
                run = words[index:end]
                skip = _leading_small_words(ctx, run)
                yield _Name(run[skip].start, run[len(run) - 1].end, run[skip:], index == 0 and not skip)


def _capitals(source: str, words: Sequence[Word]) -> Iterator[int]:
    """Give the indexes of the words that begin with a capital."""
    return compress(count(), map(str.isupper, map(source.__getitem__, map(_start_of, words))))


def _leading_small_words(ctx: Context, run: Sequence[Word]) -> int:
    """Return how many words before a name are none of it (`Cuando la Guardia`, `At the Docks`)."""
    small = 0
    while small < len(run) - 1 and run[small].text in ctx.small_words:
        small += 1
    return small


def _run_end(ctx: Context, words: Sequence[Word], index: int) -> int:
    """Return the index after the run of capitalised words that starts there; the same index for none."""
    end, at, joints = index, index, 0
    while at < len(words) and (at == index or _adjoins(ctx.source, words[at - 1], words[at])):
        if _is_short_form(ctx.source, words[at]):
            break  # `Atletismo CD`: a term's short form is no part of a name
        if ctx.source[words[at].start].isupper():
            end, joints = at + 1, 0
        elif end > index and joints < _JOINTS and words[at].text in ctx.small_words:
            joints += 1
        else:
            break
        at += 1
    return end


def _is_short_form(source: str, word: Word) -> bool:
    return 1 < word[2] - word[1] <= _SHORT_FORM and source[word[1] : word[2]].isupper()


def _adjoins(source: str, one: Word, other: Word) -> bool:
    """Tell whether two words may be of one name: spaces between them, or a hyphen (`Bog-Oak Oar`)."""
    return source[one.end : other.start] in _GAPS


class _Known:
    """The names that a chapter may use, by what they have in common with their misspellings."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        stated = [words_of(Passage(n, 0)) for n in (*ctx.facts.names, *ctx.facts.items)]
        self._by_key: dict[frozenset[str], dict[str, str]] = {}
        self._exact: dict[frozenset[str], dict[tuple[str, ...], str]] = {}
        self._plain: set[str] = set()
        self._single: dict[str, str] = {}
        self._known_near: dict[str, str] = {}
        self._by_rest: dict[tuple[str, ...], list[tuple[str, str]]] = {}
        for text, words in zip((*ctx.facts.names, *ctx.facts.items), stated, strict=True):
            self._learn(text, words, text)
            if len(words) >= _PAIR:
                rest = tuple(map(_text_of, words[1:]))
                self._by_rest.setdefault(rest, []).append((words[0].text, flat(text)))
        fixed = set(self._by_key)
        for passage in _reference_texts(ctx):
            self._plain.update(map(_text_of, ctx.words(passage)))
            for name in _names_in(ctx, passage):
                rest = _after_first_word(ctx, name)
                for one in (name,) if rest is None else (name, rest):
                    if self._key(one.words) not in fixed:
                        text = ctx.source[one.start : one.end]
                        self._learn(text, one.words, "" if name.opens else passage.text)
        self._everyday = _lower_words(ctx)

    def _key(self, words: Iterable[Word]) -> frozenset[str]:
        return frozenset(w.text.removesuffix("s") for w in words if w.text not in self._ctx.small_words)

    def _learn(self, text: str, words: Sequence[Word], certain: str) -> None:
        key = self._key(words)
        if len(key) > 1:
            self._by_key.setdefault(key, {})[_surface(words)] = flat(text)
            self._exact.setdefault(key, {})[tuple(map(_text_of, words))] = flat(text)
        for word in words:
            self._plain.add(word.text)
            if certain and len(word.text) >= _SHORTEST and word.text not in self._ctx.small_words:
                piece = flat(text) if len(words) == 1 else ""
                self._single[word.text] = self._single.get(word.text) or piece

    def called_otherwise(self, ctx: Context, pair: Pair, name: _Name) -> str:
        """Return the name of two words whose second one stands nowhere in a prose, and another in its place.

        Only where the scene's plan has that name, alone with its first word (`Countess Idalia` for the only
        countess), and no text of the chapter has the other word.
        """
        capitals = [w for w in name.words if ctx.source[w.start].isupper()]
        if len(capitals) != _PAIR or name.opens or ctx.source[name.words[0].start].islower():
            return ""
        first, last = capitals
        if last.text in self._plain or len(last.text) < _SHORTEST or last.text in self._everyday:
            return ""
        told = ctx.keep("stems told", str(pair.prose.start), lambda: {w.text for w in ctx.words(pair.prose)})
        planned = ctx.keep(
            "words planned",
            str(pair.plan.passage.start),
            lambda: {w.text for p in passages_of(pair.plan) for w in ctx.words(p)},
        )
        alike = [
            (key, spelt)
            for key, spelt in islice(self._by_key.items(), _MOST_KNOWN)
            if len(key) == _PAIR and first.text.removesuffix("s") in key
        ]
        if len(alike) != 1:
            return ""
        (key, spelt) = alike[0]
        other = next(iter(key - {first.text.removesuffix("s")}), "")
        gone = other in planned and other not in told and first.text in planned
        return next(iter(spelt.values())) if gone else ""

    def headed_otherwise(self, ctx: Context, pair: Pair, name: _Name) -> str:
        """Return the designer's name that a prose has with another first word (`Book of Voices`), only so.

        The scene's plan has that name, its prose nowhere, and the sentence is the one in which the plan has
        it.
        """
        if len(name.words) < _PAIR or name.opens or not ctx.source[name.words[0].start].isupper():
            return ""
        first, *rest = map(_text_of, name.words)
        right = next((text for head, text in self._by_rest.get(tuple(rest), ()) if head != first), "")
        if not right or _is_told(ctx, pair, right) or not _is_its_place(ctx, pair, name, right):
            return ""
        told = flat(ctx.source[name.start : name.end])
        texts = ctx.keep("flat references", "", lambda: [flat(p.text) for p in _reference_texts(ctx)])
        return "" if any(told in text for text in texts) else right

    def has_the_words_of(self, name: _Name) -> bool:
        """Tell whether a known name has the same words, small ones and their number aside."""
        return self._key(name.words) in self._by_key

    def is_right(self, name: _Name) -> bool:
        """Tell whether a name of several words is one of those known, as it is written."""
        return tuple(map(_text_of, name.words)) in self._exact.get(self._key(name.words), {})

    def right_for(self, name: _Name) -> str:
        """Return the right spelling of a misspelt name; empty where it is right or unknown."""
        spelt = self._by_key.get(self._key(name.words))
        if spelt is not None:
            return self._other_number(name) if _surface(name.words) in spelt else next(iter(spelt.values()))
        if len(name.words) > 1:
            return self._near_several(name)
        return "" if name.opens else self._near(name.words[0].text)

    def _other_number(self, name: _Name) -> str:
        """Return the name of which a later word stands in the other number (`Lantern of Whisper`).

        Where the first word does, too, several are meant, or one of them (`las Guardias de Honor`); as where
        the last word of a name without small words is the plural of a known one (`two Drone Sentinels`).
        """
        own = tuple(map(_text_of, name.words))
        known = self._exact.get(self._key(name.words), {})
        if own in known or len(name.words) < _LEAST_WITH_NUMBER:
            return ""
        if (*own[:-1], own[-1].removesuffix("s")) in known and self._ctx.small_words.isdisjoint(own):
            return ""
        return next((text for words, text in known.items() if words[0] == own[0]), "")

    def _near_several(self, name: _Name) -> str:
        """Return the name of several words of which one is misspelt; empty for none, or for two."""
        words = self._key(name.words)
        capitals = sum(self._ctx.source[w.start].isupper() for w in name.words)
        unknown = [w for w in words if w not in self._plain and w + "s" not in self._plain]
        if len(unknown) != 1 or len(words) < 2:
            return ""
        rest = words - {unknown[0]}
        found = {
            text
            for key, spelt in islice(self._by_key.items(), _MOST_KNOWN)
            if rest < key
            and len(key) == len(words)
            and self._is_another(unknown[0], next(iter(key - rest)), capitals)
            for text in spelt.values()
        }
        return found.pop() if len(found) == 1 else ""

    def _is_another(self, word: str, right: str, capitals: int) -> bool:
        """Tell whether a name's word stands where another should: misspelt, made of it, one of three."""
        if capitals >= _LEAST_TO_TELL or _is_slip(word, right) or _is_short_slip(word, right):
            return True
        if _is_taken_for(word, right):
            return True
        return is_derived(word, right, self._ctx.language)

    def _near(self, word: str) -> str:
        """Return the name that a word is nearly; looked for once a word."""
        known = self._known_near.get(word)
        if known is None:
            known = self._known_near[word] = self._nearest(word)
        return known

    def _nearest(self, word: str) -> str:
        if len(word) < _SHORTEST or word in self._plain or word in self._everyday:
            return ""
        from rapidfuzz.distance import OSA

        most = 2 if len(word) >= _LONG else 1
        for known, text in islice(self._single.items(), _MOST_KNOWN):
            alike = text and abs(len(known) - len(word)) <= most and not _inflected(known, word)
            if alike and OSA.distance(known, word, score_cutoff=most) <= most:
                return text
        return ""


def _is_short_slip(word: str, right: str) -> bool:
    """Tell whether a short word is one letter off in a name whose rest is right (`Warden Pelle`)."""
    if word[:1] != right[:1] and len(word) != len(right):
        return False
    if min(len(word), len(right)) < _LEAST_SHORT or _inflected(word, right):
        return False
    from rapidfuzz.distance import OSA

    return OSA.distance(word, right) == 1


def _is_slip(word: str, right: str) -> bool:
    """Tell whether a word is another one misspelt, and not the same in another form."""
    if min(len(word), len(right)) < _SHORTEST or _inflected(word, right):
        return False
    from rapidfuzz.distance import OSA

    return OSA.distance(word, right) <= (2 if len(right) >= _SHORTEST + 2 else 1)


def _is_taken_for(word: str, right: str) -> bool:
    """Tell whether a name that begins like another was taken for it (`Abbess Leonida` for `Leocadia`)."""
    from rapidfuzz.distance import OSA

    alike = word[:_BEGINNING] == right[:_BEGINNING] and not _inflected(word, right)
    return alike and min(len(word), len(right)) >= _LONG - 1 and OSA.distance(word, right) <= _MOST_SLIPS


def _surface(words: Sequence[Word]) -> str:
    return " ".join(w.text.removesuffix("s") for w in words)


def _inflected(one: str, other: str) -> bool:
    """Tell whether two words may be one word in two forms (plural, gender)."""
    short, long = sorted((one, other), key=len)
    return long in (short + "s", short + "es", short + "a") or (short[:-1] == long[:-1] and long[-1] in "aoe")


def _reference_texts(ctx: Context) -> Iterator[Passage]:
    document = ctx.document
    yield from (f.text for f in document.header)
    if document.title:
        yield document.title
    for scene in ctx.plan_scenes:
        yield scene.title
        yield from passages_of(scene)
        yield from (o.label for o in scene.outcomes)


def _lower_words(ctx: Context) -> frozenset[str]:
    found: set[str] = set()
    for unit in ctx.prose_units:
        words = ctx.words(unit.passage)
        small = map(str.islower, map(ctx.source.__getitem__, map(_start_of, words)))
        found.update(compress(map(_text_of, words), small))
    return frozenset(found)
