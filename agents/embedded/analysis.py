"""What is wrong with a plan, found by counting: the heuristics behind both reviewers and the reviser.

Everything is recomputed from the plan's own text, so that it holds for anybody's plan.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from agents.embedded.brief import Brief
from agents.embedded.drafting import degree_of_label
from agents.embedded.frames import frames_of
from agents.embedded.mechanics_text import LOWEST_CHANCE, chance, phrases_of
from agents.embedded.outline import fold_tokens
from agents.embedded.scenes import bonus_of, default_bonus
from agents.types import CheckOdds
from concilio.domain.debate import Severity
from concilio.domain.plan import Proposal, ScenePlan
from rules.claims.extract import extract
from rules.claims.model import Check
from rules.document import Passage

EASIEST_CHANCE = 0.90
"""Probability for the best-suited character from which a check is no test any more."""
CHECKER_KINDS = frozenset(
    {"odds_hard", "odds_easy", "no_partial", "leads_nowhere", "indistinct", "flat_dc", "rule_unused"}
)
CRITIC_KINDS = frozenset(
    {"single_roll", "same_skill", "unknown_name", "unused_element", "no_end", "idle_member"}
)
FLAT_FROM = 4
"""Checks of a chapter from which one and the same DC for all is a fault."""
IDLE_FROM = 3
"""Checks of a chapter from which somebody without a task is a fault."""
IDLE_MARGIN = 3
"""How far below the best a character is at every check that has nothing to do."""
_LETTERS_OF_A_THING = 4


@dataclass(frozen=True, slots=True)
class CheckFact:
    """One check of a scene with its odds for the party."""

    quote: str
    """As the plan writes it."""
    traits: tuple[str, ...]
    """Skills or abilities, by canonical id."""
    dc: int
    dc_start: int
    """Offset of the DC's digits in the field's text."""
    dc_end: int
    field: str
    """`situation` or `player_action`."""
    best_name: str
    """Best-suited character; empty where the party is not given."""
    best_chance: float
    """Probability for that character, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a plan."""

    kind: str
    scene: str
    field: str
    severity: Severity
    values: Mapping[str, str] = dataclass_field(default_factory=dict[str, str])
    """What its text says of it: the check, its chance, a name, the skill."""


def checks_of(brief: Brief, scene: ScenePlan, odds: Iterable[CheckOdds] = ()) -> tuple[CheckFact, ...]:
    """Return the checks of a scene in order; the engine's odds win over our own arithmetic."""
    known = {(o.trait, o.dc): o for o in odds if o.scene == scene.id}
    found: list[CheckFact] = []
    for name in ("situation", "player_action"):
        text: str = getattr(scene, name)
        for claim in extract(Passage(text, 0), brief.language, brief.ruleset):
            if isinstance(claim, Check) and claim.dcs and claim.form == "check":
                found.append(_fact(brief, claim, name, known))
    return tuple(found)


def _fact(brief: Brief, claim: Check, name: str, known: Mapping[tuple[str, int], CheckOdds]) -> CheckFact:
    traits = claim.skills or claim.abilities
    dc = claim.dcs[0]
    given = [known[t, dc.value] for t in traits if (t, dc.value) in known]
    if given:
        best = max(given, key=lambda o: o.best_chance)
        best_name, best_chance = best.best_name, best.best_chance
    else:
        best_name, bonus = _best(brief, traits)
        best_chance = chance(bonus, dc.value)
    return CheckFact(claim.quote, traits, dc.value, dc.start, dc.end, name, best_name, best_chance)


def _best(brief: Brief, traits: Sequence[str]) -> tuple[str, int]:
    """Return the name and the bonus of the best-suited character."""
    rows = [(s.bonuses[t], s.name) for s in brief.canon.party for t in traits if t in s.bonuses]
    if not rows:
        return "", default_bonus(brief.level)
    bonus, name = max(rows, key=lambda row: row[0])
    return name, bonus


# --- the faults ---------------------------------------------------------------------------------------


