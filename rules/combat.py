"""How a fight goes: what opens and ends it, whose turn it is, what decides an attack, what comes after.

A part that is None, or a list that is empty, is one of which the ruleset says nothing. Words in lists
are ids.
"""

from pydantic import Field

from rules.entries import Amount, Bonus, Count, Measure, Mode, Model, Names, Natural, Share
from rules.figures import DICE, Breath

Ids = tuple[str, ...]


class Opening(Model):
    """When a fight begins and ends."""

    by: Ids = ()
    """What begins one."""
    not_by: Ids = ()
    """What does not, however tense."""
    ends_when_hostiles: Ids = ()
    """A fight is over when every hostile is one of these."""


class Turns(Model):
    """Whose turn it is, and how long that takes."""

    round_seconds: Measure = 6
    """Seconds of the story."""
    order: str = "roll"
    """`roll`: by an initiative roll; `score`: by an ability's score; `answers`: as the players answer."""
    order_abilities: Ids = ()
    """Abilities by which the order is made; the creature chooses where there are several."""
    tie: str = ""
    """What breaks a tie, or what the roll is kept for."""
    groups_share: bool = False
    """Whether many alike act on one turn, by their average."""
    latecomers: str = ""
    """`next_round`: who joins acts after the round in which it came."""
    surprised_miss: Natural = 1
    """Rounds that a surprised creature loses."""
    surprised_attacked: Mode = "normal"
    """How attacks against it are made meanwhile."""
    actions_by: str = ""
    """Ability whose score gives the number of actions; empty: one action a turn."""


class Attacks(Model):
    """What decides an attack, and what takes from its damage."""

    against: str = "armor_class"
    """`armor_class`: a roll must reach it; `none`: attacks are not rolled against a defence."""
    reduced_by: dict[str, str] = {}
    """Defence that takes from damage, by kind of attack (`melee`, `ranged`)."""
    natural_20: bool = False
    """Whether a 20 on the die hits and is critical."""
    natural_1: bool = False
    """Whether a 1 on the die misses."""
    critical_dice: Count = 1
    """How many times the damage dice are rolled on a critical hit."""
    melee_m: Amount | None = None
    """Reach of most melee weapons in metres; 0: who stands at the same point."""
    reach_weapon_m: Amount | None = None
    """Reach of a weapon made to reach."""
    long_range: Mode = "normal"
    at_prone: dict[str, Mode] = {}
    """Attacks against a prone creature, by kind (`melee`, `ranged`)."""
    while_prone: dict[str, Mode] = {}
    """Attacks by a prone creature, by kind (`melee`, `ranged`, `archery`, `firearm`)."""
    ranged_in_melee: dict[str, Mode] = {}
    """Ranged attacks with a foe in reach, by kind of weapon (`any`, `one_handed`, `two_handed`)."""
    ammunition_recovered: Share = 0
    """Share of spent ammunition that can be found again."""
    thrown_stays: bool = False
    """Whether what is thrown lies by its target."""
    light_off_hand: bool = False
    """Whether two light weapons give a second attack."""
    resistance: Share = 0.5
    """What resistance leaves of the damage."""
    overflow: bool = False
    """Whether damage left over from a felling melee blow passes to one creature beside."""
    flanking_bonus: Natural = 0
    """Bonus to every attack for each attacker in melee beyond the first."""
    height_per_metre: Amount = 0
    """Bonus (below) or penalty (above) to ranged attacks for each metre of height between."""
    height_most: Amount = 0
    dual_wield_armor: str = ""
    """What two melee weapons add to armour: the better of the two proficiencies."""
    dual_wield_lost_by: Ids = ()


class Hostiles(Model):
    """What hostile creatures do."""

    act_every_turn: bool = False
    turns_each: Count = 1
    idle_when: Ids = ()
    """The only grounds on which one does nothing."""
    multiattack: dict[str, Count] = {}
    """Attacks a turn by creature id, as the ruleset states them."""
    attack_the_downed: bool = True
    keep_schedule: bool = True
    """Whether who fights still goes about its day."""
    joiners: Ids = ()
    """Who comes in because of a crime."""
    attitudes: Ids = ()
    """From worst to best."""


