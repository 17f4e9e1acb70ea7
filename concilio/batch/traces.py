"""A run as OpenTelemetry traces, for whoever asks for them with the standard variable `OTEL_TRACES_EXPORTER`.

Spans are made of the run's events, which hold no text of a model and no secret: a run, chapters, calls.
"""

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Protocol

VARIABLE = "OTEL_TRACES_EXPORTER"
"""`otlp`, `console`, …: the exporter's name. Empty or `none`: no traces."""
NAME = "concilio"
_CALL_FIELDS = (
    *("agent", "key", "model", "attempt", "tokens_in", "tokens_out", "cost_usd", "finish_reason"),
    "from_journal",
)
_TOLD = ("retry", "continued", "asked_again", "model_unreachable", "judged")
"""Kinds of events that are noted on their chapter's span."""
Event = Mapping[str, Any]


class Heard(Protocol):
    """A run's events, as they come."""

    def subscribe(self, subscriber: Callable[[Event], None]) -> Callable[[], None]:
        """Call a function with every event from now on; returns a function that ends it."""
        ...


@contextmanager
def traced(run: str, events: Heard) -> Generator[None]:
    """Trace a run while the block lasts, if traces are asked for and can be made."""
    tracer = tracer_asked_for()
    if tracer is None:
        yield
        return
    spans = RunSpans(tracer, run)
    leave = events.subscribe(spans)
    try:
        yield
    finally:
        leave()
        spans.end()


@cache
def tracer_asked_for() -> Any:
    """Return the process's tracer; None where nobody asks for traces, or OpenTelemetry is not installed."""
    name = os.environ.get(VARIABLE, "").strip().lower()
    if name in ("", "none"):
        return None
    try:
        trace = import_module("opentelemetry.trace")
        exporters = entry_points(group="opentelemetry_traces_exporter", name=name)
        _provide(trace, next(iter(exporters)).load()())
    except (ImportError, StopIteration):
        return None
    return trace.get_tracer(NAME)


def _provide(trace: Any, exporter: Any) -> None:
    """Send what is traced to an exporter, unless somebody (`opentelemetry-instrument`) has seen to that."""
    sdk, export = import_module("opentelemetry.sdk.trace"), import_module("opentelemetry.sdk.trace.export")
    if isinstance(trace.get_tracer_provider(), sdk.TracerProvider):
        return
    resource = import_module("opentelemetry.sdk.resources").Resource.create({"service.name": NAME})
    provider = sdk.TracerProvider(resource=resource)
    provider.add_span_processor(export.BatchSpanProcessor(exporter))
    trace.set_tracer_provider(provider)


class RunSpans:
    """The spans of one run, as its events come."""

    def __init__(self, tracer: Any, run: str) -> None:
        self._tracer = tracer
        self._within: Any = import_module("opentelemetry.trace").set_span_in_context
        self._run: Any = tracer.start_span("run", attributes={"concilio.run": run})
        self._chapters: dict[str, Any] = {}

    def __call__(self, event: Event) -> None:
        """Make of an event what it is: a call's span, a chapter's end, a note on its chapter."""
        kind, at = event["kind"], _nanoseconds(event["at"])
        chapter = _chapter_of(event)
        span = self._span_of(chapter, at) if chapter else self._run
        if kind == "call":
            self._call(span, event, at)
        elif kind == "chapter":
            span.set_attributes(_attributes(event, ("ending", "scenes")))
            span.end(at)
            self._chapters.pop(chapter, None)
        elif kind in _TOLD:
            span.add_event(kind, _attributes(event, tuple(set(event) - {"at", "kind"})), at)

    def _span_of(self, chapter: str, at: int) -> Any:
        if chapter not in self._chapters:
            self._chapters[chapter] = self._tracer.start_span(
                f"chapter {chapter}", context=self._within(self._run), start_time=at
            )
        return self._chapters[chapter]

    def _call(self, parent: Any, event: Event, at: int) -> None:
        began = at - int(event.get("seconds", 0) * 1e9)
        attributes = _attributes(event, _CALL_FIELDS)
        name = f"call {event.get('agent', '')}"
        span = self._tracer.start_span(
            name, context=self._within(parent), attributes=attributes, start_time=began
        )
        span.end(at)

    def end(self) -> None:
        """End what has not ended."""
        for span in (*self._chapters.values(), self._run):
            span.end()


def _chapter_of(event: Event) -> str:
    """Return the number of the chapter that an event is of; a call says it in its key, `ch5/r2/iris`."""
    if "chapter" in event:
        return str(event["chapter"])
    head = str(event.get("key", "")).partition("/")[0]
    return head.removeprefix("ch") if head.startswith("ch") else ""


def _attributes(event: Event, names: tuple[str, ...]) -> dict[str, Any]:
    found = {f"concilio.{name}": event.get(name) for name in names}
    return {name: value for name, value in found.items() if isinstance(value, (str, int, float))}


def _nanoseconds(at: str) -> int:
    return int(datetime.fromisoformat(at).timestamp() * 1e9)
