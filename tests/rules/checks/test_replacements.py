"""Exact replacements: made where one text alone is right, left out where people must judge."""

import time
from itertools import pairwise

import pytest

from concilio.chapterfile.reader import read_document
from concilio.report.repair import applied, repaired
from rules.document import Document
from rules.engine import Config, check, replacements
from rules.facts import Facts, StatFacts
from rules.ruleset import load_ruleset
from rules.untouched import Untouched
from tests.rules.checks.reading import right_chapter


def as_file(text: str) -> Document:
    return read_document(text, "t.md")


FACTS = Facts(level=4, names=("Ogla",), stat_blocks={"Ogla": StatFacts(name="Ogla", ac=14, hp=60)})

FREE = [
    # language, text, what it becomes
    ("es", "Causa 2d6 de daño por aplastamiento.", "Causa 2d6 de daño contundente."),
    ("es", "Causa 1d6 de daño de quemadura.", "Causa 1d6 de daño de fuego."),
    ("es", "Causa 2d6 de daño cortantes.", "Causa 2d6 de daño cortante."),
    ("es", "Causa 1d8 daños perforante.", "Causa 1d8 daños perforantes."),
    ("es", "Causa 2d6 de daño fuego.", "Causa 2d6 de daño de fuego."),
    ("es", "Causa 2d6 de daño de cortante.", "Causa 2d6 de daño cortante."),
    ("en", "It deals 2d6 crushing damage.", "It deals 2d6 bludgeoning damage."),
    ("en", "It deals 7 (2d6) holy damage.", "It deals 7 (2d6) radiant damage."),
    (
        "es",
        "Cae desde 12 metros y recibe 2d6 de daño contundente.",
        "Cae desde 12 metros y recibe 4d6 de daño contundente.",
    ),
    ("en", "She falls 40 feet and takes 1d6 damage.", "She falls 40 feet and takes 4d6 damage."),
    (
        "es",
        "La reja (CA 15, 20 PG) y los grilletes (CA 12, 10 PV).",
        "La reja (CA 15, 20 PG) y los grilletes (CA 12, 10 PG).",
    ),
    (
        "es",
        "A 9 metros del muro, a 3 metros del foso y a 5 pies de la puerta.",
        "A 9 metros del muro, a 3 metros del foso y a 1,5 metros de la puerta.",
    ),
    (
        "en",
        "It is 30 feet to the wall, 20 feet to the moat and 9 metres to the door.",
        "It is 30 feet to the wall, 20 feet to the moat and 30 feet to the door.",
    ),
    ("es", "Lanza el conjuro caída lenta.", "Lanza el conjuro caída de pluma."),
    ("es", "Ogla (CA 17) espera.", "Ogla (CA 14) espera."),
    ("en", "Ogla has AC 12 and waits.", "Ogla has AC 14 and waits."),
    (
        "es",
        "Hay 30 pies al muro, 20 pies al foso y 2 metros a la puerta; 10 pies de ancho.",
        "Hay 30 pies al muro, 20 pies al foso y 7 pies a la puerta; 10 pies de ancho.",
    ),
    (
        "en",
        "It is 30 feet to the wall, 20 feet to the moat and 7 metres to the door.",
        "It is 30 feet to the wall, 20 feet to the moat and 23 feet to the door.",
    ),
    (
        "es",
        "Hay 9 metros al muro, 6 metros al foso y 25 pies a la puerta.",
        "Hay 9 metros al muro, 6 metros al foso y 7,5 metros a la puerta.",
    ),
]
FALLS_LEFT = [
    ("en", "It falls 40 feet, 2d6 bludgeoning damage, then 30 feet, 1d6 bludgeoning damage."),
    ("en", "She falls 40 feet, or 60 feet from the roof, and takes 2d6 bludgeoning damage."),
    (
        "en",
        "She falls 40 feet and takes 2d6 bludgeoning damage; a fall of 20 feet deals 1d6 bludgeoning damage.",
    ),
    ("en", "Whoever falls 40 feet takes 2d6 bludgeoning damage; a DC 15 Acrobatics check halves it."),
    ("en", "A character who falls 40 feet into water takes 2d6 bludgeoning damage."),
    ("en", "A 5-foot fall deals 1d6 bludgeoning damage."),
    ("es", "Cae 12 metros, 2d6 de daño contundente, y luego 9 metros, 1d6 de daño contundente."),
    ("es", "Quien cae 12 metros al agua recibe 2d6 de daño contundente."),
    ("es", "Una caída de 1 metro causa 1d6 de daño contundente."),
]
"""Falls of which a person must say what is meant."""
FALLS_RIGHT = [
    ("en", "Whoever falls 40 feet takes 3d6 bludgeoning damage. An awning breaks the fall."),
    ("en", "A monk falling 40 feet with Slow Fall takes 2d6 bludgeoning damage."),
    ("en", "It drops 20 feet to a ledge (2d6), then 30 feet more (3d6 bludgeoning damage)."),
    (
        "en",
        "It falls 40 feet, not 20, and takes 2d6 bludgeoning damage: the awning breaks the first 20 feet.",
    ),
    ("en", "The ogre falls 40 feet onto hay: half damage, 2d6 bludgeoning."),
    (
        "en",
        "The ogre falls from 30 feet up and the boulder that falls after it deals 2d10 bludgeoning damage.",
    ),
    ("es", "El monje cae desde 12 metros con Caída Lenta y recibe 2d6 de daño contundente."),
    ("es", "Cae 6 metros hasta una cornisa (2d6) y luego otros 9 metros (3d6 de daño contundente)."),
    ("es", "El ogro cae 12 metros sobre el heno: la mitad del daño, 2d6 contundente."),
    ("es", "El ogro cae desde 9 metros y la roca que cae tras él causa 2d10 de daño contundente."),
]
"""Falls that are right as they stand: something eases them, or the damage is another fall's."""
LEFT = [
    ("es", "La mesa ofrece cobertura ligera.", "which degree is meant is not known"),
    ("es", "Un ataque contra la cuerda (CD 14).", "an Armor Class is not a DC"),
    ("es", "Causa 2d6 de daños aplastantes.", "the word around would have to bend"),
    ("es", "Cae desde 12 metros y recibe 7 (2d6) de daño.", "the mean would be wrong"),
    ("en", "A DC 12 Strength (Smashing) check breaks it.", "which skill is meant is not known"),
    ("en", "He is 1.8 metres tall. The rope is 30 feet long.", "which unit is meant is not known"),
    ("es", "La tapia mide 30 pies y la cuerda mide 9 metros.", "which unit is meant is not known"),
]


