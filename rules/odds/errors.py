"""What is wrong with a request for odds: a code and its values; whoever speaks to people has the words."""

LONGEST_QUOTE = 40
"""Characters of a user's text that an error repeats at most."""


class OddsError(ValueError):
    """Dice or a combatant that cannot be read, or that would cost too much to compute.

    `code` names the text (`odds.problem.<code>` in the catalogues of the command line), `values` fill it in.
    Where a place can be told, `values["column"]` counts characters from 1.
    """

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values = {k: shown(v) if isinstance(v, str) else v for k, v in values.items()}
        super().__init__(f"{code}: {self.values}")


def shown(text: str) -> str:
    """Return what an error repeats of a text: one line, printable, never long."""
    cut = text[: LONGEST_QUOTE + 1]
    clean = "".join(c if c.isprintable() else " " for c in cut)
    return clean if len(cut) <= LONGEST_QUOTE else clean[:LONGEST_QUOTE] + "…"
