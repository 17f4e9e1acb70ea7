"""Talk to the table in a plan, spells in other forms, figures against stat blocks: kinds, not phrases."""

import pytest

from tests.rules.editors.chapters import FOLDER, bases, findings, spoilt

_FIELD = {"es2": "Un brasero arde a 3 metros de ella.", "en1": "The Moth Lantern hangs from the last branch."}
_REVIEW = {"es2": "hay salida para quien pierde.", "en1": "the ending leaves the crown somewhere."}


def found(base: str, part: str, added: str) -> set[str]:
    """Return the rules that a right chapter breaks where a sentence is added to its plan or its review."""
    old = (_FIELD if part == "plan" else _REVIEW)[base]
    text = spoilt(bases("second")[base], {"edits": [[part, old, f"{old} {added}"]]})
    assert added in text
    return {f.rule for f in findings(text, FOLDER / "second" / bases("second")[base]["adventure"], None)}


@pytest.mark.parametrize(
    ("base", "part", "rule", "added"),
    [
        ("es2", "plan", "chat-in-plan", "(Rubén, ¿te cuadra así o lo dejo más abierto?)"),
        ("es2", "plan", "chat-in-plan", "Espero que con este cambio la mesa quede contenta."),
        ("es2", "plan", "chat-in-plan", "Aquí he tenido en cuenta lo que decía Damián."),
        ("es2", "plan", "chat-in-plan", "Propongo dejarlo así."),
        ("es2", "plan", "chat-in-plan", "Si preferís otra cosa, puedo cambiarlo."),
        ("en1", "plan", "chat-in-plan", "As Rubén asked, I took out the second guard."),
        ("en1", "plan", "chat-in-plan", "Damián wanted a number here, and now there is one."),
        ("en1", "plan", "chat-in-plan", "I also moved the lantern one branch down."),
        ("en1", "plan", "chat-in-plan", "Does that work for you both?"),
        ("es2", "plan", "spell-name", "La condesa conoce el conjuro de detección de la magia."),
        ("es2", "plan", "spell-name", "Un conjuro de respiración subacuática no sirve aquí."),
        ("en1", "plan", "spell-name", "The Water Breath spell does nothing here."),
        ("en1", "plan", "spell-name", "Pell knows the spell Lesser Restore."),
        ("en1", "plan", "stat-block-drift", "Warden Pell swings his pruning hook at +7 to hit."),
        ("en1", "plan", "stat-block-drift", "The Hollow Choir has a passive Perception of 14."),
        ("es2", "checker", "stat-block-drift", "La Condesa Ildara, con 120 PG, aguanta lo que haga falta."),
        ("en1", "checker", "stat-block-drift", "Warden Pell has 80 HP and will not fall to two blows."),
        ("en1", "plan", "unknown-term", "While he pours, Pell counts as flat-footed."),
        ("en1", "checker", "term-variant", "The attack of opportunity at the gate is right."),
        ("es2", "plan", "stat-alias", "La cerradura tiene 5 de vida."),
        ("en1", "plan", "stat-alias", "The lock has AC 12 and 5 health."),
    ],
)
def test_a_kind_of_fault_is_found(base: str, part: str, rule: str, added: str) -> None:
    assert rule in found(base, part, added)


@pytest.mark.parametrize(
    ("base", "part", "added"),
    [
        ("es2", "plan", "La condesa dice: «Espero que la mesa quede contenta»."),
        ("es2", "plan", "Una carta sobre la silla reza: «He dejado la llave donde siempre»."),
        ("es2", "plan", "El conjuro detecta la magia del cetro."),
        ("es2", "checker", "A la Condesa Ildara le bajaría los PG a 60."),
        ("en1", "plan", "A note says “I have taken the long way home”."),
        ("en1", "plan", "Any spell that cures wounds works on the trees."),
        ("en1", "plan", "Warden Pell swings his pruning hook at +5 to hit."),
        ("en1", "checker", "Warden Pell should have 80 HP instead."),
    ],
)
def test_right_text_near_a_kind_is_silent(base: str, part: str, added: str) -> None:
    assert found(base, part, added) == set()
