"""What keeps a fleet from being used."""

from concilio.catalogue import say
from concilio.store.errors import StoreError


class FleetError(StoreError):
    """The fleet's database cannot be used as asked, or a part of the program is not installed."""

    def explain(self, language: str | None = None) -> str:
        """Return what happened and what to do, in one line in the user's language."""
        return say(f"fleet.error.{self.problem}", language, where=self.path, **self.told_values(language))


class JobLostError(FleetError):
    """Another worker has this chapter now: nothing more may be asked or written for it here."""

    def __init__(self) -> None:
        super().__init__("lost", "")
