"""Python's collector of cycles, told to come rarely where much lives and few cycles are made: a folder that
is checked, a batch that runs.

It looks through all that lives again and again, and so makes twice the work cost more than twice.
"""

import gc
from collections.abc import Generator
from contextlib import contextmanager

RARELY = (200_000, 20, 100)
"""New objects before the youngest are looked through, and how many such looks come before the older ones."""
SELDOM = (20_000, 20, 50)
"""The same for long work that makes cycles too (tasks and errors): a tenth of its time goes without it."""


@contextmanager
def rare_collections(thresholds: tuple[int, int, int] = RARELY) -> Generator[None]:
    """Let the collector come rarely inside the `with`; afterwards as before."""
    before = gc.get_threshold()
    gc.set_threshold(*thresholds)
    try:
        yield
    finally:
        gc.set_threshold(*before)