def problems_of(brief: Brief, plan: Proposal, odds: Sequence[CheckOdds] = ()) -> tuple[Problem, ...]:
    """Return every fault of a plan, scene by scene."""
    checks = {scene.id: checks_of(brief, scene, odds) for scene in plan.scenes}
    found: list[Problem] = []
    for i, scene in enumerate(plan.scenes):
        before = checks[plan.scenes[i - 1].id] if i else ()
        found += _odds_problems(brief, scene, checks[scene.id])
        found += _roll_problems(brief, scene, checks[scene.id], before)
        found += _outcome_problems(plan, scene)
        found += _name_problems(brief, scene)
    return (*found, *_chapter_problems(brief, plan, checks))


# --- faults of the whole chapter ----------------------------------------------------------------------


def _chapter_problems(
    brief: Brief, plan: Proposal, checks: Mapping[str, Sequence[CheckFact]]
) -> Iterator[Problem]:
    if not plan.scenes:
        return
    last = plan.scenes[-1].id
    dcs = [check.dc for own in checks.values() for check in own]
    if len(dcs) >= FLAT_FROM and len(set(dcs)) == 1:
        yield Problem("flat_dc", last, "player_action", "major", {"dc": str(dcs[0])})
    yield from _unplayed(brief, plan)
    yield from _endless_fights(brief, plan)
    yield from _idle(brief, [check for own in checks.values() for check in own], last)


