"""House rules of a fight: only with a ruleset that has them, and only where a text breaks them."""

import pytest

from concilio.chapterfile.reader import read_document
from rules.catalogue import RULES
from rules.engine import check
from rules.facts import Facts, StatFacts
from rules.findings import Finding
from rules.ruleset import load_ruleset

FACTS = Facts(level=2, names=("Hugo",), stat_blocks={"Hugo": StatFacts(name="Hugo", ac=12, hp=22)})
HOUSE = {rule for rule, info in RULES.items() if info.group == "house-rules"}


def house_findings(text: str, language: str, ruleset: str = "combate") -> list[Finding]:
    document = read_document(text + "\n", "t.md", language)
    return [f for f in check(document, load_ruleset(ruleset), FACTS) if f.rule in HOUSE]


WRONG = [
    # rule, language, text, quote
    (
        "combat-without-hostility",
        "es",
        "Si el mercader descubre el robo, empieza el combate.",
        "empieza el combate",
    ),
    (
        "combat-without-hostility",
        "es",
        "El grupo falla la prueba de Sigilo. Los centinelas gritan y se inicia un combate.",
        "se inicia un combate",
    ),
    (
        "combat-without-hostility",
        "en",
        "If anyone insults the captain, a fight breaks out.",
        "a fight breaks out",
    ),
    (
        "combat-without-hostility",
        "en",
        "The thief is caught with her hand in the purse. Combat begins.",
        "Combat begins",
    ),
    (
        "kills-the-downed",
        "en",
        "If a character drops to 0 hit points, the butcher cuts the unconscious character's throat.",
        "cuts the unconscious character's throat",
    ),
    (
        "kills-the-downed",
        "es",
        "La bruja le raja la garganta al personaje inconsciente.",
        "raja la garganta",
    ),
    (
        "kills-the-downed",
        "en",
        "The troll goes on clawing the fallen hero until he is dead.",
        "goes on clawing",
    ),
    (
        "kills-the-downed",
        "es",
        "Cuando un personaje cae inconsciente, el carnicero lo degüella en su siguiente turno.",
        "degüella",
    ),
    (
        "window-without-risk",
        "en",
        "A decisive window opens to see who tells the best joke.",
        "decisive window",
    ),
    (
        "window-without-risk",
        "es",
        "Se abre una ventana decisiva para ver quién cuenta el mejor chiste.",
        "ventana decisiva",
    ),
    ("initiative-as-order", "es", "Los lobos atacan: tirad iniciativa.", "tirad iniciativa"),
    ("initiative-as-order", "es", "Cada criatura actúa por orden de iniciativa.", "orden de iniciativa"),
    ("initiative-as-order", "en", "The wolves attack. Roll for initiative!", "Roll for initiative"),
    (
        "initiative-as-order",
        "en",
        "Everyone acts in initiative order.",
        "initiative",
    ),
    ("idle-enemy", "es", "Durante la pelea, los guardias se quedan mirando.", "se quedan mirando"),
    ("idle-enemy", "es", "En el combate, Hugo pierde su turno buscando el martillo.", "pierde su turno"),
    ("idle-enemy", "en", "During the fight, the thug does nothing for a while.", "does nothing"),
    ("idle-enemy", "en", "While the others attack, Hugo goes back to work.", "goes back to work"),
    ("essential-npc", "es", "La alcaldesa es un PNJ esencial.", "PNJ esencial"),
    ("essential-npc", "es", "Pase lo que pase, el testigo no puede morir en esta escena.", "no puede morir"),
    ("essential-npc", "en", "The mayor is an essential NPC.", "essential NPC"),
    ("essential-npc", "en", "The messenger cannot be killed in this chapter.", "cannot be killed"),
    (
        "window-repeated",
        "es",
        "El puente cede y se abre una ventana decisiva. Al acabar, se abre otra ventana decisiva.",
        "ventana decisiva",
    ),
    (
        "window-repeated",
        "es",
        "El máster abre dos ventanas decisivas seguidas: primero el hacha, luego la soga.",
        "ventanas decisivas",
    ),
    (
        "window-repeated",
        "en",
        "The axe falls: open a decisive window. Then the rope snaps: open a decisive window.",
        "decisive window",
    ),
    (
        "window-repeated",
        "en",
        "The executioner swings, and a second decisive window opens at once.",
        "decisive window",
    ),
    (
        "window-without-risk",
        "es",
        "Se abre una ventana decisiva para regatear con el mercader.",
        "ventana decisiva",
    ),
    (
        "window-without-risk",
        "en",
        "Open a decisive window: the characters choose what to order at the inn.",
        "decisive window",
    ),
    (
        "kills-the-downed",
        "es",
        "Si alguien cae, el ogro remata al personaje inconsciente.",
        "remata al personaje",
    ),
    ("kills-the-downed", "es", "El matón da el golpe de gracia al caído.", "golpe de gracia"),
    ("kills-the-downed", "en", "The ogre keeps attacking the downed character.", "keeps attacking"),
    ("kills-the-downed", "en", "The goblins finish off any unconscious PC.", "finish off"),
    ("xp-without-hostility", "es", "Matar al aldeano inocente da 50 PX.", "50 PX"),
    (
        "xp-without-hostility",
        "es",
        "El grupo gana 25 puntos de experiencia por derrotar a los campesinos pacíficos.",
        "experiencia",
    ),
    ("xp-without-hostility", "en", "The party gains 50 XP for killing the unarmed innkeeper.", "50 XP"),
    (
        "xp-without-hostility",
        "en",
        "Each peaceful villager they defeat is worth 10 experience points.",
        "experience points",
    ),
]


