"""From what a model sent to content: reasoning is taken out."""

import re

_TAG = re.compile(r"<(/?)(think|thinking|thought|reasoning|reflection)\b[^<>]{0,80}>", re.IGNORECASE)


def strip_reasoning(text: str) -> str:
    """Return a reply without its reasoning.

    Removes `<think>…</think>` and its kin, nested ones too. A closing tag without an opening one ends
    reasoning that began before the reply. An opening tag that is never closed takes all that
    follows where nothing stands before it; elsewhere only the tag goes: a story may hold such a word.
    """
    if not _TAG.search(text):
        return text
    return _outside(text).lstrip("\n")


def _outside(text: str) -> str:
    kept: list[str] = []
    depth = position = opened_at = 0
    for tag in _TAG.finditer(text):
        closes = bool(tag[1])
        if depth == 0:
            kept.append(text[position : tag.start()])
            opened_at = tag.end()
            if closes:
                kept.clear()
        depth = max(0, depth - 1) if closes else depth + 1
        position = tag.end()
    if depth == 0:
        kept.append(text[position:])
    elif "".join(kept).strip():
        kept.append(text[opened_at:])
    return "".join(kept)
