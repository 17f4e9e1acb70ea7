"""Claims in words: the canonical way to print each, with its article where the language wants one."""

from collections.abc import Callable
from typing import Any

from rules.claims.model import (
    ActionUse,
    Advantage,
    ArmorBonus,
    ArmorClass,
    Attack,
    BareDC,
    Check,
    CheckOption,
    Claim,
    Condition,
    Cover,
    Critical,
    Damage,
    DCChange,
    Dice,
    Difficulty,
    Distance,
    Duration,
    Fall,
    HitPoints,
    Named,
    Roll,
    Save,
    Sense,
    Spell,
    TermUse,
)
from rules.claims.phrasing import Phrases, phrases
from rules.ruleset import Kind, Ruleset


class Printer:
    """Prints claims with the words of one ruleset in one language."""

    def __init__(self, language: str, ruleset: Ruleset) -> None:
        """Keep the templates and the words."""
        self.language = language
        self.ruleset = ruleset
        self.say: Phrases = phrases(language)

    def word(self, kind: Kind, named: Named) -> str:
        """Return the canonical word, or what the text wrote where the ruleset has none."""
        return named.text if named.id is None else self.ruleset.printed(kind, named.id, self.language)

    # --- checks and saves

    def options(self, options: tuple[CheckOption, ...], joined: str, one: str = "option") -> str:
        """Return alternatives; skills of one ability that follow each other share its bracket."""
        groups: list[tuple[str, list[str]]] = []
        for option in options:
            ability, skill = self._option(option)
            if groups and skill and groups[-1][0] == ability and groups[-1][1]:
                groups[-1][1].append(skill)
            else:
                groups.append((ability, [skill] if skill else []))
        parts = tuple(self._group(ability, skills, joined, one) for ability, skills in groups)
        return self.say.join(parts, joined)

    def _group(self, ability: str, skills: list[str], joined: str, one: str) -> str:
        skill = self.say.join(tuple(skills), joined)
        if ability and skill:
            return self.say.fill(one, ability=ability, skill=skill)
        word = ability or skill
        return word if one != "option" else self.say.fill("option_bare", word=word)

    def _option(self, option: CheckOption) -> tuple[str, str]:
        skill = self.word("skill", option.skill) if option.skill else option.note
        if option.ability is not None:
            return self.word("ability", option.ability), skill
        if option.skill is not None and option.skill.id is not None:
            ability = self.ruleset.ability_of(option.skill.id)
            return self.ruleset.word("ability", ability, self.language), skill
        return "", skill

    def dcs(self, dcs: tuple[Difficulty, ...]) -> dict[str, str]:
        """Return the texts of the base DC and of the others, for the templates that want them."""
        if not dcs:
            return {"dcs": "", "lower": ""}
        plain = "/".join(str(d.value) for d in dcs if not d.condition) or str(dcs[0].value)
        conditional = (d for d in dcs[1:] if d.condition)
        lower = "".join(
            self.say.fill("dcs_lower", value=str(d.value), condition=d.condition) for d in conditional
        )
        base = self.say.fill("dcs", value=plain)
        # Where the base DC comes first its alternatives come last; else they follow it at once.
        return {"dcs": base, "lower": lower} if base.endswith(" ") else {"dcs": base + lower, "lower": lower}

    def check(self, claim: Check) -> str:
        """Print a check."""
        values = {"options": self.options(claim.options, claim.joined), **self.dcs(claim.dcs)}
        if claim.form == "passive":
            return self._passive(claim)
        if claim.against:
            against = self.options(claim.against, "or", "contest_side")
            return self.say.fill("contest", against=against, **values)
        return self.say.fill("check", **values)

    def _passive(self, claim: Check) -> str:
        first = claim.options[0]
        kind, named = ("skill", first.skill) if first.skill else ("ability", first.ability)
        word = self.word(kind, named) if named else ""  # type: ignore[arg-type]
        value = "" if claim.dc is None else f" {claim.dc}"
        return self.say.fill("passive", word=word, value=value)

    def save(self, claim: Save) -> str:
        """Print a saving throw."""
        values = self.dcs(claim.dcs)
        if claim.death:
            word = self.ruleset.word("term", "death_save", self.language)
            return self.say.fill("death_save", word=word, **values)
        if not claim.abilities:
            return self.say.fill("save_bare", **values)
        options = tuple(CheckOption(None, ability) for ability in claim.abilities)
        return self.say.fill("save", options=self.options(options, "or"), **values)

    def bare_dc(self, claim: BareDC) -> str:
        """Print a DC of its own."""
        return self.say.fill("dc_escape" if claim.escape else "dc", value=str(claim.dc))

    def dc_change(self, claim: DCChange) -> str:
        """Print a change of a DC."""
        if claim.by is not None:
            return self.say.fill("dc_change", signed=f"{claim.by:+d}")
        return self.say.fill("dc_new", values=self.say.join(tuple(map(str, claim.to)), "or"))

    # --- figures

    def attack(self, claim: Attack) -> str:
        """Print an attack bonus or roll."""
        if claim.bonus is None:
            return self.say.fill("attack_bare")
        return self.say.fill("attack", signed=f"{claim.bonus:+d}")

    def armor_class(self, claim: ArmorClass) -> str:
        """Print an Armor Class."""
        return self.say.fill("armor_class", value=str(claim.value))

    def armor_bonus(self, claim: ArmorBonus) -> str:
        """Print a change of Armor Class."""
        return self.say.fill("armor_bonus", signed=f"{claim.value:+d}")

    def hit_points(self, claim: HitPoints) -> str:
        """Print hit points."""
        amount = _amount(claim.value, claim.dice)
        return self.say.fill("hit_points_temporary" if claim.temporary else "hit_points", amount=amount)

    def damage(self, claim: Damage) -> str:
        """Print damage."""
        amount = _amount(claim.amount, claim.dice)
        if not claim.types:
            return self.say.fill("damage_bare", amount=amount)
        types = self.say.join(tuple(self.word("damage_type", t) for t in claim.types), "or")
        return self.say.fill("damage", amount=amount, types=types)

    def roll(self, claim: Roll) -> str:
        """Print dice."""
        return str(claim.dice)

    # --- measures

    def measure(self, value: float, low: float | None, unit: str) -> dict[str, str]:
        """Return the texts of a number with its unit, for the templates that want them."""
        names = self.ruleset.units[unit].names[self.language]
        word = names.word if value == 1 and low is None else names.plural or names.word
        number = self.say.number(value)
        parts = {"value": number, "unit": word, "single": names.word}
        if low is None:
            return {**parts, "measure": self.say.fill("measure", **parts)}
        return {**parts, "measure": self.say.fill("range", low=self.say.number(low), **parts)}

    def distance(self, claim: Distance) -> str:
        """Print a length in the unit in which it was written."""
        per = claim.metres / claim.value if claim.value else 1.0
        low = None if claim.low is None else round(claim.low / per, 4)
        return self.say.fill_text(self.say.shapes[claim.shape], self.measure(claim.value, low, claim.unit))

    def duration(self, claim: Duration) -> str:
        """Print a time; a point in time is printed as written."""
        if claim.dice is not None:
            names = self.ruleset.units[claim.unit].names[self.language]
            return f"{claim.dice} {names.plural or names.word}"
        if claim.value is None:
            return " ".join(claim.quote.split())
        parts = self.measure(claim.value, claim.low, claim.unit)
        return self.say.fill("duration_every" if claim.every else "duration", **parts)

    def fall(self, claim: Fall) -> str:
        """Print a fall, its height in metres."""
        if claim.metres is None:
            return self.say.fill("fall_bare")
        return self.say.fill("fall", **self.measure(claim.metres, None, "metre"))

    # --- states and actions

    def condition(self, claim: Condition) -> str:
        """Print a condition as a noun phrase."""
        named = claim.condition
        noun = named.id is not None and self.ruleset.conditions[named.id].noun
        return self.say.fill("condition_noun" if noun else "condition", word=self.word("condition", named))

    def cover(self, claim: Cover) -> str:
        """Print cover with the bonus that the text states."""
        word = self.word("cover", claim.degree)
        if claim.bonus is None:
            return self.say.fill("cover", word=word)
        return self.say.fill("cover_bonus", word=word, signed=f"{claim.bonus:+d}")

    def advantage(self, claim: Advantage) -> str:
        """Print advantage or disadvantage."""
        word = self.say.advantage[claim.mode]
        if not claim.applies:
            return self.say.fill_text(self.say.advantage_on["any"], {"word": word})
        key = "ranged" if claim.ranged and claim.applies == "attacks" else claim.applies
        return self.say.fill_text(self.say.advantage_on[key], {"word": word})

    def action(self, claim: ActionUse) -> str:
        """Print what is spent, or an action by name."""
        named = claim.action
        word = self.word("action", named)
        entry = self.ruleset.actions.get(named.id or "")
        if entry is not None and not entry.economy:
            return self.say.fill("action_named", word=word)
        article = entry.names[self.language].article if entry else ""
        return self.say.fill("action", word=word, article=article or self.say.article.plain)

    def critical(self, claim: Critical) -> str:
        """Print an extreme result."""
        return self.say.critical[claim.what]

    def sense(self, claim: Sense) -> str:
        """Print a special sense with its range in metres."""
        word = self.word("sense", claim.sense)
        if claim.metres is None:
            return self.say.fill("sense", word=word)
        return self.say.fill("sense_range", word=word, **self.measure(claim.metres, None, "metre"))

    def spell(self, claim: Spell) -> str:
        """Print a spell."""
        return self.say.fill("spell", word=self.word("spell", claim.spell))

    def term(self, claim: TermUse) -> str:
        """Print a term."""
        return self.word("term", claim.term)


