"""Secrets are taken out by their shape and by the variables that hold them."""

import pytest

from concilio.store.scrub import scrub, scrub_value


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("clave sk-abc123XYZ fin", "clave *** fin"),
        ("Authorization: Bearer a.b-c", "Authorization: ***"),
        ("bearer XYZ", "***"),
        ("http://ana:clave@h/v1", "http://***@h/v1"),
        ("https://h/v1?key=AIza123&x=1", "https://h/v1?key=***&x=1"),
        ("ask-everyone, risk-free", "ask-everyone, risk-free"),
        ("El portador de la luz", "El portador de la luz"),
    ],
)
def test_shapes(text: str, clean: str) -> None:
    """What looks like a key goes, words stay."""
    assert scrub(text) == clean


@pytest.mark.parametrize("name", ["MISTRAL_API_KEY", "HF_TOKEN", "AWS_SECRET", "DB_PASSWORD"])
def test_values_of_variables(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anywhere, in whatever structure; a placeholder is too short to be one."""
    monkeypatch.setenv(name, "el-valor-secreto")
    monkeypatch.setenv("OTHER_API_KEY", "x")
    value = {"a": ["el-valor-secreto!", {"el-valor-secreto": ("un x", 3, None)}]}
    assert scrub_value(value) == {"a": ["***!", {"***": ["un x", 3, None]}]}