UNTOUCHED = [
    "See [the trap](crushing.md 'It deals 2d6 crushing damage.') for more.",
    "A note. <!-- It deals 2d6 crushing damage. --> The end.",
    'A card: <b title="It deals 2d6 crushing damage.">here</b> it is.',
    "Type `It deals 2d6 crushing damage.` there.",
    "Type ``It deals 2d6 ` crushing damage.`` there.",
    "Some code:\n\n    It deals 2d6 crushing damage.\n\nThe end.",
    "Some code:\n\n\tIt deals 2d6 crushing damage.\n",
    "Some code:\n\n```\nIt deals 2d6 crushing damage.\n```\n",
    "[trap]: http://x.example 'It deals 2d6 crushing damage.'",
    *(
        f"Some code: <{tag}>It deals 2d6 crushing damage.</{tag.partition(' ')[0].upper()}> The end."
        for tag in ("pre", "code", "script", "style", "kbd", "samp", "code class='x'", "PRE")
    ),
    "<pre>\n\nIt deals 2d6 crushing damage.\n\n</pre>",
    "<pre>\n\nIt deals 2d6 crushing damage.",
    "A card: <![CDATA[It deals 2d6 crushing damage.]]> The end.",
    "A formula: $It deals 2d6 crushing damage.$",
    "A formula:\n\n$$\nIt deals 2d6 crushing damage.\n$$\n",
    "> Some code:\n>\n> ```\n> It deals 2d6 crushing damage.\n> ```\n",
    ">     It deals 2d6 crushing damage.\n",
    "> Type `It deals 2d6 crushing damage.` there.",
    "- Some code:\n\n  ```\n  It deals 2d6 crushing damage.\n  ```\n",
    "- ```\n  It deals 2d6 crushing damage.\n  ```\n",
    "1. One\n   - Two\n\n     ~~~\n     It deals 2d6 crushing damage.\n     ~~~\n",
]
FRONT = "---\ntrap: It deals 2d6 crushing damage.\n---\n\nThe end is near, they say.\n"
FRONTS = [
    FRONT,
    FRONT.replace("\n", "\r\n"),
    "\ufeff" + FRONT,
    FRONT.replace("\n---\n\n", "\n...\n\n"),
    FRONT.replace("trap: ", "title: x\nnotes: |\n  "),
]
"""What is code, a comment, a tag or a target: no word of it is changed."""
TOUCHED = [
    "It deals 2d6 crushing damage ([trap](crushing.md)).",
    "- A trap:\n\n    It deals 2d6 crushing damage.",
    "`Code` and then it deals 2d6 crushing damage, and a lone ` tick.",
    "<b>It deals 2d6 crushing damage.</b>",
    "Once <!-- a note --> it deals 2d6 crushing damage.",
    "[It deals 2d6 crushing damage.](trap.md)",
    "<code>x</code> and then it deals 2d6 crushing damage. <code>y</code>",
    "Once <code> is open, it deals 2d6 crushing damage.",
    "It costs $5 and deals 2d6 crushing damage, and $10 more.",
    "> ```\n> code\n\nIt deals 2d6 crushing damage.",
    "> It deals 2d6 crushing damage.",
    "<details><summary>A trap</summary>It deals 2d6 crushing damage.</details>",
    "---\n\nIt deals 2d6 crushing damage.\n\n---",
    "It deals **2d6 crushing** damage.",
]


