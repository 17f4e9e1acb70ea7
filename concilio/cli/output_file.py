"""What a command writes where its user said: never over what it reads, never over what is no file.

One policy for every option and argument that names an output: a name that is taken stays as it is unless the
user says `--force`, folders are not made, and devices, pipes, sockets and folders are never replaced.
"""

from collections.abc import Sequence
from pathlib import Path

from concilio.catalogue import say
from concilio.printable import printable


class OutputError(Exception):
    """A file cannot be written where it was asked for; the message is one line for people."""

    exit_code = 2


def run_files(chapter: str) -> tuple[Path, ...]:
    """Return the files of a run that are read with a chapter in its folder."""
    from concilio.batch.job import SNAPSHOT_NAME
    from concilio.store.run import INFO_NAME

    return tuple(Path(chapter).parent / name for name in (SNAPSHOT_NAME, INFO_NAME)) if chapter != "-" else ()


def require_free(
    target: Path, option: str, reads: Sequence[Path | str | None], force: bool, folder: bool = False
) -> Path:
    """Return where the file goes, links followed; asked before the work is done.

    Args:
        target: as the user named it.
        option: how the user names an output: `--svg`.
        reads: files and folders that the command reads; None and `-` are none.
        force: whether a file of that name may be replaced.
        folder: whether a folder is written, not a file.

    Raises:
        OutputError: it is read by the command, exists, is no file, or its folder does not exist.
    """
    try:
        sources = [Path(one) for one in reads if one not in (None, "", "-")]
        return _free(target, option, sources, force, folder)
    except (OSError, ValueError) as error:  # a name that no file can have, a loop of links
        problem = getattr(error, "strerror", None) or str(error)
        raise cannot_write(target, option, problem) from None


def _free(target: Path, option: str, reads: Sequence[Path], force: bool, folder: bool) -> Path:
    place = target.resolve(strict=False)
    if place.exists():
        if any(_is_read(place, source) for source in reads if source.exists()):
            raise _refused("is_read", target, option)
        if not (place.is_dir() if folder else place.is_file()):
            raise _refused("not_a_folder" if folder else "no_file", target, option)
    if not force and (place.exists() or target.is_symlink()):
        raise _refused("exists", target, option)
    if not place.parent.is_dir():
        raise _refused("no_folder", target, option, folder=printable(place.parent))
    return place


def _is_read(place: Path, source: Path) -> bool:
    """Tell whether what is there is read, or is a text in a folder that is read, or a folder around it."""
    from concilio.adventure.source import MARKDOWN_SUFFIXES, YAML_SUFFIXES

    if place.is_dir():
        return source.resolve().is_relative_to(place)
    if source.is_dir():
        texts = (*MARKDOWN_SUFFIXES, *YAML_SUFFIXES)
        return place.suffix.casefold() in texts and place.is_relative_to(source.resolve())
    return place.samefile(source)


def write_output(place: Path, option: str, content: str | bytes) -> None:
    """Write a file whole, where `require_free` said.

    Raises:
        OutputError: the system refuses.
    """
    from concilio.store.errors import StoreError
    from concilio.store.files import write_atomic

    try:
        write_atomic(place, content)
    except StoreError as error:
        cause = getattr(error.__cause__, "strerror", None)
        raise cannot_write(place, option, cause or error.explain()) from None


def cannot_write(target: Path, option: str, problem: str) -> OutputError:
    """Return that the system refuses a file, with its reason."""
    return _refused("failed", target, option, problem=problem)


def _refused(why: str, target: Path, option: str, **values: str) -> OutputError:
    return OutputError(say(f"cli.output.{why}", path=printable(target), option=option, **values))
