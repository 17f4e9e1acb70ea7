"""From an outline to scenes: which beats, in which order, with which skills and DCs, and where they lead."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.embedded.beats import Beat, Degree, Position, Skill, all_beats, deed_beat, kind_of, moves_of
from agents.embedded.brief import Brief, Place
from agents.embedded.mechanics_text import climb, dc_band
from agents.embedded.outline import Clause, type_words
from agents.embedded.slots import pick, rng
from agents.embedded.stage import Stage, fits, make_stage, opponent_for, share_of

MOST_SCENES = 40
HARD = 3
"""What a DC gains where the designer asks for a high one."""
MOST_HARDER = 8
"""Failures of a chapter that are felt in the next scene's rolls: as many as a played plan can remember."""
_FIT_MARGIN = 3
_PROFICIENT = 3
"""Ability modifier supposed of the best-suited character where the party is not given."""


@dataclass(frozen=True, slots=True)
class SceneSpec:
    """All choices of one scene, before its texts are written."""

    id: str
    index: int
    """From 0."""
    beat: Beat
    kind: str
    position: Position
    stage: Stage
    main: Skill
    other: Skill
    """Skills, by canonical id."""
    main_dc: int
    other_dc: int
    next: str
    """Where a partial success or a failure leads: a scene's id or `end`."""
    spared: str
    """Id of the scene that a success passes over; empty where it leads on like the others."""
    after: str
    """Where a success leads."""
    harder: bool
    """A failure makes the checks of the next scene harder."""
    turn: int
    """Which variants of the beat's texts are told: another one each chapter and each time."""

    def leads_to(self, degree: Degree | None) -> str:
        """Return where an outcome leads: a scene's id or `end`."""
        return self.after if degree == "success" else self.next

    @property
    def is_fight(self) -> bool:
        """Tell whether initiative is rolled here."""
        return self.stage.foe is not None and (self.beat.shape.fight or self.kind == "combat")


def position_of(index: int, count: int) -> Position:
    """Return the place of a scene in the arc; a single scene is a climax."""
    if index == count - 1:
        return "climax"
    return "opening" if index == 0 else "middle"


def scene_count(target: int) -> int:
    """Return how many scenes are planned for a wanted number."""
    return max(1, min(MOST_SCENES, target))


def bonus_of(brief: Brief, sheet_bonuses: dict[str, int], skill: str) -> int | None:
    """Return a character's bonus with a skill, by the skill or its ability; None where neither is known."""
    ability = brief.ruleset.ability_of(skill) if skill in brief.ruleset.skills else skill
    return sheet_bonuses.get(skill, sheet_bonuses.get(ability))


def best_bonus(brief: Brief, skill: str) -> int:
    """Return the bonus of the best-suited character."""
    bonuses = [bonus_of(brief, s.bonuses, skill) for s in brief.canon.party]
    known = [bonus for bonus in bonuses if bonus is not None]
    return max(known) if known else default_bonus(brief.level)


def best_hero(brief: Brief, skill: str) -> str:
    """Return the name of the best-suited character; empty where none has a name."""
    ranked = [(bonus_of(brief, s.bonuses, skill), s.name) for s in brief.heroes]
    known = [(bonus, name) for bonus, name in ranked if bonus is not None]
    return max(known, key=lambda row: row[0])[1] if known else ""


def default_bonus(level: int) -> int:
    """Return the bonus of a proficient character of a level: proficiency and an ability modifier of 3."""
    return 2 + (max(1, level) - 1) // 4 + _PROFICIENT


# --- which beats --------------------------------------------------------------------------------------


def final_clauses(brief: Brief, count: int) -> dict[int, Clause]:
    """Return the scenes that play the objective itself: the last its last part, one before the other."""
    last = {count - 1: brief.clauses[-1]}
    if len(brief.clauses) > 1 and count > 1:
        last[count - 2] = brief.clauses[-2]
    return last


def _candidates(brief: Brief, kind: str, position: Position, place: Place) -> Iterable[Beat]:
    """Yield moves for a position, the fittest first: the type's own, other types', companions'."""
    others = [k for k in brief.kinds if k != kind]
    companions: list[str] = type_words(brief.language)[kind]["companions"]
    names = [kind, *others, *companions] if kind in brief.kinds else [kind, *companions]
    for wanted in (position, None):
        for name in names:
            own = [b for b in moves_of(brief.language, name) if wanted is None or wanted in b.shape.at]
            yield from (b for b in _turned(brief, own, name) if fits(brief, b, place))
    rest = [b for b in all_beats(brief.language).values() if not b.is_deed and fits(brief, b, place)]
    yield from _turned(brief, rest, "all")


