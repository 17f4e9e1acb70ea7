"""What is read from English text."""

import pytest

from tests.rules.claims.summary import summaries

CHECKS: list[tuple[str, list[str]]] = [
    ("a DC 15 Strength (Athletics) check", ["check athletics/str dc15"]),
    ("a DC 13 Dexterity (Acrobatics or Stealth) check", ["check acrobatics/dex|stealth/dex dc13"]),
    ("a Stealth check (DC 12)", ["check stealth dc12"]),
    ("Perception DC 12", ["check perception dc12"]),
    ("DC 12 Perception", ["check perception dc12"]),
    (
        "a Perception check against DC 13, or DC 10 if you carry a torch",
        ["check perception dc13 dc10[if you carry a torch]"],
    ),
    ("a DC 14 Arcana check, or DC 11 with the book", ["check arcana dc14 dc11[with the book]"]),
    (
        "a Charisma (Persuasion) or Charisma (Deception) check, DC 15",
        ["check persuasion/cha|deception/cha dc15"],
    ),
    ("make a Sleight of Hand check to lift the key (DC 14)", ["check sleight_of_hand dc14"]),
    (
        "Persuasion or Intimidation (DC 12 and 16 respectively)",
        ["check persuasion dc12", "check intimidation dc16"],
    ),
    ("Roll Insight (DC 10)", ["check insight dc10"]),
    ("a Strength check", ["check str"]),
    ("an Athletics check of DC fifteen", ["check athletics dc15"]),
    ("passive Perception 14", ["check passive perception dc14"]),
    ("a passive Wisdom (Perception) score of 15", ["check passive perception/wis dc15"]),
    ("Stealth contested by Perception", ["check contest stealth vs perception"]),
    ("a DC 15 Streetwise check", ["check ?Streetwise dc15"]),
    ("a Strength (Tumbling) check DC 12", ["check ?Tumbling/str dc12"]),
    ("a DC 12 Spot check", ["check !perception dc12"]),
    ("a Dexterity (thieves' tools) check, DC 14", ["check dex dc14"]),
    ("an Intelligence check using a forgery kit (DC 12)", ["check int dc12"]),
    ("a WIS check, DC 9", ["check wis dc9"]),
    ("a DC 10 group Stealth check", ["check stealth dc10"]),
    (
        "a contested Strength (Athletics) check against the guard's Dexterity (Acrobatics)",
        ["check contest athletics/str vs acrobatics/dex"],
    ),
]

SAVES: list[tuple[str, list[str]]] = [
    ("a DC 14 Wisdom saving throw", ["save wis dc14"]),
    ("a Con save (DC 11)", ["save con dc11"]),
    ("Dex save DC 12", ["save dex dc12"]),
    ("a DC 13 Strength or Dexterity save", ["save str|dex dc13"]),
    ("a death saving throw", ["save death"]),
    ("save the princess", []),
    ("roll a Dexterity saving throw, DC 13", ["save dex dc13"]),
    ("on a failed save", []),
]

FIGURES: list[tuple[str, list[str]]] = [
    ("the door (AC 17, 45 hit points)", ["ac 17", "hp 45"]),
    ("an AC of 13", ["ac 13"]),
    ("22 (4d8 + 4) hit points", ["hp 22=4d8+4"]),
    ("regains 2d4 + 2 hit points", ["hp 2d4+2 gain"]),
    ("10 temporary hit points", ["hp 10 temp"]),
    ("+2 to AC", ["ac +2"]),
    ("+6 to hit", ["attack +6"]),
    ("Attack: +5 to hit, 1d8 + 3 slashing", ["attack +5", "damage 1d8+3 slashing"]),
    ("7 (2d6) fire damage", ["damage 7=2d6 fire"]),
    ("3d6 crushing damage", ["damage 3d6 !bludgeoning"]),
    ("2d6 lunar damage", ["damage 2d6 ?lunar"]),
    ("5 points of cold damage", ["damage 5 cold"]),
    ("2d6 extra damage", ["damage 2d6"]),
    ("the DC drops by 2", ["dc -2"]),
    ("lower the DC to 12", ["dc to 12"]),
    ("escape DC 13", ["dc dc13 escape"]),
]

MEASURES: list[tuple[str, list[str]]] = [
    ("within 30 feet", ["distance 9m"]),
    ("thirty feet", ["distance 9m"]),
    ("a yard and a half", ["distance 1.35m"]),
    ("two and a half yards", ["distance 2.25m"]),
    ("two feet and a half", ["distance 0.75m"]),
    ("half a yard", ["distance 0.45m"]),
    ("hand and foot and a half-eaten loaf", []),
    ("one hundred and twenty feet", ["distance 36m"]),
    ("a 20-foot-radius sphere", ["distance 6m radius"]),
    ("a 15-foot cone", ["distance 4.5m cone"]),
    ("range 60/120 feet", ["distance 18-36m"]),
    ("falls 30 feet", ["fall 9m", "distance 9m"]),
    ("a 40-foot fall", ["distance 12m", "fall 12m"]),
    ("1d4 rounds", ["duration 1d4 round"]),
    ("for 1 minute", ["duration 1 minute"]),
    ("until the end of its next turn", ["until turn"]),
    ("9 metres (30 feet)", ["distance 9m", "distance 9m"]),
]

STATES: list[tuple[str, list[str]]] = [
    ("lands prone", ["condition prone"]),
    ("becomes frightened", ["condition frightened"]),
    ("The frightened villagers flee", ["condition frightened told"]),
    ("is restrained (escape DC 13)", ["condition restrained", "dc dc13 escape"]),
    ("immune to being charmed", ["condition charmed told not"]),
    ("three-quarters cover (+5 to AC)", ["cover three_quarters +5"]),
    ("full cover", ["cover ~total"]),
    ("half cover (+2 bonus to AC)", ["cover half +2"]),
    ("blinded and deafened for 1 minute", ["condition blinded", "condition deafened", "duration 1 minute"]),
    ("partial cover", ["cover ?partial cover"]),
    ("has advantage on attack rolls", ["advantage attacks"]),
    ("disadvantage on Stealth checks", ["disadvantage checks"]),
    ("took advantage of the noise", []),
    ("as a bonus action", ["action bonus_action"]),
    ("take the Dash action", ["action dash"]),
    ("uses its reaction", ["action reaction"]),
    ("a full-round action", ["action ?full-round action"]),
    ("attack of opportunity", ["action ~opportunity_attack"]),
    ("on a natural 1", ["natural_1"]),
    ("a critical failure", ["critical_failure"]),
    ("Roll a die: on a 4 or more", ["unsized die"]),
    ("Roll a six-sided die", []),
    ("the fireball spell", ["spell fireball"]),
]

NOTHING = [
    "The story of nature and history moved with great force.",
    "A round table stands here; a second guard waits.",
    "He lost a foot and she must check the door.",
    "The medicine of the old religion is no insight.",
    "Chapter 4 has 3 scenes and 2 maps.",
    "The cold light, the fire, the poison of doubt.",
]


@pytest.mark.parametrize(("text", "expected"), [*CHECKS, *SAVES, *FIGURES, *MEASURES, *STATES])
def test_english_text_gives_these_claims(text: str, expected: list[str]):
    assert summaries(text, "en") == expected


@pytest.mark.parametrize("text", NOTHING)
def test_plain_english_narration_claims_nothing(text: str):
    assert summaries(text, "en") == []
