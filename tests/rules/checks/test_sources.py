"""What a finding cites is told in the language of its message."""

import pytest

from rules.rulefiles import names_in
from rules.ruleset import SHIPPED, load_ruleset
from rules.wording import texts

ENGLISH = ("Falling", "Traps", "experience", "Budget", "Effects")
SPANISH = ("reglas de la casa", "Caídas", "Trampas")


def cited(name: str) -> set[str]:
    """Every source of a ruleset that findings cite."""
    rules = load_ruleset(name)
    falls = {f.source for f in (rules.falling, rules.falling_by_size) if f}
    encounters = {e.source for e in rules.encounters.values()}
    combat = {rules.combat.source} if rules.combat else set[str]()
    return {s for s in falls | encounters | combat | {t.source for t in rules.traps.values()} if s}


@pytest.mark.parametrize("name", names_in(SHIPPED))
@pytest.mark.parametrize(("language", "foreign"), [("es", ENGLISH), ("en", SPANISH)])
def test_no_source_is_told_in_another_language(name: str, language: str, foreign: tuple[str, ...]) -> None:
    told = {str(texts(language, "sources").get(source, source)) for source in cited(name)}
    assert not [source for source in told if any(word in source for word in foreign)]
