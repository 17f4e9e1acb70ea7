"""A book as a module for Foundry VTT 13 and 14: the JSON sources that its own command line packs.

`packs/_source/<pack>/*.json` hold a journal with a page a scene, actors of the dnd5e system for the stat
blocks, and one adventure that brings both into a world at once.
"""

import hashlib
import json
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from concilio.export.book import Book, Scene
from concilio.export.enrich import command, inert, inline, label, named, text_html
from concilio.export.folder import FILES, MANIFEST, MARK, digests
from concilio.export.foundry_actor import actor
from concilio.export.html import Setter, points_html
from concilio.export.outcomes import ending_of
from concilio.export.sheet import Printer
from concilio.store.run import slug

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

CORE, VERIFIED = "13", "14"
SYSTEM = "dnd5e"
PACKS = {"journal": "JournalEntry", "actors": "Actor", "adventure": "Adventure"}
"""Packs that a module may have, with what they hold."""
ID_LENGTH = 16
_DIGITS = string.ascii_letters + string.digits
_SETTER = Setter(
    inline=inline,
    aloud=Markup('<div class="fvtt narrative">{1}</div>'),
    aside=Markup("<aside><p>{1}</p></aside>"),
    heading=2,
)


def to_foundry(book: Book, ruleset: "Ruleset") -> dict[str, str]:
    """Return the module's files by their path in it."""
    made = _Module(book, Printer(book, ruleset))
    files = {name: content if isinstance(content, str) else _json(content) for name, content in made.files()}
    return {MANIFEST: _json(made.manifest(files)), **files}


def document_id(*parts: object) -> str:
    """Return the id of a document: 16 letters and digits that depend on its parts alone."""
    digest = int.from_bytes(hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest(), "big")
    letters: list[str] = []
    for _ in range(ID_LENGTH):
        digest, rest = divmod(digest, len(_DIGITS))
        letters.append(_DIGITS[rest])
    return "".join(letters)


