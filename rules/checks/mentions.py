"""Where a text talks of words and rules instead of using them: glosses, questions with their answer.

`Where the draft had «cobertura parcial», the original says half cover` has no fault, and neither has
`May I use my bonus action on somebody else's turn? No.` Only findings ask, so texts without any cost nothing.
"""

import re
from bisect import bisect_right

from rules.checks.context import Context
from rules.checks.hit import Hit
from rules.checks.text import Sentence, sentences_of, words_of
from rules.claims.speech import is_inside
from rules.document import Passage

GROUPS = frozenset({"words", "mechanics"})
"""Groups of rules whose findings may be talk."""
_MOST_AROUND = 1200
"""Characters on each side of a finding in which its paragraph is looked for."""
_NAMED = re.compile(
    r"«[^«»\n\d]{1,80}»|“[^“”\n\d]{1,80}”|\"[^\"\n\d]{1,80}\"|(?<![*\w])\*[^*\n\d]{1,80}\*(?!\*)"
)
"""A term in quotation marks or italics; one in bold, or with a figure, is used."""
_OPENING = 6
"""Words of a sentence that tell that it denies the one before."""
_CLOSERS = ' \t\r\n"»”’)]*_'


def is_only_talk(ctx: Context, hit: Hit, group: str) -> bool:
    """Tell whether a finding's words are named, asked about or denied in the next sentence, not used.

    A question may use a wrong word all the same: it only states no mechanic.
    """
    if hit.part == "debate":
        return False
    paragraph = _paragraph(ctx, hit.start)
    sentences = sentences_of(paragraph)
    at = min(bisect_right(sentences, hit.start, key=lambda s: s.end), len(sentences) - 1)
    if at < 0:
        return False
    following = sentences[at + 1] if at + 1 < len(sentences) else None
    if group == "mechanics" and (_asks(ctx, sentences[at]) or _is_doubted(ctx, sentences[at], following)):
        return True
    return _is_named(ctx, paragraph, hit) or _is_denied_next(ctx, following)


def _paragraph(ctx: Context, offset: int) -> Passage:
    low, high = max(0, offset - _MOST_AROUND), min(len(ctx.source), offset + _MOST_AROUND)
    start = max(low, ctx.source.rfind("\n", low, offset) + 1)
    end = ctx.source.find("\n", offset, high)
    return Passage(ctx.source[start : high if end < 0 else end], start)


def _is_named(ctx: Context, paragraph: Passage, hit: Hit) -> bool:
    """Tell whether a term stands in quotation marks or emphasis where the text talks of words."""
    named = [m.span() for m in _NAMED.finditer(paragraph.text)]
    if not any(is_inside(named, at - paragraph.start) for at in (hit.start, hit.end - 1)):
        return False
    return ctx.phrases("about_words").any(words_of(paragraph))


def _asks(ctx: Context, sentence: Sentence) -> bool:
    return ctx.source[sentence.start : sentence.end].rstrip(_CLOSERS).endswith("?")


def _is_doubted(ctx: Context, sentence: Sentence, following: Sentence | None) -> bool:
    """Tell whether a sentence only passes on what is asked or denied next (`I have heard … Is that so?`)."""
    if following is None:
        return False
    if _asks(ctx, following) and ctx.phrases("is_it_so").any(following.words[:_OPENING]):
        return True
    opening = following.words[:_OPENING]
    return ctx.phrases("hearsay").any(sentence.words) and ctx.phrases("not_so").any(opening)


def _is_denied_next(ctx: Context, following: Sentence | None) -> bool:
    """Tell whether the next sentence says that there is no such thing."""
    if following is None:
        return False
    denies = ctx.phrases("none_of_those").any(following.words[:_OPENING])
    return denies or ctx.phrases("no_such_thing").any(following.words)