def _turned(brief: Brief, beats: Sequence[Beat], name: str) -> list[Beat]:
    """Return moves in the adventure's own order, each chapter from another one on, own types first."""
    primary = [b for b in beats if b.shape.types[0] == name]
    return [
        *_rotated(brief, primary, name),
        *_rotated(brief, [b for b in beats if b not in primary], f"{name}+"),
    ]


def _rotated(brief: Brief, beats: Sequence[Beat], name: str) -> list[Beat]:
    copy = list(beats)
    rng(brief.seed, brief.canon.adventure, name, "beats").shuffle(copy)
    start = brief.outline.number * 2 % len(copy) if copy else 0
    return [*copy[start:], *copy[:start]]


def _kind_of_scene(brief: Brief, index: int) -> str:
    """Return the scene type of a move: the chapter's types by turns; who is freed is reached unseen first."""
    kind = brief.kinds[index % len(brief.kinds)]
    frees = any(clause.deed == "free" for clause in brief.clauses)
    return "stealth" if kind == "protect" and frees else kind


def choose_beats(brief: Brief, count: int) -> list[Beat]:
    """Return one beat a scene, none twice while there are others. The ends of the arc are chosen first."""
    finals = final_clauses(brief, count)
    chosen = {i: deed_beat(brief.language, clause.deed) for i, clause in finals.items()}
    order = sorted(set(range(count)) - set(chosen), key=lambda i: (position_of(i, count) == "middle", i))
    used: list[str] = []
    for index in order:
        kind = _kind_of_scene(brief, index)
        candidates = list(_candidates(brief, kind, position_of(index, count), place_of(brief, index, count)))
        beat = min(candidates, key=lambda b: used.count(b.id))
        used.append(beat.id)
        chosen[index] = beat
    return [chosen[i] for i in range(count)]


