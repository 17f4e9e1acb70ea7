"""YAML as a tree of nodes that know their place.

PyYAML's safe loader gives parse events with marks; the tree is built from them without recursion, so that
deep nesting, alias bombs and self-references are counted and refused before anything is expanded. Scalars
stay text: what a value is (`9`, `no`, `1/4`, `0 m`) is decided by the key that it stands under, not by YAML.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

import yaml

from concilio.adventure.problems import Problems
from concilio.adventure.source import clean
from concilio.catalogue import say

MAX_DEPTH = 20
MAX_SIZE = 20_000
"""Nodes of a document, each alias counted as often as all that it stands for."""
_TAGS = frozenset(f"tag:yaml.org,2002:{t}" for t in ("str", "int", "float", "bool", "null", "map", "seq"))
_NULLS = frozenset({"", "~", "null"})
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True)
class Node:
    """A place in a YAML text; `size` counts the nodes under it, itself and its aliases included."""

    line: int
    """From 1, in the file."""
    column: int
    """From 1, in characters."""
    size: int = 1


@dataclass(slots=True)
class Scalar(Node):
    """A single value, as text."""

    text: str = ""
    plain: bool = True
    """Written without quotes."""

    @property
    def is_null(self) -> bool:
        """Whether the designer left it empty."""
        return self.plain and self.text in _NULLS


@dataclass(slots=True)
class Sequence(Node):
    """A list."""

    items: list[Node] = field(default_factory=list[Node])


@dataclass(slots=True)
class Mapping(Node):
    """Keys and values in order; no key twice."""

    entries: list[tuple[Scalar, Node]] = field(default_factory=list[tuple[Scalar, Node]])


_DETAILS = (
    ("mapping values are not allowed", "colon"),
    ("cannot start any token", "tab"),
    ("found a tab", "tab"),
    ("did not find expected ',' or", "unclosed"),
    ("expected ',' or", "unclosed"),
    ("unexpected end of stream", "unclosed"),
    ("found unexpected document indicator", "unclosed"),
    ("did not find expected <document start>", "indent"),
    ("did not find expected '-' indicator", "indent"),
    ("did not find expected key", "indent"),
    ("expected <block end>", "indent"),
    ("expected the node content", "indent"),
    ("could not find expected ':'", "missing_colon"),
    ("alphabetic or numeric character", "alias"),
    ("escape", "escape"),
    ("nesting depth", "depth"),
    ("characters are not allowed", "control"),
    ("expected comment or line break", "block"),
    ("expected chomping or indentation", "block"),
    ("expected node content", "node"),
)
"""What libyaml and PyYAML say, and under which key of `adventure.yaml` we say it in the user's language."""


def _detail(problem: str) -> str:
    key = next((key for words, key in _DETAILS if words in problem), "other")
    return say(f"adventure.yaml.{key}")


class _Mark(Protocol):
    line: int
    column: int


class _RefusedError(Exception):
    """The document is not read further; the problem is noted already."""


def compose(text: str, problems: Problems, first_line: int = 1) -> Node | None:
    """Return the tree of one YAML document, or None where there is none or it cannot be read.

    Args:
        text: without control characters.
        problems: gets syntax errors, repeated keys and abuse, each with its place in the file.
        first_line: line of the file on which the text begins, from 1.
    """
    builder = _Builder(problems, first_line - 1)
    try:
        for event in _events(text):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + first_line, mark.column + 1) if mark else (first_line, 1)
        problems.add("yaml_syntax", line, column, detail=_detail(str(error.problem)))
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        problems.add("yaml_syntax", first_line, 1, detail=_detail(str(error)))
    except _RefusedError:
        pass
    else:
        return builder.root
    return None


def _events(text: str) -> Iterator[Any]:
    untyped = cast("Any", yaml)
    yield from untyped.parse(text, Loader=_LOADER)


@dataclass(slots=True)
class _Frame:
    """A collection that is still open."""

    node: Sequence | Mapping
    key: Scalar | None = None
    """Key that waits for its value."""
    seen: set[str] = field(default_factory=set[str])


@dataclass(slots=True)
class _Builder:
    problems: Problems
    offset: int
    root: Node | None = None
    stack: list[_Frame] = field(default_factory=list[_Frame])
    anchors: dict[str, Node] = field(default_factory=dict[str, Node])
    documents: int = 0

    def take(self, event: Any) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._check_tag(event)
            text = clean(str(event.value))
            node = Scalar(*self._place(event), text=text, plain=bool(event.implicit[0]))
            self._put(node, event.anchor)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._open(Sequence(*self._place(event)), event)
        elif isinstance(event, yaml.MappingStartEvent):
            self._open(Mapping(*self._place(event)), event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._close()
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._document(event)

    def _place(self, event: Any) -> tuple[int, int]:
        mark: _Mark = event.start_mark
        return mark.line + 1 + self.offset, mark.column + 1

    def _refuse(self, key: str, line: int, column: int, **values: object) -> None:
        self.problems.add(key, line, column, **values)
        raise _RefusedError

    def _document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            self._refuse("yaml_documents", *self._place(event))

    def _check_tag(self, event: Any) -> None:
        tag = event.tag
        if tag is not None and tag != "!" and tag not in _TAGS:
            self.problems.add("yaml_tag", *self._place(event), tag=str(tag))

    def _open(self, node: Sequence | Mapping, event: Any) -> None:
        self._check_tag(event)
        if len(self.stack) >= MAX_DEPTH:
            self._refuse("yaml_depth", node.line, node.column, limit=MAX_DEPTH)
        self._put(node, event.anchor)
        self.stack.append(_Frame(node))

    def _close(self) -> None:
        node = self.stack.pop().node
        if self.stack:
            self._grow(self.stack[-1].node, node.size - 1)

    def _grow(self, parent: Node, size: int) -> None:
        parent.size += size
        if parent.size > MAX_SIZE:
            self._refuse("yaml_size", parent.line, parent.column, limit=MAX_SIZE)

    def _alias(self, event: Any) -> None:
        node = self.anchors.get(event.anchor)
        if node is None or any(node is frame.node for frame in self.stack):
            self._refuse("yaml_alias", *self._place(event), name=str(event.anchor))
        else:
            self._put(node, None)

    def _put(self, node: Node, anchor: str | None) -> None:
        if anchor is not None:
            self.anchors[anchor] = node
        if not self.stack:
            self.root = node
            return
        frame = self.stack[-1]
        self._grow(frame.node, node.size)
        if isinstance(frame.node, Sequence):
            frame.node.items.append(node)
        elif frame.key is None:
            self._key(frame, node)
        else:
            frame.node.entries.append((frame.key, node))
            frame.key = None

    def _key(self, frame: _Frame, node: Node) -> None:
        if not isinstance(node, Scalar):
            self._refuse("yaml_key", node.line, node.column)
            return
        if node.text in frame.seen:
            self.problems.add("repeated_key", node.line, node.column, key=node.text)
        frame.seen.add(node.text)
        frame.key = node