@pytest.mark.parametrize(("rule", "language", "text", "quote"), WRONG, ids=[f"{w[0]}: {w[3]}" for w in WRONG])
def test_what_breaks_a_house_rule_is_found(rule: str, language: str, text: str, quote: str) -> None:
    found = [f for f in house_findings(text, language) if f.rule == rule]
    assert len(found) == 1
    assert quote in found[0].quote
    assert found[0].source


@pytest.mark.parametrize("ruleset", ["srd5e", "ia"])
def test_other_rulesets_do_not_have_these_rules(ruleset: str) -> None:
    for _, language, text, _ in WRONG:
        assert house_findings(text, language, ruleset) == []


RIGHT = [
    ("en", "The guard cuts the ropes of the fallen hero."),
    ("en", "The healer cuts the collar round the unconscious character's neck."),
    (
        "es",
        "El mercader descubre el robo, agarra al ladrón y grita. Si alguien lo golpea, empieza el combate.",
    ),
    ("es", "La amenaza no basta: no empieza el combate. El bandido ataca y estalla el combate."),
    ("en", "The guard catches the thief. He draws his sword and strikes: combat begins."),
    ("en", "An insult never starts combat here."),
    ("es", "No hay orden de iniciativa. Si dos responden a la vez, la tirada de iniciativa desempata."),
    (
        "es",
        "La alcaldesa toma la iniciativa. El elfo tiene ventaja en las tiradas de iniciativa.",
    ),
    ("en", "There is no initiative order. In a tie, roll initiative. She takes the initiative and talks."),
    ("es", "Los guardias se quedan mirando a los actores de la plaza."),
    (
        "es",
        "El guardia, inconsciente, no hace nada en la pelea.",
    ),
    ("en", "The guards cannot see the party, so they stand and watch while the fight goes on."),
    ("en", "In the fight no guard stands by and waits."),
    ("es", "La alcaldesa puede morir: si muere, su sobrino encuentra la carta. No hay PNJ esenciales."),
    ("es", "El lich no puede morir mientras exista su filacteria. La fe es esencial para el pueblo."),
    (
        "en",
        "The mayor cannot be killed easily; if she dies, her nephew takes over.",
    ),
    (
        "es",
        "El puente cede: se abre una ventana decisiva. Al turno siguiente se abre una ventana decisiva.",
    ),
    (
        "es",
        "Nunca se abren dos ventanas decisivas seguidas. Hay otra ventana al norte.",
    ),
    (
        "en",
        "The axe falls: open a decisive window. After a success, a decisive window opens.",
    ),
    ("en", "There is a window in the north wall and another window above it."),
    ("es", "La viga cae sobre el mercader: se abre una ventana decisiva. Hay que elegir deprisa."),
    ("en", "The beam falls: a decisive window opens, and they must choose quickly."),
    (
        "es",
        "El ogro no remata al personaje inconsciente. Un PJ puede rematar al bandido caído.",
    ),
    ("es", "El ogro ataca al personaje que está más cerca. El personaje cae inconsciente a 0 PG."),
    ("en", "The goblins never finish off a downed character. A character can finish off the fallen thug."),
    ("es", "Vencer al bandido da 25 PX. Matar al aldeano inocente da infamia y no da experiencia."),
    (
        "en",
        "The ogre is worth 450 XP. Killing an innocent gives infamy, and no XP.",
    ),
]


@pytest.mark.parametrize(("language", "text"), RIGHT, ids=[t[:50] for _, t in RIGHT])
def test_what_keeps_the_house_rules_is_left_alone(language: str, text: str) -> None:
    assert [(f.rule, f.quote) for f in house_findings(text, language)] == []


def test_what_somebody_says_in_the_story_breaks_no_rule() -> None:
    assert house_findings("—¡Tirad iniciativa! —grita el juglar, y todos ríen.", "es") == []
