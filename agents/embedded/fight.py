"""What a fight needs at the table: its beginning, forces, positions, rounds and end."""

from agents.embedded.brief import Brief
from agents.embedded.cast import Figure
from agents.embedded.frames import framed, frames_of
from agents.embedded.outline import deed_words
from agents.embedded.scenes import SceneSpec
from agents.embedded.slots import fill
from agents.embedded.stage import opponents


def counted(figure: Figure, language: str) -> str:
    """Return somebody of the cast, a group with its number (`la patrulla de guardias (cuatro)`)."""
    if figure.count < 2:
        return figure.noun.the
    words = deed_words(language)
    numbers: list[str] = words["numbers"]
    number = numbers[figure.count] if figure.count < len(numbers) else words["many"]
    return f"{figure.noun.the} ({number})"


def _forces(brief: Brief, spec: SceneSpec) -> str:
    """Return who fights against the party: the opponents of the chapter, the scene's own first."""
    own = [spec.stage.figure] if spec.stage.figure else []
    others = [f for f in opponents(brief) if f not in own]
    names = [counted(f, brief.language) for f in [*own, *others]]
    return brief.grammar.listing(names or [spec.stage.foe.the if spec.stage.foe else ""])


def ends_line(brief: Brief, spec: SceneSpec) -> str:
    """Return when the fight is over: the plan says it too."""
    options: list[str] = frames_of(brief.language)["fight"]["ends"]
    return fill(framed(brief, options, "ends", spec.index), spec.stage.values())


def _manner(spec: SceneSpec) -> str:
    figure = spec.stage.figure
    if figure and figure.mute:
        return "beast"
    return "group" if figure is None or figure.group else "one"


def fight_paragraph(brief: Brief, spec: SceneSpec, earlier: int) -> str:
    """Return the paragraph that runs a fight; one that goes on from earlier scenes says only what is new."""
    frames = frames_of(brief.language)["fight"]
    tactic = spec.stage.tactic
    values = spec.stage.values() | {"foes": _forces(brief, spec), "middle": tactic.the if tactic else ""}
    new = ["start", "force"] if earlier == 0 else []
    where = ["position"] if tactic else ["position_open"][: 1 - min(earlier, 1)]
    manner = _manner(spec)
    parts = [*new, *where, *([manner] if earlier < len(frames[manner]) else [])]
    return " ".join(fill(framed(brief, frames[part], f"fight {part}", spec.index), values) for part in parts)
