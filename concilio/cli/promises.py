"""`concilio promises`: what an adventure's chapters promise of later ones, and what came of it."""

from pathlib import Path

import click

from concilio.catalogue import follow, say
from concilio.cli.form import text_or_json

UNRESOLVED = 1


@click.command(name="promises", help=say("promises.help"), short_help=say("cli.summary.promises"))
@click.argument("adventure", type=click.Path(path_type=Path), metavar=say("promises.arg_adventure"))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar=say("cli.meta.folder"),
    help=say("run.opt_out"),
)
@text_or_json()
def command(adventure: Path, out: Path | None, form: str) -> int:
    """List the promises; 1 where one is not kept."""
    from concilio.adventure.loader import load_adventure
    from concilio.promises.telling import as_json, lines
    from concilio.promises.written import written_chapters
    from concilio.settings import load_settings
    from graphs.promised import judged

    loaded = load_adventure(adventure)
    follow(loaded.language)
    written = written_chapters(adventure, loaded, load_settings({"out": out}, beside=adventure).out)
    found = judged(loaded, [chapter for chapter, _ in written.values()])
    files = {number: path for number, (_, path) in written.items()}
    click.echo(as_json(found, files) if form == "json" else "\n".join(lines(found, files)))
    return UNRESOLVED if any(one.state == "not_kept" for one in found) else 0
