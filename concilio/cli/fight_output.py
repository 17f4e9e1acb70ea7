"""A fight's log for people: a line an event, in either language; the words are in the catalogue."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from concilio.catalogue import countable, has_text, say, user_language
from concilio.figures import marked
from rules.attack_names import attack_name
from rules.fights.events import Event, Log
from rules.ruleset import Ruleset, load_ruleset

Values = Mapping[str, Any]


def lines(log: Log) -> Iterator[str]:
    """Give the lines of a log; what is only for programs has none."""
    rules = load_ruleset(str(_scenario(log).get("ruleset", "combate")))
    title = str(_scenario(log).get("title") or say("fights.untitled"))
    yield say("fights.title", title="".join(c if c.isprintable() else " " for c in title))
    number = 0
    for event in log:
        # The blow that begins a fight comes before its first round: it is told with what it does.
        current = event.round or (max(1, number) if event.kind == "attack" else 0)
        if current and current != number:
            yield ""
            yield say("fights.round", n=current)
        number = current or number
        text = line(event, rules)
        if text:
            yield text


def _scenario(log: Log) -> dict[str, Any]:
    found: Any = log[0].values.get("scenario") if log else None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def line(event: Event, rules: Ruleset) -> str:
    """Return the line of an event; empty where it has none."""
    kind = event.kind
    variant = VARIANTS[kind](event.values) if kind in VARIANTS else ""
    keys = (
        (f"fights.event.{kind}_{variant}", f"fights.event.{kind}") if variant else (f"fights.event.{kind}",)
    )
    key = next((key for key in keys if has_text(key, user_language())), "")
    if not key:
        return ""
    told = _Told({name: countable(_word(name, value, rules)) for name, value in event.values.items()})
    text = say(key).format_map(told)
    # Names come from a file: what steers a terminal is not passed on to it.
    return "".join(c if c.isprintable() else " " for c in text)


class _Told(dict[str, object]):
    """Values of an event; one that a log from elsewhere lacks is told as a gap."""

    def __missing__(self, key: str) -> str:
        return _Gap("…")


class _Gap(str):
    """What stands for a value, however it is to be written."""

    __slots__ = ()

    def __format__(self, format_spec: str, /) -> str:
        return str(self)


def _word(name: str, value: Any, rules: Ruleset) -> object:
    """Return a value as people read it."""
    language = user_language()
    if value is None or value == "":
        return say("fights.nobody") if name in ("by", "enemy") else "—"
    if isinstance(value, bool):
        return say("fights.yes" if value else "fights.no")
    if isinstance(value, float):
        return marked(f"{value:g}")
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return ", ".join(f"{key} {_word(name, each, rules)}" for key, each in pairs)
    if isinstance(value, list):
        parts = [str(_word(name, each, rules)) for each in cast("list[Any]", value)]
        return ", ".join(parts) or say("fights.none")
    called = attack_name(value, language) if name in ("weapon", "cause") and isinstance(value, str) else value
    if called != value:
        return called
    if name == "type" and value in rules.damage_types:
        return rules.printed("damage_type", str(value), language)
    if name in ("skill", "ability") and isinstance(value, str):
        return _named(value, rules)
    key = f"fights.word.{value}"
    return say(key) if name in WORDED and _is_id(str(value)) and has_text(key, language) else value


def _named(value: str, rules: Ruleset) -> str:
    """Return the word of an ability or a skill of the ruleset."""
    for kind in ("ability", "skill"):
        if value in rules.entries(kind):
            return rules.word(kind, value, user_language())
    return value


def _is_id(text: str) -> bool:
    return text.isascii() and text.replace("_", "").isalnum()


WORDED = frozenset(
    {"reason", "cause", "deed", "result", "effect", "why", "what", "how", "reaction", "mode", "by", "weapon",
     "changed_by", "outcome", "limb", "kind", "ability", "state", "skill"}
)  # fmt: skip
"""Values that are ids of ours; names and the designer's words are shown as they are."""


def _attack(values: Values) -> str:
    hidden = "hidden" if values.get("hidden") else "open"
    if values.get("critical"):
        return f"critical_{hidden}"
    return f"{'hit' if values.get('hits') else 'miss'}_{hidden}"


def _flag(name: str) -> Callable[[Values], str]:
    return lambda values: "yes" if values.get(name) else "no"


def _given(name: str) -> Callable[[Values], str]:
    return lambda values: str(values.get(name) or "")[:40]


def _save(values: Values) -> str:
    return f"{'yes' if values.get('success') else 'no'}_{'hidden' if values.get('hidden') else 'open'}"


VARIANTS: Mapping[str, Callable[[Values], str]] = {
    "attack": _attack,
    "check": _flag("success"),
    "contest": _flag("success"),
    "crime": _flag("witnesses"),
    "damage": _given("changed_by"),
    "death_save": _given("result"),
    "comes_to": _flag("tied"),
    "end": _given("outcome"),
    "experience": _flag("xp"),
    "save": _save,
    "strike": lambda values: "hurts" if values.get("final") else "nothing",
    "threat": _flag("expired"),
    "plan_b": lambda values: "heir" if values.get("heir") else "leaves",
}
"""Which of several texts an event has."""
