"""What a URL may name: a run among those that are listed, and a file of ours within it. Nothing else."""

import re
from dataclasses import dataclass
from pathlib import Path

from concilio.batch.runs import list_batches
from concilio.batch.stated import HIGHEST_CHAPTER
from concilio.chapterfile.names import chapter_file_stem
from concilio.domain.base import Language
from concilio.store.errors import StoreError
from concilio.store.own import is_own, require_own
from concilio.store.run import list_runs

WITHIN = "~"
"""Between a batch's folder and a run's in an id: no folder of ours has one in its name."""
_CHAPTER = re.compile(r".*_(\d{2,3})\.(?:es|en)\.json\Z")


class NotFoundError(LookupError):
    """Nothing of that name is listed."""


@dataclass(frozen=True, slots=True)
class Found:
    """A run's folder under the id by which pages name it."""

    id: str
    folder: Path


def list_found(out: Path) -> tuple[Found, ...]:
    """Return the runs under a folder and in its batches, newest first; links to elsewhere are left out."""
    root = out.resolve()
    runs = [Found(path.name, path) for path in list_runs(out)]
    for batch in list_batches(out):
        runs += [Found(f"{batch.name}{WITHIN}{path.name}", path) for path in list_runs(batch)]
    inside = [run for run in runs if _has_address(run) and _is_inside(run.folder, root)]
    return tuple(sorted(inside, key=lambda run: run.folder.name, reverse=True))


def _has_address(run: Found) -> bool:
    """Tell whether a run's name can be written in an address: a folder's name may be any bytes."""
    try:
        run.id.encode()
    except UnicodeEncodeError:
        return False
    return True


def find(out: Path, run_id: str) -> Found:
    """Return the listed run with that id.

    Raises:
        NotFoundError: none is listed.
    """
    for run in list_found(out):
        if run.id == run_id:
            return run
    raise NotFoundError(run_id)


def chapter_file(out: Path, run: Found, number: int) -> tuple[Path, Language] | None:
    """Return a chapter's JSON file and its language; None where it is not written yet.

    Raises:
        NotFoundError: no chapter can have that number.
    """
    if not 0 <= number <= HIGHEST_CHAPTER:
        raise NotFoundError(str(number))
    for path, language in _chapter_names(run, number):
        if is_own(path, out):
            return path, language
    return None


def chapter_fault(out: Path, run: Found, number: int) -> StoreError | None:
    """Return why what has the name of a chapter's file is none; None where all is well, or nothing there."""
    for path, _ in _chapter_names(run, number):
        try:
            if require_own(path, out):
                return None
        except StoreError as error:
            return error
    return None


def chapters_there(run: Found) -> tuple[int, ...]:
    """Return the numbers of the chapters of which a folder has files, whatever the run says of itself."""
    try:
        names = {path.name for path in run.folder.iterdir()}
    except OSError:
        return ()
    numbers = {int(match[1]) for name in names if (match := _CHAPTER.match(name))}
    return tuple(sorted(n for n in numbers if any(p.name in names for p, _ in _chapter_names(run, n))))


def _chapter_names(run: Found, number: int) -> list[tuple[Path, Language]]:
    languages: tuple[Language, ...] = ("es", "en")
    return [(run.folder / f"{chapter_file_stem(number, each)}.json", each) for each in languages]


def has_chapter(out: Path, run: Found, number: int) -> bool:
    """Tell whether a chapter is written; none has a number out of bounds."""
    return 0 <= number <= HIGHEST_CHAPTER and chapter_file(out, run, number) is not None


def inner_file(out: Path, run: Found, name: str) -> Path | None:
    """Return a file of the run by a name of ours, or None where there is none or it lies elsewhere."""
    path = run.folder / name
    return path if is_own(path, out) else None


def _is_inside(path: Path, root: Path) -> bool:
    try:
        return path.resolve().is_relative_to(root)
    except (OSError, RuntimeError):
        return False
