"""Called shots in I&A: limbs disabled for a while, crippled or severed, and how they are mended."""

from collections.abc import Mapping
from typing import Any

from rules.fights.ia import checks
from rules.fights.model import Intent
from rules.fights.setup import whole
from rules.fights.state import Table


def _with(table: Table, name: str, limb: str, **state: Any) -> Mapping[str, Mapping[str, Any]]:
    limbs = table[name].limbs
    return {name: {"limbs": {**limbs, limb: {**limbs.get(limb, {}), **state}}}}


def called_shot(table: Table, intent: Intent, target: str, final: float) -> None:
    """Disable the part that was aimed at; a hard enough blow may cripple or sever it.

    Source: I&A 6, called shots.
    """
    rules, limb = table.rules.combat.limbs, intent.limb
    if rules is None or limb is None:
        return
    seconds = whole(final * rules.disabled_seconds_per_damage)
    count = table[target].limbs.get(limb, {}).get("count", 0)
    if final <= rules.cripple_above:
        table.tell(
            "disabled", _with(table, target, limb, disabled_s=seconds), who=target, limb=limb, seconds=seconds
        )
    elif intent.sever:
        bleeds = "external_bleeding" in rules.effects.get("severed", ())
        changes = _with(table, target, limb, severed=True, count=count + 1)
        table.tell("severed", {target: {**changes[target], "bleeding": bleeds}}, who=target, limb=limb)
    else:
        table.tell(
            "crippled", _with(table, target, limb, crippled=True, count=count + 1), who=target, limb=limb
        )


def heal(table: Table, intent: Intent) -> None:
    """Restore Health by magic: more than a tenth of it mends a crippled limb; a named art mends all.

    Source: I&A 6, crippled and severed.
    """
    name, rules = intent.target or intent.who, table.rules.combat.limbs
    status = table[name]
    left = whole(min(status.max_hp, status.hp + intent.amount))
    values = {"who": name, "by": intent.who, "amount": whole(left - status.hp), "left": left}
    table.tell("healed", {name: {"hp": left, "unconscious": False}}, **values)
    for limb, state in dict(status.limbs).items():
        enough = rules is not None and intent.amount > rules.healed_by_magic_share * status.max_hp
        lasting = state.get("severed") or state.get("permanent")
        if intent.item or (state.get("crippled") and enough and not lasting):
            whole_limb = _with(table, name, limb, crippled=False, severed=False, permanent=False, count=0)
            closed = {"bleeding": False} if state.get("severed") else {}
            table.tell("mended", {name: {**whole_limb[name], **closed}}, who=name, limb=limb)


def mend(table: Table, intent: Intent) -> bool:
    """Treat a limb with a medicine kit.

    Source: I&A 6, crippled: DR 18, then rest; severed: DR 25, and what a partial success does.
    """
    rules, limb = table.rules.combat.limbs, intent.limb
    state = table[intent.target].limbs.get(limb or "", {})
    if rules is None or limb is None or not (state.get("severed") or state.get("crippled")):
        table.tell("cannot", who=intent.who, target=intent.target, deed=intent.do)
        return False
    severed = bool(state.get("severed"))
    degree = checks.check(
        table, intent.who, "medicine_kit", rules.severed_dr if severed else rules.crippled_dr
    )
    if degree == "success" and severed:
        changes = _with(table, intent.target, limb, severed=False)
        changes = {intent.target: {**changes[intent.target], "bleeding": False}}
        table.tell("reattached", changes, who=intent.target, limb=limb)
    elif degree == "success":
        table.tell("treated", _with(table, intent.target, limb, treated=True), who=intent.target, limb=limb)
    elif degree == "partial" and severed:
        _partial(table, intent.target, limb)
    return degree == "success"


def _partial(table: Table, name: str, limb: str) -> None:
    rules = table.rules.combat.limbs
    assert rules is not None
    table.tell("bleeding_stops", {name: {"bleeding": False}}, who=name, limb=limb)
    if table.dice.face(100) <= rules.infected_chance * 100:
        table.tell("infected", _with(table, name, limb, infected=True), who=name, limb=limb)
    if table.dice.face(100) <= rules.crippled_chance * 100:
        table.tell("permanent", _with(table, name, limb, permanent=True), who=name, limb=limb)


def rest(table: Table, name: str) -> None:
    """Rest until Health is whole: treated limbs serve again."""
    table.tell("rests", {name: {"hp": table[name].max_hp}}, who=name)
    for limb, state in dict(table[name].limbs).items():
        if state.get("treated"):
            changes = _with(table, name, limb, crippled=False, treated=False, count=0)
            table.tell("mended", changes, who=name, limb=limb)


def time_passes(table: Table, seconds: float) -> None:
    """Let disabled limbs come back, and untreated crippled ones turn bad after a day."""
    rules = table.rules.combat.limbs
    if rules is None:
        return
    for name, status in list(table.status.items()):
        for limb, state in dict(status.limbs).items():
            left = state.get("disabled_s", 0)
            if left:
                after = whole(max(0, left - seconds))
                kind = "limb_back" if after == 0 else "limb_time"
                table.tell(
                    kind, _with(table, name, limb, disabled_s=after), who=name, limb=limb, seconds=after
                )
            _turn_bad(table, name, limb, seconds / 3600, rules.hours)


def _turn_bad(table: Table, name: str, limb: str, hours: float, most: float) -> None:
    state = table[name].limbs[limb]
    if not state.get("crippled") or state.get("treated") or state.get("permanent"):
        return
    since = state.get("hours", 0) + hours
    if since > most:
        table.tell("permanent", _with(table, name, limb, permanent=True, hours=since), who=name, limb=limb)
    elif hours >= 0.01:  # rounds of 3 seconds are not worth a line each
        table.tell("limb_waits", _with(table, name, limb, hours=since), who=name, limb=limb)
