"""Another language is noticed; a short text, a name or a figure is not judged."""

import json
import threading

import pytest

from concilio.domain.base import Language
from concilio.gateway import language as judging
from concilio.gateway.language import is_other_language, is_plainly

ES = (
    "La compuerta cede con un quejido y el agua entra en la cripta. Dos remeros discuten junto a la boya, y "
    "el más viejo señala el farol apagado. Si nadie lo enciende antes de la medianoche, el barco encallará."
)
EN = (
    "The sluice gives way with a groan and water pours into the crypt. Two oarsmen quarrel beside the buoy, "
    "and the older one points at the dark lantern. Unless somebody lights it soon the ship will run aground."
)
FR = (
    "La vanne cède dans un gémissement et l'eau entre dans la crypte. Deux rameurs se querellent au quai, et "
    "le plus vieux montre la lanterne éteinte. Si personne ne l'allume, le navire va s'échouer."
)
ENGLISH_KEYS = json.dumps({"verdict": "accept", "rows": [{"scene": "5.1", "note": ES}]})
SPANISH_KEYS = json.dumps({"veredicto": "aceptar", "filas": [{"escena": "5.1", "nota": EN}]})
CASES: list[tuple[str, Language, bool, str]] = [
    (ES, "es", False, "the right one"),
    (EN, "en", False, "the right one"),
    (EN, "es", True, "English for Spanish"),
    (ES, "en", True, "Spanish for English"),
    (FR, "es", True, "French for Spanish"),
    ("Accept.", "es", False, "too short"),
    ("VERDICT: accept", "es", False, "a plain verdict is no prose"),
    ("The plan holds and every outcome leads somewhere, so I accept it.", "es", True, "12 words"),
    ("El plan se sostiene y cada desenlace lleva a alguna parte: acepto.", "en", True, "12 words"),
    ("El plan se sostiene y cada desenlace lleva a alguna parte: acepto.", "es", False, "the right one"),
    ("The plan holds and every outcome leads somewhere, so I accept it.", "en", False, "the right one"),
    (
        json.dumps({"marks": {"action": "good"}, "objections": [], "verdict": "accept", "summary": ES[:60]}),
        "es",
        False,
        "marks are not judged",
    ),
    ("", "es", False, "nothing"),
    ("- DC 15\n- 3d6\n- 12 / 14\n" * 20, "es", False, "figures"),
    ("Kaelen, Xylanth, Vaelen, Berta, Odo. " * 4, "en", False, "names"),
    (
        json.dumps({"verdict": "accept", "rows": [{"scene": "5.1", "note": ES}]}),
        "es",
        False,
        "JSON: keys are not judged",
    ),
    (
        json.dumps({"veredicto": "aceptar", "filas": [{"escena": "5.1", "nota": EN}]}),
        "es",
        True,
        "JSON: values are",
    ),
    (f'{{"scenes": [{{"title": "x", "situation": "{EN}', "es", True, "cut JSON"),
    (f"### Scene 5.1 — The bridge\n{ES}", "es", False, "labels in another language"),
]


@pytest.mark.parametrize(("text", "expected", "other", "why"), CASES)
def test_language(text: str, expected: Language, other: bool, why: str) -> None:
    """Only what is surely another language counts."""
    assert is_other_language(text, expected) is other, why


PT = (
    "A comporta cede com um gemido e a água entra na cripta. Dois remadores discutem junto da boia, e o mais "
    "velho aponta para o farol apagado. Se ninguém o acende antes da meia-noite, o barco vai encalhar."
)
IT = (
    "La chiusa cede con un gemito e l'acqua entra nella cripta. Due rematori litigano accanto alla boa, e il "
    "più vecchio indica il faro spento. Se nessuno lo accende prima di mezzanotte, la nave si arenerà."
)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("text", [ES, EN, FR, PT, IT, f"{ES} {EN}"])
def test_only_the_language_itself_is_plain(text: str, language: Language) -> None:
    """What spares the model's judgement must never hide another language, nor a mixture."""
    assert is_plainly(text, language) == (text == {"es": ES, "en": EN}[language])


def test_a_model_that_cannot_be_loaded_prints_nothing_from_its_thread(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whoever needs it is told; a thread's traceback would come before that."""

    def broken() -> None:
        raise OSError(27, "File too large")

    monkeypatch.setattr(judging, "load", broken)
    monkeypatch.setattr(judging, "is_loaded", lambda: False)
    judging.start_loading()
    for thread in threading.enumerate():
        if thread.name == "concilio-language":
            thread.join(10)
    assert capfd.readouterr().err == ""
