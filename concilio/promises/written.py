"""The chapters of an adventure that were written, from the runs of a folder: of each the newest."""

from collections.abc import Iterator
from pathlib import Path

from concilio.batch.runs import list_batches
from concilio.chapterfile.errors import ChapterFileError
from concilio.chapterfile.json_file import load_chapter
from concilio.chapterfile.names import chapter_file_stem
from concilio.domain.adventure import Adventure
from concilio.domain.chapter import Chapter
from concilio.store.errors import StoreError, from_os_error
from concilio.store.run import list_runs, read_info


def written_chapters(file: Path, adventure: Adventure, out: Path) -> dict[int, tuple[Chapter, Path]]:
    """Return the newest of each chapter that a run of this file wrote, with its file, by number.

    Raises:
        StoreError: the folder or a chapter in it cannot be read.
    """
    found: dict[int, tuple[Chapter, Path]] = {}
    for folder in _runs_of(file, out):
        for outline in adventure.chapters:
            path = folder / f"{chapter_file_stem(outline.number, adventure.language)}.json"
            if outline.number not in found and path.is_file():
                found[outline.number] = (_read(path), path)
    return dict(sorted(found.items()))


def _runs_of(file: Path, out: Path) -> Iterator[Path]:
    """Give the folders of the runs of an adventure, the newest first; those that cannot be read are none."""
    folders = [*list_runs(out), *(run for batch in list_batches(out) for run in list_runs(batch))]
    wanted = str(file.resolve())
    for folder in sorted(folders, key=lambda one: one.name, reverse=True):
        try:
            info = read_info(folder)
        except StoreError:
            continue
        if info.inputs.get("adventure") == wanted:
            yield folder


def _read(path: Path) -> Chapter:
    try:
        return load_chapter(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise from_os_error(error, path) from error
    except (ChapterFileError, UnicodeDecodeError) as error:
        raise StoreError("damaged", path, cause=error) from error