_PRINTERS: dict[str, Callable[[Printer, Any], str]] = {
    "check": Printer.check,
    "save": Printer.save,
    "dc": Printer.bare_dc,
    "dc_change": Printer.dc_change,
    "attack": Printer.attack,
    "armor_class": Printer.armor_class,
    "armor_bonus": Printer.armor_bonus,
    "hit_points": Printer.hit_points,
    "damage": Printer.damage,
    "roll": Printer.roll,
    "distance": Printer.distance,
    "duration": Printer.duration,
    "condition": Printer.condition,
    "cover": Printer.cover,
    "advantage": Printer.advantage,
    "action": Printer.action,
    "critical": Printer.critical,
    "fall": Printer.fall,
    "sense": Printer.sense,
    "spell": Printer.spell,
    "term": Printer.term,
}


def _amount(value: int | None, dice: Dice | None) -> str:
    if value is None:
        return str(dice) if dice else ""
    return f"{value} ({dice})" if dice else str(value)


def phrase(claim: Claim, language: str, ruleset: Ruleset) -> str:
    """Return the canonical words and numbers of a claim, with their article where the language wants one.

    `una prueba de Fuerza (Atletismo) CD 15`; `a DC 15 Strength (Athletics) check`. A word that the ruleset
    lacks is printed as written.

    Raises:
        UnknownLanguageError: there are no phrases for the language.
    """
    printer = Printer(language, ruleset)
    known = _PRINTERS.get(claim.kind)
    return known(printer, claim) if known else printer.say.fill(claim.kind)