class Downed(Model):
    """What happens to a creature of the game master's at 0 hit points."""

    spared_by_weapons: Ids = ()
    """Weapons or damage types that knock out."""
    spared_by_words: Ids = ()
    """Intents that knock out."""
    killed_by: Ids = ()
    """What kills all the same."""
    wakes_after_hours: Amount | None = None
    wakes_with_hp: Count = 1
    wakes_earlier_by: Ids = ()
    can_be: Ids = ()
    """What may be done with it meanwhile."""
    finishing_hits: bool = False
    """Whether a blow at it lands without a roll, and kills."""


class Rewards(Model):
    """What a victory gives or costs."""

    loot: bool = False
    xp_for_hostile: bool = True
    xp_for_others: bool = True
    """Whether who was not hostile gives experience."""
    for_others: Ids = ()
    """What killing who was not hostile brings instead."""
    self_defence_is_crime: bool = False
    essential: bool = True
    """Whether there are characters that cannot be killed."""
    fallback: str = ""
    """What carries a plot on whose bearer has died."""


class Band(Model):
    """What an answer in time does."""

    under_s: Measure | None
    """Seconds within which the answer comes; None: later, or never."""
    effect: str


class Windows(Model):
    """A moment in which a player must answer in time."""

    seconds: Measure
    bands: tuple[Band, ...]
    needs: Ids = ()
    in_a_row: Count = 1
    """Most for one character without a success or a turn between."""
    per_enemy: Count = 1
    """Most for one enemy in a fight."""
    absent_defends_by: Ids = ()


class TenseRounds(Model):
    """Rounds in which several players act."""

    players: Count
    """Least number of active players in one place."""
    seconds: Measure
    needs: Ids
    """What makes a place tense; one is enough."""
    missed: str
    """What happens to who did not act."""


class RoleBlock(Model):
    """Figures of somebody by trade, and how a lone character of level 1, who acts first, fares."""

    names: dict[str, Names]
    ac: Count
    hp: Count
    weapon: dict[str, str]
    """By language."""
    damage: str = Field(pattern=DICE)
    attack: Bonus = 4
    """Attack bonus."""
    attacks: Count = 1
    """Blows a turn."""
    fighter_wins: Share
    """Published share of fights that a fighter of level 1 wins."""
    mage_wins: Share
    source: str = ""


class Limbs(Model):
    """Called shots."""

    attack: Mode
    disabled_seconds_per_damage: Amount
    """Seconds for each point of final damage."""
    cripple_above: Natural
    """Final damage above which the attacker may cripple or sever."""
    healed_by_magic_share: Share
    """Share of the maximum health that magic must restore to mend a crippled limb."""
    crippled_dr: Natural
    severed_dr: Natural
    """What a check with a medicine kit must reach."""
    hours: Amount
    """Hours after which an untreated crippled limb turns bad."""
    infected_chance: Share
    crippled_chance: Share
    """Chances after a partial success on a severed limb."""
    effects: dict[str, Ids]
    """By limb: what its being disabled does."""


class Underwater(Model):
    """Fighting under water, for who does not live in it."""

    attacks: Mode
    swim_skill: str = ""
    swim_ability: str = ""
    swim_divisor: Measure = 2
    """Speed in metres a second: skill and ability together, divided by this."""
    cannot_fire: Ids = ()
    breath: Breath | None = None
    """How long breath is held in a fight under water."""

    def speed(self, skill: float, ability: float) -> float:
        """Return metres a second of who swims."""
        return (skill + ability) / self.swim_divisor


class CombatRules(Model):
    """All of it."""

    opening: Opening = Opening()
    turns: Turns = Turns()
    attacks: Attacks = Attacks()
    hostiles: Hostiles = Hostiles()
    downed: Downed = Downed()
    rewards: Rewards = Rewards()
    windows: Windows | None = None
    tense_rounds: TenseRounds | None = None
    roles: dict[str, RoleBlock] = {}
    limbs: Limbs | None = None
    underwater: Underwater | None = None
    moving_through: dict[str, str] = {}
    """By attitude (`friendly`, `hostile`): how another's space is crossed."""
    creature_as_cover: str = ""
    """What follows where a shot at somebody behind a creature does nothing."""
    quick_spells: Natural | None = None
    """Spells at hand in a quick bar."""
    scales_with_players: bool = False
    """Whether difficulty grows with the number of players."""
    objectives: dict[str, dict[str, Names]] = {}
    """Kinds of fight by what is at stake."""
    source: str = ""
