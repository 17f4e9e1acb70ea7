"""A stat block and a scene's rolls in words: what the printed forms of a chapter share."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from concilio.catalogue import has_text, say
from concilio.export.book import Book, Deed, Monster, Roll

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
OF_THE_SRD = "srd5e"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A stat block as it is printed."""

    name: str
    kind: str
    """The line below its name; may be empty."""
    top: tuple[tuple[str, str], ...]
    """Labels and texts above the abilities."""
    abilities: tuple[tuple[str, str], ...]
    """Short forms and what stands below them; empty where none is stated."""
    rest: tuple[tuple[str, str], ...]
    deeds: tuple[tuple[str, str], ...]


def signed(value: int) -> str:
    """Return a bonus as it is printed: `+3`, and `−1` with a true minus."""
    return f"{value:+d}".replace("-", "\u2212")


class Printer:
    """Says things of a book in its language."""

    def __init__(self, book: Book, ruleset: "Ruleset") -> None:
        self.language = book.language
        self.ruleset = ruleset

    def say(self, key: str, **values: object) -> str:
        """Return a text of this catalogue in the book's language."""
        return say(f"export.{key}", self.language, **values)

    @property
    def credits(self) -> str:
        """What made this, and whose material is in it: the licence of the SRD asks for that."""
        of_srd = OF_THE_SRD in (self.ruleset.id, self.ruleset.extends)
        return self.say("made_with") + (f" {self.say('srd')}" if of_srd else "")

    def named(self, group: str, id: str) -> str:
        """Return the catalogue's word of an id; what it does not know stays as it is."""
        key = f"{group}.{id}"
        return self.say(key) if id and has_text(f"export.{key}", self.language) else id

    def word(self, kind: str, id: str) -> str:
        """Return the ruleset's word of a thing; what it does not know stays as it is."""
        try:
            return self.ruleset.word(kind, id, self.language)  # type: ignore[arg-type]
        except KeyError:
            return id.replace("_", " ")

    def roll(self, roll: Roll) -> str:
        """Return what is rolled (`Sabiduría (Perspicacia)`, `Salvación de Destreza`)."""
        return self.say("save_of", ability=roll.name) if roll.kind == "save" else roll.name

    def dc(self, roll: Roll) -> str:
        """Return its DC as printed (`CD 15 / 12`, `CD 15 con ventaja`)."""
        told = self.say("dc", dcs=" / ".join(str(dc) for dc in roll.dcs))
        return told if roll.mode == "normal" else f"{told} {self.say(f'mode.{roll.mode}')}"

    def leads(self, to: str | None) -> str:
        """Return where an outcome leads; empty where the plan does not say."""
        if not to:
            return ""
        return self.say("to_end") if to == "end" else self.say("to_scene", id=to)

    def sheet(self, monster: Monster) -> Sheet:
        """Return a stat block as it is printed."""
        kind = " ".join(
            part for part in (self.named("type", monster.type), self.named("size", monster.size)) if part
        )
        if self.say("unit.name") != "m":  # English puts the size first
            kind = " ".join(reversed(kind.split(" ")))
        name = (
            f"{monster.name} {self.say('stat.count', count=monster.count)}"
            if monster.count > 1
            else monster.name
        )
        return Sheet(
            name=name,
            kind=". ".join(part[:1].upper() + part[1:] for part in (kind, monster.note) if part),
            top=tuple(_filled(self._top(monster))),
            abilities=tuple(self._abilities(monster)),
            rest=tuple(_filled(self._rest(monster))),
            deeds=tuple((deed.name, self.deed(deed)) for deed in monster.deeds),
        )

    def _top(self, monster: Monster) -> Iterator[tuple[str, str]]:
        yield self.say("stat.ac"), "" if monster.ac is None else str(monster.ac)
        dice = f" ({monster.hit_dice})" if monster.hit_dice else ""
        yield self.say("stat.hp"), "" if monster.hp is None else f"{monster.hp}{dice}"
        yield self.say("stat.speed"), ", ".join(self._way(*each) for each in monster.speeds.items())

    def _way(self, way: str, length: str) -> str:
        known = has_text(f"export.way.{way}", self.language)
        return self.say(f"way.{way}", length=length) if known else f"{way} {length}"

    def _abilities(self, monster: Monster) -> Iterator[tuple[str, str]]:
        if not monster.abilities:
            return
        for ability in ABILITIES:
            score = monster.abilities.get(ability)
            text = "—" if score is None else f"{score} ({signed((score - 10) // 2)})"
            yield self._short(ability), text

    def _short(self, ability: str) -> str:
        names = self.ruleset.abilities[ability].names[self.language]
        return names.abbr[0] if names.abbr else names.word

    def _rest(self, monster: Monster) -> Iterator[tuple[str, str]]:
        yield self.say("stat.saves"), self._bonuses("ability", monster.saves)
        yield self.say("stat.skills"), self._bonuses("skill", monster.skills)
        for key in ("vulnerabilities", "resistances", "immunities"):
            yield self.say(f"stat.{key}"), self._list("damage_type", getattr(monster, key))
        yield self.say("stat.condition_immunities"), self._list("condition", monster.condition_immunities)
        yield self.say("stat.senses"), ", ".join(self._sense(*each) for each in monster.senses.items())
        xp = monster.xp is not None
        yield self.say("stat.cr"), self.say("stat.xp", cr=monster.cr, xp=monster.xp) if xp else monster.cr

    def _bonuses(self, kind: str, bonuses: dict[str, int]) -> str:
        return ", ".join(f"{self.word(kind, id)} {signed(bonus)}" for id, bonus in bonuses.items())

    def _list(self, kind: str, ids: Iterable[str]) -> str:
        return ", ".join(self.word(kind, id) for id in ids)

    def _sense(self, sense: str, value: str) -> str:
        if sense == "passive_perception":
            return self.say("stat.passive", value=value)
        return f"{self.word('sense', sense)} {value}"

    def deed(self, deed: Deed) -> str:
        """Return what an action does, in one line."""
        head = ", ".join(self._deed(deed))
        head = head[:1].upper() + head[1:] + "." if head else ""
        return " ".join(part for part in (head, deed.text) if part)

    def _deed(self, deed: Deed) -> Iterator[str]:
        if deed.count > 1:
            yield self.say("stat.times", count=deed.count)
        if deed.attack is not None:
            yield self.say("stat.attack", bonus=signed(deed.attack))
        if deed.reach:
            yield self.say("stat.reach", length=deed.reach)
        if deed.range:
            yield self.say("stat.range", length=deed.range)
        if deed.save_dc is not None:
            yield self._save(deed.save_ability, deed.save_dc)
        if deed.damage:
            yield " + ".join(self.damage(*each) for each in deed.damage)

    def _save(self, ability: str | None, dc: int) -> str:
        if not ability:
            return self.say("stat.save_bare", dc=dc)
        return self.say("stat.save", ability=self.word("ability", ability), dc=dc)

    def damage(self, dice: str, kind: str) -> str:
        """Return dice with the type of their damage (`1d6+1 de daño perforante`)."""
        shown = dice.replace("+", " + ").replace("-", " − ")
        if not kind:
            return self.say("stat.damage_bare", dice=shown)
        known = kind in self.ruleset.damage_types
        word = self.ruleset.printed("damage_type", kind, self.language) if known else kind
        return self.say("stat.damage", dice=shown, type=word)


def _filled(rows: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    return ((label, text) for label, text in rows if text)