@dataclass(frozen=True, slots=True)
class _Module:
    book: Book
    printer: Printer

    @property
    def id(self) -> str:
        """The module's id, which is the name of its folder in Foundry."""
        return f"concilio-{slug(self.book.adventure or self.book.title)}-{self.book.number:02d}"

    def _id(self, *parts: object) -> str:
        return document_id(self.book.adventure, self.book.number, *parts)

    def say(self, key: str, **values: object) -> str:
        return self.printer.say(key, **values)

    @property
    def title(self) -> str:
        return f"{self.say('chapter', number=self.book.number)} · {self.book.title}"

    def files(self) -> "Iterator[tuple[str, str | Mapping[str, Any]]]":
        """Yield the files of the module, but for its manifest."""
        journal, actors = self._journal(), list(self._actors())
        title = self.title.replace("`", "'")
        packs = " ".join(self._packs())
        yield "README.md", self.say("foundry.readme", id=self.id, title=title, packs=packs)
        yield "packs/_source/journal/journal.json", _keyed(journal, "journal", "pages")
        for one in actors:
            yield (
                f"packs/_source/actors/{slug(one['name'])}-{one['_id']}.json",
                _keyed(one, "actors", "items"),
            )
        yield (
            "packs/_source/adventure/adventure.json",
            _keyed(self._adventure(journal, actors), "adventures", ""),
        )
        if self.book.picture:
            yield "map.svg", self.book.picture

    def _packs(self) -> Sequence[str]:
        """Return the names of the packs; an empty one could not be packed."""
        return [name for name in PACKS if self.book.monsters or name != "actors"]

    def manifest(self, files: Mapping[str, str]) -> dict[str, Any]:
        """Return what the module says of itself, with a list of its other files."""
        about = text_html(self.book.adventure)
        return {
            "id": self.id,
            "title": self.title,
            "description": str(Markup("<p>{}</p><p>{}</p>").format(about, text_html(self.printer.credits))),
            "version": "1.0.0",
            "compatibility": {"minimum": CORE, "verified": VERIFIED},
            "relationships": {"systems": [{"id": SYSTEM, "type": "system", "compatibility": {}}]},
            "packs": [
                {
                    "name": name,
                    "label": self.title,
                    "path": f"packs/{name}",
                    "type": PACKS[name],
                    "system": SYSTEM,
                }
                for name in self._packs()
            ],
            "flags": {MARK: {"export": 1, FILES: digests(files)}},
        }

    def _adventure(self, journal: Mapping[str, Any], actors: list[dict[str, Any]]) -> dict[str, Any]:
        empty = ("combats", "items", "scenes", "cards", "folders", "macros", "playlists", "tables")
        return {
            "_id": self._id("adventure"),
            "name": self.title,
            "img": None,
            "caption": str(text_html(self.book.adventure)),
            "description": str(text_html(self.book.notes)),
            "journal": [journal],
            "actors": actors,
            **{name: [] for name in empty},
            "sort": 0,
            "flags": {},
            "_stats": stats(),
        }

    def _actors(self) -> Iterator[dict[str, Any]]:
        for monster in self.book.monsters:
            yield {**actor(monster, self.printer, self._id), "_stats": stats()}

    def _journal(self) -> dict[str, Any]:
        pages = [self._page("overview", self.say("header"), self._overview(), 0)]
        for place, scene in enumerate(self.book.scenes, 1):
            name = f"{scene.id} {scene.title}".strip()
            pages.append(self._page(f"scene {scene.id} {place}", name, self._scene(scene), place))
        if self.book.picture:
            pages.append(self._map(len(pages)))
        if self.book.objections or self.book.findings:
            pages.append(self._page("open", self.say("open"), self._open(), len(pages)))
        return {
            "_id": self._id("journal"),
            "name": self.title,
            "pages": pages,
            "categories": [],
            "folder": None,
            "sort": 0,
            "ownership": {"default": 0},
            "flags": {},
            "_stats": stats(),
        }

    def _page(self, key: str, name: str, content: Markup, place: int) -> dict[str, Any]:
        return {
            "_id": self._id("page", key),
            "name": name,
            "type": "text",
            "title": {"show": True, "level": 1},
            "text": {"format": 1, "content": str(content), "markdown": ""},
            "system": {},
            "src": None,
            "sort": place * 100_000,
            "ownership": {"default": -1},
            "flags": {},
            "_stats": stats(),
        }

    def _map(self, place: int) -> dict[str, Any]:
        page = self._page("map", self.say("picture"), Markup(""), place)
        caption = {"caption": self.say("picture_alt")}
        return {**page, "type": "image", "image": caption, "src": f"modules/{self.id}/map.svg"}

    def _overview(self) -> Markup:
        rows = Markup("").join(
            Markup("<p><strong>{}.</strong> {}</p>{}").format(
                text_html(entry.label), text_html(entry.text), points_html(entry.points, text_html)
            )
            for entry in self.book.header
        )
        notes = Markup("<p>{}</p>").format(text_html(self.book.notes)) if self.book.notes else ""
        credits = Markup("<p><em>{}</em></p>").format(text_html(self.printer.credits))
        return Markup("{}{}{}").format(rows, notes, credits)

    def _scene(self, scene: Scene) -> Markup:
        parts = [self._field(scene, key) for key in ("place", "present")]
        parts.append(self._rolls(scene))
        parts.append(_SETTER.blocks(scene.prose, self.printer))
        if not scene.prose:
            parts += [self._field(scene, key) for key in ("situation", "player_action")]
        parts += [self._outcomes(scene), self._field(scene, "state_change")]
        return Markup("\n").join(part for part in parts if part)

    def _field(self, scene: Scene, key: str) -> Markup:
        text = scene.text_of(key)
        row = Markup("<p><strong>{}.</strong> {}</p>")
        return row.format(self.say(f"field.{key}"), text_html(text)) if text else Markup("")

    def _rolls(self, scene: Scene) -> Markup:
        told = [
            f"{text}{{{label(named(roll, dc, self.printer))}}}"
            for roll in scene.rolls
            for dc in roll.dcs
            if (text := command(roll, dc))
        ]
        if not told:
            return Markup("")
        items = Markup("").join(Markup("<li>{}</li>").format(one) for one in told)
        edges = Markup("").join(Markup("<p><em>{}</em></p>").format(text_html(one)) for one in scene.edges)
        return Markup("<h2>{}</h2><ul>{}</ul>{}").format(self.say("rolls"), items, edges)

    def _outcomes(self, scene: Scene) -> Markup:
        ending = ending_of(self.book, scene)
        row = Markup("<li><strong>{}.</strong> {} {}</li>")
        short = Markup("<li><strong>{}</strong> {}{}</li>")
        listed = Markup("").join(
            (row if each.text else short).format(
                text_html(each.label), text_html(each.text), self._leads(each.leads_to)
            )
            for each in ending.rows
        )
        title = self.say(ending.title)
        return Markup("<h2>{}</h2><ul>{}</ul>").format(title, listed) if listed else Markup("")

    def _leads(self, to: str | None) -> str:
        """Return where an outcome leads: a link to that scene's page, where it has one."""
        if not to:
            return ""
        place = next((i for i, scene in enumerate(self.book.scenes, 1) if scene.id == to), None)
        words = label(self.printer.leads(to))
        if place is None:
            return f"→ {words}"
        page = self._id("page", f"scene {to} {place}")
        return f"→ @UUID[.{page}]{{{words}}}"

    def _open(self) -> Markup:
        rows = [
            Markup("<li><strong>{}</strong> {}</li>").format(inert(o.id), text_html(o.text))
            for o in self.book.objections
        ]
        rows += [Markup("<li>{}</li>").format(text_html(f.message)) for f in self.book.findings]
        return Markup("<ul>{}</ul>").format(Markup("").join(rows))


def stats() -> dict[str, Any]:
    """Return by which versions a document is written: Foundry brings older ones up to its own."""
    return {"coreVersion": "13.341", "systemId": SYSTEM, "systemVersion": "5.0.0"}


def _keyed(document: Mapping[str, Any], collection: str, inner: str) -> dict[str, Any]:
    """Return a document with the keys by which the packer files it and what is inside it."""
    own = f"!{collection}!{document['_id']}"
    inside = (
        {
            inner: [
                {**each, "_key": f"!{collection}.{inner}!{document['_id']}.{each['_id']}"}
                for each in document[inner]
            ]
        }
        if inner
        else {}
    )
    return {**document, **inside, "_key": own}


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
