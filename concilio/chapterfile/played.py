"""The section of a played plan: written for people, and read back to the same numbers."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from concilio.chapterfile.records import Record, head, labelled, read_labelled, read_records
from concilio.chapterfile.words import value_of, written
from concilio.domain.base import Language
from concilio.domain.playtest import END, PlayedFight, PlayedPlan, PlayedScene
from concilio.figures import decimal, read

PARTS = ("scenes", "ends", "consequences", "dead_ends", "hinges", "fights", "assumed")
"""The lists of a played plan in the order in which they are written."""
_ARROW = "→"
_WRITTEN_END = "leads_end"
_NAMED = ("not_counted", "unknown")


def played_blocks(played: PlayedPlan, language: Language) -> Iterator[str]:
    """Yield a played plan as blocks of Markdown, its heading first."""
    yield f"## {written(language, 'playtest')}"
    yield "\n".join(_facts(played, language))
    for part in PARTS:
        lines = list(_WRITERS[part](played, language))
        if lines:
            yield f"### {_word(part, language)}"
            yield "\n".join(lines)


def played_in(lines: Iterable[str], language: Language) -> dict[str, Any]:
    """Return the values for `PlayedPlan` that a section holds.

    Raises:
        ValueError: a number or a word is none of ours.
        LookupError: a line is missing.
    """
    parts = _parts(lines, language)
    found: dict[str, Any] = _read_facts(parts[""], language)
    for part in PARTS:
        found[part] = tuple(_READERS[part](parts.get(part, []), language))
    return found


def _word(key: str, language: Language) -> str:
    return written(language, f"played.{key}")


def _percent(share: float, language: Language) -> str:
    return f"{decimal(100 * share, 1, language)} %"


def _share(text: str, language: Language) -> float:
    return read(text.removesuffix("%").strip(), language) / 100


def _decimal(value: float, language: Language) -> str:
    return decimal(value, 1, language)


# --- writing ---------------------------------------------------------------------------------------------


def _facts(played: PlayedPlan, language: Language) -> Iterator[str]:
    minutes = _word("never", language) if played.minutes is None else str(played.minutes)
    yield labelled(_word("party", language), played.party)
    yield labelled(_word("minutes", language), minutes)
    if played.endless:
        yield labelled(_word("endless", language), _percent(played.endless, language))
    if played.best is not None:
        yield labelled(_word("best", language), _percent(played.best, language))
    if played.unreached:
        yield labelled(_word("unreached", language), ", ".join(played.unreached))


def _scenes(played: PlayedPlan, language: Language) -> Iterator[str]:
    for scene in played.scenes:
        yield _scene_head(scene, language)
        for each in scene.outcomes:
            to = written(language, _WRITTEN_END) if each.leads_to == END else each.leads_to
            yield labelled(each.label, f"{_percent(each.chance, language)} {_ARROW} {to}", indent=2)


def _scene_head(scene: PlayedScene, language: Language) -> str:
    basis = written(language, f"basis.{scene.basis}")
    minutes = f"{scene.minutes} {_word('minutes_short', language)}"
    return head(scene.id, (_percent(scene.reach, language), basis, minutes))


def _ends(played: PlayedPlan, language: Language) -> Iterator[str]:
    for end in played.ends:
        yield head(_percent(end.chance, language), (end.scene, end.label))


def _consequences(played: PlayedPlan, language: Language) -> Iterator[str]:
    for each in played.consequences:
        yield head(_percent(each.chance, language), (each.scene, each.label))
        yield labelled(_word("consequence", language), each.text, indent=2)


def _dead_ends(played: PlayedPlan, language: Language) -> Iterator[str]:
    for each in played.dead_ends:
        yield head(each.scene, (each.label, written(language, f"why.{each.why}"), each.target))


def _hinges(played: PlayedPlan, language: Language) -> Iterator[str]:
    for each in played.hinges:
        yield head(each.scene, (each.roll, written(language, f"hinge.{_weight(each.decisive)}")))
        for key in ("after_success", "after_failure"):
            yield labelled(_word(key, language), _percent(getattr(each, key), language), indent=2)


def _weight(decisive: bool) -> str:
    return "decisive" if decisive else "shared"


def _fights(played: PlayedPlan, language: Language) -> Iterator[str]:
    for each in played.fights:
        yield head(each.scene, (each.foes, f"{each.xp} {_word('xp', language)}"))
        for table, word in each.difficulty.items():
            yield labelled(f"{_word('difficulty', language)} {table}".rstrip(), word, indent=2)
        yield from _fought(each, language)


def _fought(fight: PlayedFight, language: Language) -> Iterator[str]:
    if fight.win is not None:
        yield labelled(_word("win", language), _percent(fight.win, language), indent=2)
    for key in ("rounds", "losses"):
        value: float | None = getattr(fight, key)
        if value is not None:
            yield labelled(_word(key, language), _decimal(value, language), indent=2)
    for key in _NAMED:
        names: str = getattr(fight, key)
        if names:
            yield labelled(_word(key, language), names, indent=2)


def _assumed(played: PlayedPlan, language: Language) -> Iterator[str]:
    yield from (labelled(_word("supposed", language), text) for text in played.assumed)


_WRITERS: dict[str, Callable[[PlayedPlan, Language], Iterator[str]]] = {
    "scenes": _scenes,
    "ends": _ends,
    "consequences": _consequences,
    "dead_ends": _dead_ends,
    "hinges": _hinges,
    "fights": _fights,
    "assumed": _assumed,
}

# --- reading ---------------------------------------------------------------------------------------------


def _parts(lines: Iterable[str], language: Language) -> dict[str, list[str]]:
    headings = {f"### {_word(part, language)}": part for part in PARTS}
    parts: dict[str, list[str]] = {"": []}
    current = parts[""]
    for line in lines:
        if line in headings:
            current = parts.setdefault(headings[line], [])
        else:
            current.append(line)
    return parts


def _read_facts(lines: Iterable[str], language: Language) -> dict[str, Any]:
    facts = dict(pair for line in lines if (pair := read_labelled(line)))
    values = {
        key: facts.get(_word(key, language)) for key in ("party", "minutes", "endless", "best", "unreached")
    }
    endless, best, unreached = values["endless"], values["best"], values["unreached"]
    never = values["minutes"] == _word("never", language)
    return {
        "party": facts[_word("party", language)],
        "minutes": None if never else int(facts[_word("minutes", language)]),
        "endless": 0.0 if endless is None else _share(endless, language),
        "best": None if best is None else _share(best, language),
        "unreached": tuple(unreached.split(", ")) if unreached else (),
    }


def _value(group: str, word: str, language: Language) -> str:
    value = value_of(language, group, word)
    if value is None:
        raise ValueError(word)
    return value


def _read_scenes(lines: Iterable[str], language: Language) -> Iterator[dict[str, Any]]:
    for record in read_records(lines):
        name, reach, basis, minutes = record.head
        yield {
            "id": name,
            "reach": _share(reach, language),
            "basis": _value("basis", basis, language),
            "minutes": int(minutes.partition(" ")[0]),
            "outcomes": tuple(_read_outcomes(record, language)),
        }


def _read_outcomes(record: Record, language: Language) -> Iterator[dict[str, Any]]:
    end = written(language, _WRITTEN_END)
    for label, value in record.pairs:
        chance, _, to = value.partition(f" {_ARROW} ")
        yield {"label": label, "chance": _share(chance, language), "leads_to": END if to == end else to}


def _read_ends(lines: Iterable[str], language: Language) -> Iterator[dict[str, Any]]:
    for record in read_records(lines):
        chance, scene, label = record.head
        yield {"scene": scene, "label": label, "chance": _share(chance, language)}


def _read_consequences(lines: Iterable[str], language: Language) -> Iterator[dict[str, Any]]:
    for record in read_records(lines):
        chance, scene, label = record.head
        text = record.details[_word("consequence", language)]
        yield {"text": text, "scene": scene, "label": label, "chance": _share(chance, language)}


def _read_dead_ends(lines: Iterable[str], language: Language) -> Iterator[dict[str, Any]]:
    for record in read_records(lines):
        scene, label, why, target = record.head
        yield {"scene": scene, "label": label, "why": _value("why", why, language), "target": target}


def _read_hinges(lines: Iterable[str], language: Language) -> Iterator[dict[str, Any]]:
    for record in read_records(lines):
        scene, roll, weight = record.head
        shares = {
            key: _share(record.details[_word(key, language)], language)
            for key in ("after_success", "after_failure")
        }
        decisive = _value("hinge", weight, language) == "decisive"
        yield {"scene": scene, "roll": roll, "decisive": decisive, **shares}


def _read_fights(lines: Iterable[str], language: Language) -> Iterator[dict[str, Any]]:
    difficulty = _word("difficulty", language)
    for record in read_records(lines):
        scene, foes, xp = record.head
        win, rounds, losses = (record.details.get(_word(k, language)) for k in ("win", "rounds", "losses"))
        yield {
            "scene": scene,
            "foes": foes,
            "xp": int(xp.partition(" ")[0]),
            "difficulty": {
                label[len(difficulty) :].strip(): value
                for label, value in record.pairs
                if label == difficulty or label.startswith(difficulty + " ")
            },
            "win": None if win is None else _share(win, language),
            "rounds": None if rounds is None else read(rounds, language),
            "losses": None if losses is None else read(losses, language),
            **{key: record.details.get(_word(key, language), "") for key in _NAMED},
        }


def _read_assumed(lines: Iterable[str], language: Language) -> Iterator[str]:
    yield from (pair[1] for line in lines if (pair := read_labelled(line)))


_READERS: dict[str, Callable[[list[str], Language], Iterator[Any]]] = {
    "scenes": _read_scenes,
    "ends": _read_ends,
    "consequences": _read_consequences,
    "dead_ends": _read_dead_ends,
    "hinges": _read_hinges,
    "fights": _read_fights,
    "assumed": _read_assumed,
}
