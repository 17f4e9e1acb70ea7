"""A scene's Markdown as blocks: what is read aloud, what is a remark, and where its mechanics stand."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from concilio.export.book import Block, Run
from concilio.markdown import markdown_parser
from rules.claims.extract import extract
from rules.claims.model import Claim
from rules.document import Passage

if TYPE_CHECKING:
    from markdown_it.token import Token

    from rules.ruleset import Ruleset

LONGEST = 400_000
"""Characters of one text that are read as Markdown; a longer one is one paragraph."""
_DIALOGUE = ("—", "–", "―")
_LISTS = {"bullet_list_open", "ordered_list_open"}
_MECHANICS = frozenset(("check", "save", "dc", "dc_change", "attack", "damage", "armor_class", "hit_points"))
_BRACKETS = ("(", "["), (")", "]", ").", "].")


def read_blocks(text: str, language: str, ruleset: "Ruleset") -> tuple[Block, ...]:
    """Return a text's blocks with their claims; the scene's opening and what is quoted are read aloud."""
    if len(text) > LONGEST:
        return (Block("text", (Run(text),)),)
    blocks = [
        _with_claims(block, language, ruleset) for block in _Reader(markdown_parser().parse(text)).read()
    ]
    if blocks and _opens(blocks[0]):
        blocks[0] = replace(blocks[0], aloud=True)
    return tuple(blocks)


def _with_claims(block: Block, language: str, ruleset: "Ruleset") -> Block:
    if block.kind == "row":
        cells = tuple(_with_claims(cell, language, ruleset) for cell in block.cells)
        return replace(block, cells=cells, claims=tuple(claim for cell in cells for claim in cell.claims))
    plain = block.plain.strip()
    aside = block.kind == "text" and plain.startswith(_BRACKETS[0]) and plain.endswith(_BRACKETS[1])
    claims = tuple(extract(Passage(block.plain, 0), language, ruleset))
    return replace(block, aside=aside, aloud=block.aloud and not aside, claims=claims)


def _opens(block: Block) -> bool:
    """Tell whether a scene's first block tells what is seen: a paragraph without figures."""
    return block.kind == "text" and not block.aside and not states_rules(block.claims)


def states_rules(claims: Sequence[Claim]) -> bool:
    """Tell whether rolls or figures are among claims."""
    return any(claim.kind in _MECHANICS for claim in claims)


class _Reader:
    """Walks the tokens of a text; lists and quotes are remembered as depths."""

    def __init__(self, tokens: "Sequence[Token]") -> None:
        self.tokens = tokens
        self.numbers: list[int | None] = []
        """Of each open list: the number of its next item, None where it has none."""
        self.quotes = 0
        self.item: int | None = None
        self.fresh = False
        """Whether the next paragraph begins an item."""
        self.cells: list[Block] | None = None
        """Of the row that is being read."""
        self.head = False

    def read(self) -> Iterator[Block]:
        """Yield the blocks in order."""
        kind = ""
        for token in self.tokens:
            self._enter(token)
            if token.type == "heading_open":
                kind = token.tag
            elif token.type in ("fence", "code_block"):
                yield Block("code", (Run(token.content.rstrip("\n"), code=True),), aloud=self.quotes > 0)
            elif token.type == "hr":
                yield Block("rule")
            elif token.type == "tr_close":
                yield Block("row", aloud=self.quotes > 0, cells=tuple(self.cells or ()), head=self.head)
                self.cells = None
            elif token.type == "inline" and self.cells is not None:
                self.cells.append(Block("text", _runs(token.children or ())))
            elif token.type == "inline":
                yield self._block(token, kind)
                kind = ""

    def _enter(self, token: "Token") -> None:
        if token.type in _LISTS:
            ordered = token.type.startswith("ordered")
            self.numbers.append(int(token.attrs.get("start", 1)) if ordered else None)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self.numbers.pop()
        elif token.type == "list_item_open":
            self.fresh = True
            self.item = self.numbers[-1]
            if self.item is not None:
                self.numbers[-1] = self.item + 1
        elif token.type in ("blockquote_open", "blockquote_close"):
            self.quotes += token.nesting
        elif token.type in ("thead_open", "thead_close"):
            self.head = token.nesting > 0
        elif token.type == "tr_open":
            self.cells = []

    def _block(self, token: "Token", heading: str) -> Block:
        runs = _runs(token.children or ())
        aloud = self.quotes > 0
        if heading:
            return Block("heading", runs, depth=int(heading[1:]))
        if not self.numbers:
            return Block("text", runs, aloud=aloud)
        fresh, self.fresh = self.fresh, False
        depth = len(self.numbers)
        return Block("item" if fresh else "text", runs, depth, self.item if fresh else None, aloud)


def _runs(tokens: "Sequence[Token]") -> tuple[Run, ...]:
    found: list[Run] = []
    bold = italic = 0
    for place, token in enumerate(tokens):
        if token.type in ("strong_open", "strong_close"):
            bold += token.nesting
        elif token.type in ("em_open", "em_close"):
            italic += token.nesting
        elif text := _text_of(token, tokens[place + 1 : place + 2]):
            run = Run(text, bold > 0, italic > 0, token.type == "code_inline")
            same = found and replace(found[-1], text="") == replace(run, text="")
            if same:
                found[-1] = replace(run, text=found[-1].text + text)
            else:
                found.append(run)
    return tuple(found)


def _text_of(token: "Token", after: "Sequence[Token]") -> str:
    if token.type == "hardbreak":
        return "\n"
    if token.type == "softbreak":  # each speaker keeps a line of their own
        return "\n" if after and after[0].content.startswith(_DIALOGUE) else " "
    return token.content if token.type in ("text", "code_inline", "text_special") else ""