def place_of(brief: Brief, index: int, count: int) -> Place:
    """Return a scene's place: the first alternative opens, the last one closes, and nobody goes back."""
    places = brief.places
    return places[-1] if index == count - 1 else places[index * len(places) // count]


# --- where they lead ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Route:
    """Where the outcomes of one scene lead, as indexes."""

    next: int
    after: int
    """Where a success leads: the same, or one scene farther on."""
    harder: bool


def routes_of(brief: Brief, beats: Sequence[Beat]) -> tuple[Route, ...]:
    """Return where each scene's outcomes lead; the index after the last scene is the chapter's end.

    Every other move may spare the party the move that follows it: what is played is decided by the dice,
    and whoever always succeeds still sees most of the chapter. Scenes that play the objective are spared
    to nobody. Where a failure has no other price in points, it makes the next scene harder.
    """
    count = len(beats)
    first_final = min(final_clauses(brief, count))
    found: list[Route] = []
    for index, beat in enumerate(beats):
        spares = index % 2 == 0 and index + 2 <= first_final
        dear = index < count - 1 and (not spares or beat.shape.harm == "none")
        harder = dear and index >= count - 1 - MOST_HARDER
        found.append(Route(index + 1, index + 2 if spares else index + 1, harder))
    return tuple(found)


# --- skills and DCs -----------------------------------------------------------------------------------


def _named(brief: Brief, skills: Sequence[Skill]) -> Skill | None:
    """Return the one of the skills that the outline names first, if it names any."""
    named: list[Skill] = [skill for skill in skills if skill in brief.skills]
    return min(named, key=brief.skills.index) if named else None


def _main_skill(brief: Brief, beat: Beat, before: str, scene_id: str) -> Skill:
    able = _possible(brief, beat, beat.shape.main)
    others: list[Skill] = [skill for skill in _possible(brief, beat, beat.shape.other) if skill != before]
    options: list[Skill] = [skill for skill in able if skill != before] or others[:1] or able
    return _named(brief, options) or _apt(brief, options, scene_id, "main")


def _other_skill(brief: Brief, beat: Beat, main: str, scene_id: str, shone: set[str]) -> Skill:
    """Return the second skill: a named one, else one for a character who has not shone yet."""
    options: list[Skill] = [s for s in _possible(brief, beat, beat.shape.other) if s != main]
    options = options or [s for s in _possible(brief, beat, beat.shape.main) if s != main]
    fresh: list[Skill] = [skill for skill in options if best_hero(brief, skill) not in shone]
    return _named(brief, options) or _apt(brief, fresh or options, scene_id, "other")


_AGAINST: frozenset[Skill] = frozenset({"deception", "intimidation"})
_AMONG: frozenset[Skill] = frozenset({"persuasion", "insight", "performance"})


def _possible(brief: Brief, beat: Beat, skills: Sequence[Skill]) -> list[Skill]:
    """Return the skills for which a scene has somebody: who is not there is not deceived or talked to."""
    if beat.is_deed:
        skills = [skill for skill in skills if skill not in brief.aids] or skills
    if opponent_for(brief, beat):
        return list(skills)
    people = any(not figure.mute for figure in brief.figures)
    barred = _AGAINST if people else _AGAINST | _AMONG
    return [skill for skill in skills if skill not in barred] or list(skills)


def _apt(brief: Brief, skills: Sequence[Skill], *parts: object) -> Skill:
    """Return one of the skills at which the party is not much worse than at the best of them."""
    best = max(best_bonus(brief, skill) for skill in skills)
    fit: list[Skill] = [skill for skill in skills if best_bonus(brief, skill) >= best - _FIT_MARGIN]
    return pick(fit, brief.seed, brief.canon.adventure, *parts)


def _dcs(
    brief: Brief, main: Skill, other: Skill, position: Position, turn: int, *, played: bool
) -> tuple[int, int]:
    """Return the DCs of both ways: by level and place in the arc, never the same, inside the band of odds."""
    base = climb(brief.level, position) + (HARD if brief.hard and played else 0)
    low, high = dc_band(best_bonus(brief, main))
    main_dc = min(high, max(low, base + turn % 2))
    low, high = dc_band(best_bonus(brief, other))
    other_dc = min(high, max(low, base - 1 + turn % 2))
    if other_dc == main_dc:
        other_dc += 1 if other_dc < high else -1
    return main_dc, other_dc


# --- whole chapters -----------------------------------------------------------------------------------


def plan_scenes(brief: Brief, target: int) -> tuple[SceneSpec, ...]:
    """Return the choices of every scene of a chapter."""
    count = scene_count(target)
    beats = choose_beats(brief, count)
    routes = routes_of(brief, beats)
    specs: list[SceneSpec] = []
    shone: set[str] = set()
    for index, beat in enumerate(beats):
        turn = brief.outline.number + sum(b.id == beat.id for b in beats[:index])
        before = specs[-1].main if specs else ""
        spec = _spec(brief, beat, index, routes, turn, before, shone)
        specs.append(spec)
        shone |= {best_hero(brief, spec.main), best_hero(brief, spec.other)}
    return tuple(specs)


def _spec(
    brief: Brief, beat: Beat, index: int, routes: Sequence[Route], turn: int, before: str, shone: set[str]
) -> SceneSpec:
    count, route = len(routes), routes[index]
    scene_id = _id(brief, index, count)
    position = position_of(index, count)
    main = _main_skill(brief, beat, before, scene_id)
    other = _other_skill(brief, beat, main, scene_id, shone | {best_hero(brief, main)})
    clause = final_clauses(brief, count).get(index, brief.clauses[0])
    place = place_of(brief, index, count)
    stage = make_stage(brief, beat, place, clause, share_of(brief, index, count), turn + index)
    main_dc, other_dc = _dcs(brief, main, other, position, turn + index, played=beat.is_deed)
    return SceneSpec(
        id=scene_id,
        index=index,
        beat=beat,
        kind=kind_of(beat, brief.kinds[0]),
        position=position,
        stage=stage,
        main=main,
        other=other,
        main_dc=main_dc,
        other_dc=other_dc,
        next=_id(brief, route.next, count),
        spared=_id(brief, route.next, count) if route.after != route.next else "",
        after=_id(brief, route.after, count),
        harder=route.harder,
        turn=turn,
    )


def _id(brief: Brief, index: int, count: int) -> str:
    return f"{brief.outline.number}.{index + 1}" if index < count else "end"
