"""Levels, house rules, words and style in other wordings: no finding hangs on one sentence."""

import pytest

from concilio.chapterfile.reader import read_document
from rules.engine import check
from rules.facts import Facts, PartySheet, StatFacts
from rules.ruleset import load_ruleset

ABILITIES = {"str": 2, "dex": 3, "con": 1, "int": 0, "wis": 1, "cha": 0}
FACTS = Facts(
    level=3,
    party=tuple(PartySheet(name, 3, abilities=ABILITIES) for name in ("Lyra", "Bruno", "Cora", "Dino")),
    names=("Hugo",),
    stat_blocks={"Hugo": StatFacts("Hugo", ac=12, hp=22, cr=2.0)},
)
CASES = [
    (
        "unknown-condition",
        "es",
        "Quien falle la salvación sufre la condición Desorientado hasta el final del asalto.",
    ),
    (
        "unknown-condition",
        "es",
        "Tras el golpe, el objetivo queda desorientado hasta el inicio de su próximo turno.",
    ),
    ("unknown-condition", "es", "Si falla, la criatura está lisiada durante 1 hora."),
    (
        "unknown-condition",
        "es",
        "Debe superar una tirada de salvación de Constitución CD 13 o quedará debilitado.",
    ),
    ("unknown-condition", "es", "El aliento deja mareados a todos durante 1 minuto."),
    ("unknown-condition", "en", "The target becomes weakened until the end of its next turn."),
    ("unknown-condition", "en", "Creatures in the area have the Bleeding condition."),
    (
        "unknown-condition",
        "en",
        "must succeed on a DC 14 Constitution saving throw or become nauseated for 1 minute.",
    ),
    ("unknown-condition", "en", "The blow leaves the target dazed for 1 round."),
    ("unknown-condition", "en", "On a failure, a character gains the “Shaken” condition."),
    ("mixed-language", "es", "El ogro hace un opportunity attack contra quien huye."),
    ("mixed-language", "es", "La mesa da half cover a quien se agache."),
    ("mixed-language", "es", "Tras un short rest, el grupo sigue."),
    ("mixed-language", "es", "Los PJs pueden hacer una tirada de Perception (CD 12)."),
    ("mixed-language", "es", "The old bridge creaks under the weight of the cart. El río baja crecido."),
    ("mixed-language", "en", "A character can use a DC 12 Percepción check."),
    ("mixed-language", "en", "The troll makes an ataque de oportunidad."),
    (
        "mixed-language",
        "en",
        "Los guardias miran hacia la puerta y uno de ellos saca la espada. The bridge is empty.",
    ),
    ("dc-for-level", "es", "Abrirla exige una tirada de Fuerza CD 27."),
    ("dc-for-level", "en", "A successful DC 28 Dexterity (Sleight of Hand) check opens it."),
    (
        "damage-for-level",
        "es",
        "El foso con estacas es una trampa: 12d10 de daño perforante a quien caiga en ella.",
    ),
    ("damage-for-level", "en", "A poison needle trap pricks the hand for 8d10 poison damage."),
    ("encounter-difficulty", "es", "Un dragón verde adulto se lanza contra el grupo."),
    ("encounter-difficulty", "en", "Five trolls burst from the water and attack."),
    ("encounter-difficulty", "es", "Les cierran el paso 12 osgos."),
    ("combat-without-hostility", "es", "Si los pillan robando, comienza el combate."),
    ("combat-without-hostility", "es", "Un fallo en Persuasión ofende al capitán y el combate empieza."),
    ("combat-without-hostility", "en", "On a failed Stealth check, roll combat: the fight starts."),
    ("combat-without-hostility", "en", "If the guard notices the theft, combat is joined."),
    ("initiative-as-order", "es", "Todos tiran iniciativa y actúan de mayor a menor."),
    ("initiative-as-order", "es", "El ogro actúa el primero en la iniciativa."),
    ("initiative-as-order", "en", "Have everyone roll initiative; act from highest to lowest."),
    ("idle-enemy", "es", "Mientras dura el combate, dos bandidos se quedan quietos junto a la puerta."),
    ("idle-enemy", "es", "El ogro no ataca en este turno: mira la pelea."),
    ("idle-enemy", "es", "Los guardias esperan fuera de la pelea sin hacer nada."),
    ("idle-enemy", "en", "During combat the captain simply watches."),
    ("idle-enemy", "en", "Two bandits hang back and take no part in the fight."),
    ("essential-npc", "es", "El mensajero es esencial para la trama y no muere."),
    ("essential-npc", "es", "Nada puede matar a la reina antes del capítulo 6."),
    ("essential-npc", "en", "The queen can't be killed before chapter 6."),
    ("essential-npc", "en", "Nothing the characters do can kill the queen."),
    ("window-repeated", "es", "Se abre una segunda ventana decisiva para el mismo personaje."),
    ("window-repeated", "en", "Immediately open another response window for the same character."),
    ("window-without-risk", "es", "Abre una ventana decisiva para que el grupo decida qué camino tomar."),
    (
        "window-without-risk",
        "en",
        "A response window opens while the merchant waits for an answer about the price.",
    ),
    ("kills-the-downed", "es", "Los lobos siguen mordiendo al PJ caído."),
    ("kills-the-downed", "es", "El bandido degüella al aventurero inconsciente."),
    ("kills-the-downed", "en", "The wolves tear at the fallen adventurer."),
    ("xp-without-hostility", "es", "Por matar al posadero, el grupo recibe 100 XP."),
    ("xp-without-hostility", "en", "Award 100 XP if the party kills the merchant."),
    ("ai-prose", "es", "El aire se carga de tensión y el silencio ensordecedor lo llena todo."),
    ("ai-prose", "en", "Her voice is a rich tapestry of sorrow."),
    ("player-agency", "es", "Sin dudarlo, los aventureros deciden ayudarla."),
    ("player-agency", "es", "El grupo se siente culpable y acepta el encargo."),
    ("player-agency", "es", "Bruno decide quedarse atrás."),
    ("player-agency", "es", "Sentís un miedo que os paraliza."),
    ("player-agency", "en", "The adventurers gladly accept the job."),
    ("player-agency", "en", "The party agrees to help the miller."),
    ("player-agency", "en", "Bruno decides to stay behind."),
]


@pytest.mark.parametrize(("rule", "language", "text"), CASES, ids=[f"{c[0]}: {c[2][:40]}" for c in CASES])
def test_another_wording_is_found(rule: str, language: str, text: str) -> None:
    document = read_document(text + "\n", "t.md", language)
    assert rule in {f.rule for f in check(document, load_ruleset("combate"), FACTS)}
