"""Writing the plan's texts of a scene from its choices."""

from collections.abc import Sequence

from agents.embedded.beats import DEGREES, Degree, Pair, supposes_a_foe
from agents.embedded.brief import Brief
from agents.embedded.cast import Figure
from agents.embedded.fight import counted, ends_line
from agents.embedded.frames import framed, frames_of
from agents.embedded.grammar.base import upper_first
from agents.embedded.mechanics_text import boon_text, check_text, harm_text, phrases_of
from agents.embedded.naming import mentions
from agents.embedded.outline import TableNote, fold_tokens
from agents.embedded.scenes import SceneSpec
from agents.embedded.slots import fill, rng
from agents.embedded.stage import opponents
from agents.types import OutcomeDraft, SceneDraft
from concilio.chapterfile.outcomes import degree_of

_LABEL_WORDS = 5
_PLAIN_DEGREES: dict[str, Degree] = {
    "critical_success": "success",
    "success": "success",
    "partial": "partial",
    "failure": "failure",
    "critical_failure": "failure",
}


def variant(brief: Brief, spec: SceneSpec, options: Sequence[str], what: str) -> str:
    """Return one of a beat's texts: another one each time that the beat is told in an adventure."""
    options = sensible(spec, options)
    start = rng(brief.seed, brief.canon.adventure, spec.beat.id, what).randrange(len(options))
    return options[(start + spec.turn) % len(options)]


def sensible(spec: SceneSpec, options: Sequence[str]) -> list[str]:
    """Return the texts that make sense here: without an opponent, those that suppose none."""
    fit = [text for text in options if spec.stage.foe or not supposes_a_foe(text)]
    return fit or list(options)


def slot_values(brief: Brief, spec: SceneSpec) -> dict[str, str]:
    """Return what fills the slots of a scene's plan texts."""
    language, ruleset, shape = brief.language, brief.ruleset, spec.beat.shape
    stage = spec.stage
    goal = stage.clause.goal if spec.beat.is_deed else stage.clause.core
    return (
        stage.values()
        | _elements_at_hand(brief, spec)
        | {
            "goal": goal,
            "way.main": spec.beat.words.ways.get(spec.main, ""),
            "way.other": spec.beat.words.ways.get(spec.other, ""),
            "check.main": check_text(spec.main, spec.main_dc, language, ruleset),
            "check.other": check_text(spec.other, spec.other_dc, language, ruleset),
            "harm": harm_text(shape.harm, shape.harm_type, brief.level, language, ruleset),
            "boon": boon_text(shape.boon, language),
        }
    )


def _elements_at_hand(brief: Brief, spec: SceneSpec) -> dict[str, str]:
    """Return the slots of what gives the edge: every element that the scene plays."""
    nouns = [element.noun for element in spec.stage.elements if element.noun]
    if len(nouns) < 2:
        return {}
    join = brief.grammar.alternatives
    return {
        "tactic": join([noun.the for noun in nouns]),
        "of_tactic": join([noun.of for noun in nouns]),
        "to_tactic": join([noun.to for noun in nouns]),
    }


# --- outcomes -----------------------------------------------------------------------------------------


def consequence_parts(text: str) -> tuple[str, str]:
    """Cut a designer's consequence into its label (may be empty) and its text."""
    label, colon, rest = text.partition(":")
    if colon and rest.strip() and len(label.split()) <= _LABEL_WORDS:
        return label.strip(" *-_"), rest.strip()
    return "", text.strip()


def degree_of_label(label: str) -> Degree | None:
    """Return the degree that a label names, the critical ones taken as plain; None where it names none."""
    return _PLAIN_DEGREES.get(degree_of(label))


def graded(brief: Brief) -> list[tuple[Degree | None, str, str]]:
    """Return all the designer's consequences (degree, label, text): by their label, else by their rank."""
    parts = [consequence_parts(text) for text in brief.outline.consequences]
    ranks: tuple[Degree, ...] = ("success", "failure") if len(parts) == 2 else DEGREES
    out: list[tuple[Degree | None, str, str]] = []
    for rank, (label, text) in enumerate(parts):
        degree = degree_of_label(label) or (ranks[rank] if not label and rank < len(ranks) else None)
        name = label or (phrases_of(brief.language)["labels"][degree] if degree else "")
        if text and name:
            out.append((degree, name, full_stop(text)))
    return out


def full_stop(text: str) -> str:
    """Return a text as a sentence: capital first, an end mark last."""
    text = text.rstrip(" ,;:")
    return upper_first(text) if text.endswith((".", "!", "?", "…")) else f"{upper_first(text)}."


