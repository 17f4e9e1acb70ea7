"""Python's collector of cycles, told to come rarely while files are checked: they make none to speak of.

It looks through all that lives again and again, and so makes a file of twice the size cost more than twice.
"""

import gc
from collections.abc import Generator
from contextlib import contextmanager

RARELY = (200_000, 20, 100)
"""New objects before the youngest are looked through, and how many such looks come before the older ones."""


@contextmanager
def rare_collections() -> Generator[None]:
    """Let the collector come rarely inside the `with`; afterwards as before."""
    before = gc.get_threshold()
    gc.set_threshold(*RARELY)
    try:
        yield
    finally:
        gc.set_threshold(*before)