@pytest.mark.parametrize("text", [*UNTOUCHED, *FRONTS])
def test_code_comments_tags_and_targets_stay(text: str) -> None:
    assert repaired(text, as_file, load_ruleset(), None, Config()) == text


@pytest.mark.parametrize("text", TOUCHED)
def test_prose_beside_them_is_mended(text: str) -> None:
    source = f"The night is dark and the party walks on.\n\n{text}\n"
    right = source.replace("2d6 crushing", "2d6 bludgeoning")
    assert repaired(source, as_file, load_ruleset(), None, Config()) == right


MARKED = [
    # language, text, what it becomes: the marks stay, or the text does
    ("en", "A DC 15 Dexterity (*Slight* of Hand) check.", "A DC 15 Dexterity (*Sleight* of Hand) check."),
    ("en", "A DC 15 Dexterity (**Slight of Hand**) check.", "A DC 15 Dexterity (**Sleight of Hand**) check."),
    ("en", "The ogre uses a *swift* action to hide.", "The ogre uses a *bonus* action to hide."),
    ("es", "El ogro usa su acción **menor** para huir.", "El ogro usa su acción **adicional** para huir."),
    ("en", "The hound has *low-light* vision out to 60 feet.", None),
    ("en", "The ogre has 9 HP, the imp 7 HP, the door 10 *health* points.", None),
    ("en", "It deals 2d6 *crushing* damage.", "It deals 2d6 *bludgeoning* damage."),
    ("en", "It deals 2d6 _**crushing**_ damage.", "It deals 2d6 _**bludgeoning**_ damage."),
    ("en", "She casts *Burning* Hand.", "She casts *Burning* Hands."),
    ("en", "She casts Burning _Hand_.", "She casts Burning _Hands_."),
    ("en", "| Cast | Burning | Hand |\n|---|---|---|\n| Cast Burning | Hand | x |", None),
    ("en", "> She casts Burning\n> Hand at the door.", None),
    ("en", "She casts the spell [Burning](x.md) Hand.", None),
    ("es", "Lanza el conjuro Manos ardientesHay gente en la plaza.", None),
    ("en", "She casts Burning\nHand.", "She casts Burning Hands."),
]


