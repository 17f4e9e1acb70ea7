"""Names of the SRD's attacks in the languages of people; blocks have them in English."""

from rules.wording import texts


def attack_name(name: str, language: str) -> str:
    """Return an attack of an SRD creature as people call it; another name stays as it is."""
    return str(texts(language, "attacks")["names"].get(name.lower(), name))