def pair_of(brief: Brief, spec: SceneSpec, degree: Degree) -> Pair:
    """Return a beat's outcome as told in this scene (fact, how it is perceived), still a template."""
    pairs: Sequence[Pair] = getattr(spec.beat.words, degree)
    if degree == "failure" and spec.beat.is_deed and spec.position != "climax":
        pairs = frames_of(brief.language)["dear"]  # what follows supposes that it is done: it only costs more
    facts = sensible(spec, [fact for fact, _ in pairs])
    pairs = [pair for pair in pairs if pair[0] in facts]
    start = rng(brief.seed, brief.canon.adventure, spec.beat.id, degree).randrange(len(pairs))
    return pairs[(start + spec.turn) % len(pairs)]


def outcome(brief: Brief, spec: SceneSpec, degree: Degree) -> OutcomeDraft:
    """Return one outcome: the designer's own in the climax where there is one, else the beat's."""
    if spec.position == "climax":
        given = next((row for row in graded(brief) if row[0] == degree), None)
        if given:
            return OutcomeDraft(label=given[1], text=given[2], leads_to=spec.leads_to(degree))
    text = outcome_text(brief, spec, degree)
    label = phrases_of(brief.language)["labels"][degree]
    return OutcomeDraft(label=label, text=text, leads_to=spec.leads_to(degree))


def outcome_text(brief: Brief, spec: SceneSpec, degree: Degree) -> str:
    """Return a beat's outcome: what it is, and what it changes later."""
    fact = fill(pair_of(brief, spec, degree)[0], slot_values(brief, spec))
    return f"{fact} {sequel_of(brief, spec, degree)}".rstrip()


def sequel_of(brief: Brief, spec: SceneSpec, degree: Degree) -> str:
    """Return what an outcome changes in later scenes: the scene that is spared, or the next one's odds."""
    frames = frames_of(brief.language)["sequel"]
    if degree == "success" and spec.spared:
        options, scene = frames["spared"], spec.spared
    elif degree == "failure" and spec.harder:
        options, scene = frames["harder"], spec.next
    else:
        return ""
    return fill(framed(brief, options, f"sequel {degree}", spec.index), {"scene": scene})


def outcomes(brief: Brief, spec: SceneSpec) -> list[OutcomeDraft]:
    """Return all outcomes of a scene: three degrees, and in the climax every consequence of the designer."""
    if spec.position != "climax" or not (rows := graded(brief)):
        return [outcome(brief, spec, degree) for degree in DEGREES]
    made = [
        OutcomeDraft(label=label, text=text, leads_to=spec.leads_to(degree)) for degree, label, text in rows
    ]
    ranks = [DEGREES.index(degree) if degree else len(DEGREES) for degree, _, _ in rows]
    for rank, degree in enumerate(DEGREES):
        if rank not in ranks:
            at = next((i for i, r in enumerate(ranks) if r > rank), len(ranks))
            made.insert(at, outcome(brief, spec, degree))
            ranks.insert(at, rank)
    return made


# --- lines --------------------------------------------------------------------------------------------


def title_of(brief: Brief, spec: SceneSpec) -> str:
    """Return a scene's title."""
    return variant(brief, spec, spec.beat.words.titles, "title")


def place_line(brief: Brief, spec: SceneSpec) -> str:
    """Return the plan's line for the place."""
    return place_text(brief, spec, near=True)


def place_text(brief: Brief, spec: SceneSpec, *, near: bool) -> str:
    """Return the line for the place, on wish with the element that is played there."""
    phrases = phrases_of(brief.language)
    place = spec.stage.place
    told = place.text.strip(" .") or place.noun.the
    bare = place.noun.the.casefold().endswith(told.casefold()) or told.casefold() in place.noun.the.casefold()
    told = place.noun.the if bare else told
    tactic = next((element.noun for element in spec.stage.elements if element.noun), None)
    if tactic is None or "," in told or not near:
        return fill(phrases["alone"], {"place": told})
    return fill(phrases["near"], {"place": told, "of_tactic": tactic.of, "to_tactic": tactic.to})


def present_line(brief: Brief, spec: SceneSpec) -> str:
    """Return the line for who is there: party, opponents, whoever speaks or is awaited."""
    phrases = phrases_of(brief.language)
    stage = spec.stage
    names = [hero.name for hero in brief.named]
    if len(names) < len(brief.heroes) or not names:  # who plays is the table's own
        names.append(phrases["others" if names else "characters"][0])
    figures = [f for f in (stage.figure, stage.speaker) if f]
    figures += [f for f in brief.figures if _is_awaited(brief, spec, f)]
    if spec.is_fight:
        figures += opponents(brief)
    names += [] if stage.figure or stage.foe is None else [stage.foe.the]
    names += [counted(f, brief.language) for f in dict.fromkeys(figures)]
    return fill(phrases["present"], {"names": brief.grammar.listing(names)})


def _is_awaited(brief: Brief, spec: SceneSpec, figure: Figure) -> bool:
    """Tell whether the objective or a consequence names somebody, who then has to be there at the end."""
    rule = note_of(brief, spec)
    told = " ".join([*(text for _, _, text in graded(brief)), rule.text if rule else ""])
    return spec.position == "climax" and (figure.aim or mentions(figure.name, fold_tokens(told)))