def _scene_for(plan: Proposal, index: int, count: int) -> str:
    """Return the scene in which the designer's index-th of some things is best played."""
    return plan.scenes[min(len(plan.scenes) - 1, index * len(plan.scenes) // max(1, count))].id


def _unplayed(brief: Brief, plan: Proposal) -> Iterator[Problem]:
    """Yield what the outline gives and no scene uses: elements that can be touched, and table notes."""
    said = "\n".join(
        f"{s.place} {s.situation} {s.player_action} {' '.join(o.text for o in s.outcomes)}"
        for s in plan.scenes
    )
    tokens = {token[:-1] for token in fold_tokens(said)} | set(fold_tokens(said))
    for i, element in enumerate(brief.elements):
        if element.noun and not _told(element.noun.the, tokens):
            scene = _scene_for(plan, i, len(brief.elements))
            yield Problem("unused_element", scene, "player_action", "major", {"name": element.noun.the})
    for i, note in enumerate(brief.notes[: len(plan.scenes)]):
        if note.label.casefold() not in said.casefold():
            scene = plan.scenes[-1 if i == 0 else i - 1].id
            yield Problem("rule_unused", scene, "situation", "major", {"label": note.label})


def _told(thing: str, tokens: set[str]) -> bool:
    """Tell whether a text names a thing: by its first telling word, the plural left out."""
    words = [word for word in fold_tokens(thing) if len(word) >= _LETTERS_OF_A_THING]
    return not words or any(word in tokens or word[:-1] in tokens for word in words)


def _endless_fights(brief: Brief, plan: Proposal) -> Iterator[Problem]:
    """Yield the fights of a chapter of combat of which no scene says when they end."""
    frames = frames_of(brief.language)
    ends: list[str] = frames["end_words"]
    fights: list[str] = frames["fight_words"]
    for scene in plan.scenes if "combat" in brief.kinds else ():
        told = scene.situation.casefold()
        if any(word in told for word in fights) and not any(word in told for word in ends):
            yield Problem("no_end", scene.id, "situation", "major")


def _idle(brief: Brief, checks: Sequence[CheckFact], scene: str) -> Iterator[Problem]:
    """Yield the first character with a name who is far behind at every check of the chapter."""
    if len(checks) < IDLE_FROM:
        return
    for hero in brief.heroes:
        bonuses = {
            t: b for c in checks for t in c.traits if (b := bonus_of(brief, hero.bonuses, t)) is not None
        }
        best = {t: _best(brief, [t])[1] for t in bonuses}
        if bonuses and all(best[t] - bonus > IDLE_MARGIN for t, bonus in bonuses.items()):
            yield Problem("idle_member", scene, "player_action", "major", {"name": hero.name})
            return


def _odds_problems(brief: Brief, scene: ScenePlan, checks: Sequence[CheckFact]) -> Iterator[Problem]:
    for check in checks:
        if LOWEST_CHANCE - 0.001 <= check.best_chance <= EASIEST_CHANCE:
            continue
        kind = "odds_hard" if check.best_chance < LOWEST_CHANCE else "odds_easy"
        values = {
            "check": check.quote,
            "chance": f"{check.best_chance * 100:.0f}",
            "best": ("" if brief.invented else check.best_name) or phrases_of(brief.language)["party_best"],
            "dc": str(check.dc),
        }
        yield Problem(kind, scene.id, check.field, "major", values)


def _roll_problems(
    brief: Brief, scene: ScenePlan, checks: Sequence[CheckFact], before: Sequence[CheckFact]
) -> Iterator[Problem]:
    degrees = {degree_of_label(outcome.label) for outcome in scene.outcomes}
    if len(checks) == 1 and len(checks[0].traits) < 2 and {"success", "failure"} <= degrees:
        yield Problem("single_roll", scene.id, "player_action", "major", {"check": checks[0].quote})
    if checks and before and checks[0].traits[:1] == before[0].traits[:1] and checks[0].traits:
        trait = checks[0].traits[0]
        kind = "skill" if trait in brief.ruleset.skills else "ability"
        word = brief.ruleset.word(kind, trait, brief.language)
        yield Problem("same_skill", scene.id, "player_action", "minor", {"skill": word})


def _outcome_problems(plan: Proposal, scene: ScenePlan) -> Iterator[Problem]:
    degrees = [degree_of_label(outcome.label) for outcome in scene.outcomes]
    rolled = "success" in degrees and "failure" in degrees
    if rolled and "partial" not in degrees and None not in degrees:
        yield Problem("no_partial", scene.id, "outcomes", "major")
    ids = {s.id for s in plan.scenes} | {"end"}
    for outcome in scene.outcomes:
        if outcome.leads_to not in ids:
            yield Problem("leads_nowhere", scene.id, "outcomes", "major", {"label": outcome.label})
    texts = [outcome.text.casefold() for outcome in scene.outcomes]
    if len(set(texts)) < len(texts):
        yield Problem("indistinct", scene.id, "outcomes", "major")


def _name_problems(brief: Brief, scene: ScenePlan) -> Iterator[Problem]:
    for name in unknown_names(brief, scene.present):
        yield Problem("unknown_name", scene.id, "present", "major", {"name": name})


def unknown_names(brief: Brief, present: str) -> tuple[str, ...]:
    """Return the proper names of a scene's *present* line that are neither in the cast nor in the party."""
    known: set[str] = set()
    for person in [*brief.canon.cast, *brief.canon.party]:
        known.update(_stems(person.name))
    if not brief.canon.cast:
        return ()
    found = (_proper_part(piece, brief) for piece in _pieces(present))
    return tuple(name for name in found if name and not known & set(_stems(name)))


def _stems(text: str) -> list[str]:
    """Return the words of a name, plural endings left out, so that `Guardias` is known by `Guardia`."""
    return [word.removesuffix("s").removesuffix("e") for word in fold_tokens(text) if len(word) > 2]


def _pieces(present: str) -> list[str]:
    text = present.strip(" .")
    for mark in (";", " y ", " e ", " and ", "(", ")"):
        text = text.replace(mark, ",")
    return [piece.strip() for piece in text.split(",") if piece.strip()]


def _proper_part(piece: str, brief: Brief) -> str:
    """Return the run of capitalised words of a piece, empty where it is no name."""
    common = frozenset(phrases_of(brief.language)["no_names"].split())
    tokens = piece.split()
    capital = [token for token in tokens if token[0].isupper() and token.casefold() not in common]
    sentence_start = bool(tokens) and capital == tokens[:1] and len(tokens) > 1
    return "" if not capital or sentence_start else " ".join(capital)