@pytest.mark.parametrize(("language", "text", "right"), MARKED)
def test_markup_stays_balanced(language: str, text: str, right: str | None) -> None:
    found = replacements(read_document(text, "t.md", language), load_ruleset())
    became = applied(text, found)
    assert became == (right or text)
    for mark in "*_|>[]()`":
        assert became.count(mark) == text.count(mark)


TWICE = [
    ("en", "A DC 15 Spot or Listen check finds it.", "Spot or Listen"),
    ("en", "Make a DC 15 Perception or Spot check.", "Perception or Spot"),
    ("en", "Make a DC 15 Spot/Listen check.", "Spot/Listen"),
]


@pytest.mark.parametrize(("language", "text", "words"), TWICE)
def test_two_words_of_a_sentence_never_become_one(language: str, text: str, words: str) -> None:
    found = replacements(read_document(text, "t.md", language), load_ruleset())
    assert words in applied(text, found)


def test_the_same_fault_twice_is_mended_twice() -> None:
    text = "It deals 2d6 crushing damage and 1d6 crushing damage. A DC 15 Spot check. A DC 15 Listen check."
    found = replacements(read_document(text, "t.md", "en"), load_ruleset())
    assert applied(text, found).count("bludgeoning") == 2
    assert applied(text, found).count("Perception") == 2


CASES = [
    ("en", "IT DEALS 2D6 CRUSHING DAMAGE.", "CRUSHING", "BLUDGEONING"),
    ("en", "It deals 2d6 Crushing damage.", "Crushing", "Bludgeoning"),
    ("en", "2d6 ELECTRIC DAMAGE.", "ELECTRIC", "LIGHTNING"),
    ("en", "2d6 Electric Damage.", "Electric", "Lightning"),
    ("en", "2d6 electric damage.", "electric", "lightning"),
    ("es", "Una prueba de STEALTH CD 12.", "STEALTH", "SIGILO"),
]


@pytest.mark.parametrize(("language", "text", "wrong", "right"), CASES)
def test_capitals_stay(language: str, text: str, wrong: str, right: str) -> None:
    found = replacements(read_document(text, "t.md", language), load_ruleset())
    assert applied(text, found) == text.replace(wrong, right)


@pytest.mark.parametrize(
    "part",
    [
        "`",
        "](",
        "<!--",
        "<a ",
        "[[",
        "``` \n",
        "[x]: ",
        "    x\n\n",
        "<code>",
        "<pre",
        "$",
        "$$a\n",
        "> ",
        "$a b",
    ],
)
def test_what_stays_is_found_in_linear_time(part: str) -> None:
    """Ten times the text takes no more than some thirty times as long."""

    def seconds(times: int) -> float:
        source = part * times
        began = time.process_time()
        Untouched(source)
        return time.process_time() - began

    assert seconds(40_000) < 30 * max(seconds(4_000), 0.01)


@pytest.mark.parametrize(("language", "text", "right"), FREE)
def test_what_is_certain_is_put_right(language: str, text: str, right: str) -> None:
    found = replacements(read_document(text, "t.md", language), load_ruleset(), FACTS)
    assert applied(text, found) == right


@pytest.mark.parametrize(("language", "text", "why"), LEFT, ids=[w for _, _, w in LEFT])
def test_what_is_not_certain_is_left(language: str, text: str, why: str) -> None:
    assert replacements(read_document(text, "t.md", language), load_ruleset(), FACTS) == (), why