def standing_text(brief: Brief, spec: SceneSpec, template: str) -> str:
    """Return a situation filled: the whole objective where it ends a sentence, the heart of it elsewhere."""
    values = slot_values(brief, spec)
    ends = template.partition("{goal}")[2][:1] in (".", ";", "")
    return fill(template, values if ends else values | {"goal": spec.stage.clause.core})


def situation_text(brief: Brief, spec: SceneSpec, *, note: bool = True, end: bool = True) -> str:
    """Return the situation: how things stand, what the opponent wants, how a fight ends, the note."""
    values = slot_values(brief, spec)
    parts = [standing_text(brief, spec, variant(brief, spec, spec.beat.words.situation, "situation"))]
    if spec.beat.is_deed and spec.stage.foe:
        parts.append(_foe_line(brief, spec, values))
    if end and spec.is_fight:
        parts.append(ends_line(brief, spec))
    if note and (rule := note_of(brief, spec)):
        parts.append(fill(frames_of(brief.language)["rule"], {"label": rule.label}))
    return " ".join(parts)


def _foe_line(brief: Brief, spec: SceneSpec, values: dict[str, str]) -> str:
    mute = bool(spec.stage.figure and spec.stage.figure.mute)
    options: list[str] = frames_of(brief.language)["foe_line_beast" if mute else "foe_line"]
    line = framed(brief, options, "foe line", spec.index)
    return fill(line, values | {"thwart": spec.beat.words.thwart})


def note_of(brief: Brief, spec: SceneSpec) -> TableNote | None:
    """Return the table note that a scene plays: one a scene, the last scene taking the first note."""
    if not brief.notes:
        return None
    last = spec.position == "climax"
    rest = brief.notes[1:]
    if last:
        return brief.notes[0]
    return rest[spec.index] if spec.index < len(rest) else None


def action_text(brief: Brief, spec: SceneSpec, *, edge: bool = True, graded: bool = True) -> str:
    """Return the player action: both ways, what the element near is worth, and when which outcome holds."""
    values = slot_values(brief, spec)
    frames = frames_of(brief.language)
    parts = [fill(framed(brief, frames["action"], "action", spec.index), values)]
    if edge and spec.stage.tactic:
        parts.append(edge_line(brief, spec))
    return " ".join([*parts, *(resolution(brief, spec) if graded else ())])


def edge_line(brief: Brief, spec: SceneSpec) -> str:
    """Return what the elements at hand are worth: plan and prose say it in the same words."""
    options: list[str] = frames_of(brief.language)["edge"]
    return fill(framed(brief, options, "edge", spec.index), slot_values(brief, spec))


def resolution(brief: Brief, spec: SceneSpec) -> list[str]:
    """Return the sentences that say when which outcome holds, by the labels of the scene's outcomes."""
    frames = frames_of(brief.language)
    drafts = outcomes(brief, spec)
    labels: dict[str, str] = {}
    for draft in drafts:
        labels.setdefault(degree_of(draft.label), draft.label)
    labels["failure"] = labels.get("failure") or labels.get("critical_failure", "")
    labels["success"] = labels.get("success") or labels.get("critical_success", "")
    options: list[str] = frames["resolve_fight" if is_by_fight(spec) else "resolve"]
    said = [fill(framed(brief, options, "resolve", spec.index), {"partial": "", **labels})]
    if "critical_success" in labels and labels["critical_success"] != labels["success"]:
        said.append(fill(frames["best"], {"label": labels["critical_success"]}))
    if "critical_failure" in labels and labels["critical_failure"] != labels["failure"]:
        said.append(fill(frames["worst"], {"label": labels["critical_failure"]}))
    return said


def is_by_fight(spec: SceneSpec) -> bool:
    """Tell whether the outcome hangs on a fight rather than on a roll: where the objective is to win it."""
    return spec.is_fight and spec.beat.is_deed and spec.beat.shape.fight


def single_action(brief: Brief, spec: SceneSpec) -> str:
    """Return the player action of a weak draft: a single roll."""
    options: list[str] = phrases_of(brief.language)["single"]
    text = fill(framed(brief, options, "single", spec.index), slot_values(brief, spec))
    return " ".join([text, *resolution(brief, spec)])


def write_scene(brief: Brief, spec: SceneSpec) -> SceneDraft:
    """Return a scene as it should be."""
    return SceneDraft(
        id=spec.id,
        title=title_of(brief, spec),
        place=place_line(brief, spec),
        present=present_line(brief, spec),
        situation=situation_text(brief, spec),
        player_action=action_text(brief, spec),
        outcomes=outcomes(brief, spec),
        state_change=fill(variant(brief, spec, spec.beat.words.state, "state"), slot_values(brief, spec)),
    )
