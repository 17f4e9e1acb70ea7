"""From an outline to scenes: which beats, in which order, with which skills and DCs, and where they lead."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.embedded.beats import Beat, Position, Skill, all_beats, kind_of, load_beats
from agents.embedded.brief import Brief, Cue, Stage, make_stage, type_words
from agents.embedded.grammar import Noun
from agents.embedded.mechanics_text import fitting_dc
from agents.embedded.slots import pick, rng

MOST_SCENES = 40
_WANTED_CHANCE: dict[Position, float] = {"opening": 0.7, "middle": 0.6, "climax": 0.5}
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
    place_text: str
    """The outline's words for the place."""
    stage: Stage
    main: Skill
    other: Skill
    """Skills, by canonical id."""
    main_dc: int
    other_dc: int
    leads_to: str
    """Where its outcomes lead: a scene's id or `end`."""


def position_of(index: int, count: int) -> Position:
    """Return the place of a scene in the arc; a single scene is a climax."""
    if index == count - 1:
        return "climax"
    return "opening" if index == 0 else "middle"


def scene_count(target: int) -> int:
    """Return how many scenes are planned for a wanted number."""
    return max(1, min(MOST_SCENES, target))


def best_bonus(brief: Brief, skill: str) -> int:
    """Return the bonus of the best-suited character."""
    ability = brief.ruleset.ability_of(skill)
    bonuses = [s.bonuses.get(skill, s.bonuses.get(ability)) for s in brief.canon.party]
    known = [bonus for bonus in bonuses if bonus is not None]
    return max(known) if known else default_bonus(brief.level)


def default_bonus(level: int) -> int:
    """Return the bonus of a proficient character of a level: proficiency and an ability modifier of 3."""
    return 2 + (max(1, level) - 1) // 4 + _PROFICIENT


def _candidates(brief: Brief, kind: str, position: Position) -> Iterable[Beat]:
    """Yield beats for a position, the fittest first: the type's own, its companions', then anything."""
    companions = type_words(brief.language)[kind]["companions"]
    for pool in (brief.kinds if kind in brief.kinds else (kind,), companions):
        for name in [kind, *pool] if pool is not companions else pool:
            own = [b for b in _beats(brief.language, name) if position in b.position]
            yield from _shuffled(own, brief.seed, brief.outline.number, name, position)
    for name in [kind, *companions]:
        yield from _shuffled(_beats(brief.language, name), brief.seed, brief.outline.number, name, "any")
    yield from _shuffled(tuple(all_beats(brief.language).values()), brief.seed, brief.outline.number, "all")


def _beats(language: str, kind: str) -> tuple[Beat, ...]:
    try:
        return load_beats(language, kind)
    except FileNotFoundError:
        return ()


def _shuffled(beats: Sequence[Beat], *parts: object) -> list[Beat]:
    copy = list(beats)
    rng(*parts, "beats").shuffle(copy)
    return copy


def choose_beats(brief: Brief, count: int) -> list[Beat]:
    """Return one beat a scene, none twice while there are others. The ends of the arc are chosen first."""
    order = sorted(range(count), key=lambda i: (position_of(i, count) == "middle", i))
    chosen: dict[int, Beat] = {}
    used: set[str] = set()
    for index in order:
        kind = brief.kinds[index % len(brief.kinds)] if index < count - 1 else brief.kinds[0]
        candidates = list(_candidates(brief, kind, position_of(index, count)))
        beat = next((b for b in candidates if b.id not in used), candidates[0])
        used.add(beat.id)
        chosen[index] = beat
    return [chosen[i] for i in range(count)]


def _main_skill(brief: Brief, beat: Beat, before: str, scene_id: str) -> Skill:
    options: list[Skill] = [skill for skill in beat.skills.main if skill != before] or list(beat.skills.main)
    return _named(brief, options) or _apt(brief, options, scene_id, "main")


def _other_skill(brief: Brief, beat: Beat, main: str, scene_id: str) -> Skill:
    options: list[Skill] = [skill for skill in beat.skills.other if skill != main]
    return _named(brief, options) or _apt(brief, options, scene_id, "other")


def _named(brief: Brief, skills: Sequence[Skill]) -> Skill | None:
    """Return the one of the skills that the outline names first, if it names any."""
    named: list[Skill] = [skill for skill in skills if skill in brief.skills]
    return min(named, key=brief.skills.index) if named else None


def _apt(brief: Brief, skills: Sequence[Skill], *parts: object) -> Skill:
    """Return one of the skills at which the party is not much worse than at the best of them."""
    best = max(best_bonus(brief, skill) for skill in skills)
    fit: list[Skill] = [skill for skill in skills if best_bonus(brief, skill) >= best - _FIT_MARGIN]
    return pick(fit, brief.seed, *parts)


def place_of(brief: Brief, index: int, count: int) -> tuple[str, Noun]:
    """Return the words and the forms of a scene's place: the first alternative opens, the last one closes."""
    last = len(brief.places) - 1
    turn = 0 if index == 0 and count > 1 else last if index == count - 1 else index % (last + 1)
    return brief.places[turn]


def plan_scenes(brief: Brief, target: int) -> tuple[SceneSpec, ...]:
    """Return the choices of every scene of a chapter."""
    count = scene_count(target)
    beats = choose_beats(brief, count)
    specs: list[SceneSpec] = []
    before = ""
    for index, beat in enumerate(beats):
        spec = _spec(brief, beat, index, count, before)
        specs.append(spec)
        before = spec.main
    return tuple(specs)


def _spec(brief: Brief, beat: Beat, index: int, count: int, before: str) -> SceneSpec:
    scene_id = f"{brief.outline.number}.{index + 1}"
    position = position_of(index, count)
    kind = kind_of(beat)
    place_text, place = place_of(brief, index, count)
    main = _main_skill(brief, beat, before, scene_id)
    other = _other_skill(brief, beat, main, scene_id)
    wanted = _WANTED_CHANCE[position]
    return SceneSpec(
        id=scene_id,
        index=index,
        beat=beat,
        kind=kind,
        position=position,
        place_text=place_text,
        stage=make_stage(brief, Cue.of(beat, kind, climax=position == "climax"), scene_id, place),
        main=main,
        other=other,
        main_dc=fitting_dc(best_bonus(brief, main), wanted),
        other_dc=fitting_dc(best_bonus(brief, other), wanted + 0.05),
        leads_to=f"{brief.outline.number}.{index + 2}" if index < count - 1 else "end",
    )