@pytest.mark.parametrize(("language", "text"), FALLS_LEFT)
def test_a_fall_is_put_right_only_where_one_is_meant(language: str, text: str) -> None:
    document = read_document(text, "t.md", language)
    found = check(document, load_ruleset())
    assert {f.rule for f in found} == {"fall-damage"}
    assert not any("0d" in f.message + f.expected for f in found)
    assert replacements(document, load_ruleset()) == ()


@pytest.mark.parametrize(("language", "text"), FALLS_RIGHT)
def test_a_fall_that_is_eased_or_anothers_is_right(language: str, text: str) -> None:
    assert check(read_document(text, "t.md", language), load_ruleset()) == ()


DRIFTS = [
    ("es", "Fuerza (Atletismo) CD 13. Quien", "Fuerza (Atletismo) CD 16. Quien"),
    (
        "es",
        "tirada de salvación de Destreza CD 12 o recibe",
        "tirada de salvación de Destreza CD 15 o recibe",
    ),
    ("es", "o recibe 1d8 de daño de fuego. El", "o recibe 3d8 de daño de fuego. El"),
    ("es", "el Péndulo de Ámbar pasa", "el Péndulo del Ámbar pasa"),
    ("en", "DC 13 Strength (Athletics) check. Hooking", "DC 17 Strength (Athletics) check. Hooking"),
    ("en", "or takes 1d8 fire damage. The", "or takes 2d8 fire damage. The"),
]


@pytest.mark.parametrize(("language", "right", "wrong"), DRIFTS)
def test_prose_that_drifted_comes_back_to_its_plan(language: str, right: str, wrong: str) -> None:
    source = right_chapter(language)
    assert source.count(right) == 1
    broken = source.replace(right, wrong)
    assert repaired(broken, as_file, load_ruleset(), None, Config()) == source


def test_a_single_name_comes_back_only_where_the_adventure_knows_it() -> None:
    source = right_chapter("es")
    broken = source.replace("decide, Ilvara traba", "decide, Ilbara traba")
    assert repaired(broken, as_file, load_ruleset(), None, Config()) == broken
    facts = Facts(names=("Ilvara",))
    assert repaired(broken, as_file, load_ruleset(), facts, Config()) == source


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_right_chapter_stays_as_it_is(language: str) -> None:
    source = right_chapter(language)
    assert repaired(source, as_file, load_ruleset(), None, Config()) == source


def test_replacements_are_in_order_and_do_not_overlap() -> None:
    text = " ".join(text for _, text, _ in FREE[:2]) * 3
    found = replacements(read_document(text, "t.md", "es"), load_ruleset())
    assert len(found) == 6
    assert all(a.end <= b.start for a, b in pairwise(found))


FENCES = [
    # (what stands before the plan's scenes, what after them, why)
    ("```chapter\n", "\n```\n", "a model puts its plan between fences"),
    ("```chapter\n", "", "and forgets to close them"),
    ("~~~\n", "", "of either kind"),
]


@pytest.mark.parametrize(("before", "after", "why"), FENCES)
@pytest.mark.parametrize("language", ["es", "en"])
def test_fences_hide_nothing_of_a_chapter(language: str, before: str, after: str, why: str) -> None:
    """What check reports in a chapter is what a repair mends, whatever fences stand in it."""
    wrong = {
        "es": ("de daño de fuego. Quien", "de daño de quemadura. Quien"),
        "en": ("1d8 fire", "1d8 burning"),
    }
    source = right_chapter(language)
    heading = {"es": "### Capítulo 2 · Escena 2.1", "en": "### Chapter 2 · Scene 2.1"}[language]
    debate = {"es": "## Debate completo", "en": "## Full debate"}[language]
    fenced = source.replace(heading, before + heading, 1).replace(debate, after + debate, 1)
    broken = fenced.replace(*wrong[language])
    assert broken != fenced
    faults = check(read_document(broken, "t.md", language), load_ruleset())
    assert "damage-type" in {f.rule for f in faults}
    mended = repaired(broken, as_file, load_ruleset(), None, Config())
    assert mended == fenced, why
