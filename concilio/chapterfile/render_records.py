"""The lists and tables of a chapter file: findings, objections, mechanics, provenance."""

from collections.abc import Callable, Iterable, Iterator

from concilio.catalogue import has_text, say
from concilio.chapterfile.escape import escape_line
from concilio.chapterfile.records import head, labelled, row
from concilio.chapterfile.words import written, written_group
from concilio.domain.base import Language
from concilio.domain.chapter import AgentUse, Chapter
from concilio.domain.debate import Objection
from concilio.domain.plan import Mechanic
from concilio.figures import amount, exact
from rules.findings import Finding

COLUMNS = ("agent", "model", "calls", "tokens_in", "tokens_out", "cost")


def finding_lines(finding: Finding, language: Language) -> Iterator[str]:
    """Yield a finding as a record: rule, severity, part, scene and place, then quote, message and sources."""

    def word(key: str) -> str:
        return written(language, f"detail.{key}")

    place = f"{word('line')} {finding.line}", f"{word('column')} {finding.column}"
    severity, part = (
        written(language, f"severity.{finding.severity}"),
        written(language, f"part.{finding.part}"),
    )
    yield head(finding.rule, (severity, part, place_of(finding.scene, language), *place))
    for key in ("quote", "message", "expected", "source"):
        value = getattr(finding, key)
        if value:
            yield labelled(word(key), value, indent=2)


def objection_lines(objection: Objection, language: Language) -> Iterator[str]:
    """Yield an objection as a record: id, severity, state, author and scene, then what was said."""

    def word(key: str) -> str:
        return written(language, f"detail.{key}")

    severity, state = (written(language, f"{k}.{getattr(objection, k)}") for k in ("severity", "state"))
    yield head(
        objection.id,
        (severity, state, written(language, f"who.{objection.author}"), place_of(objection.scene, language)),
    )
    details = (("field", _field(objection.field, language)), ("text", objection.text))
    for key, value in (*details, ("proposal", objection.proposal)):
        if value:
            yield labelled(word(key), value, indent=2)
    if objection.answer or objection.answer_kind:
        yield labelled(answer_label(objection.answer_kind, language), objection.answer, indent=2)
    yield labelled(word("raised"), str(objection.raised_in), indent=2)
    if objection.closed_in is not None:
        yield labelled(word("closed"), str(objection.closed_in), indent=2)


def _field(field: str, language: Language) -> str:
    """Return the field that an objection is about, by the debate's word for it, which may look like a key."""
    key = f"debate.field.{field}"
    is_word = field.isidentifier() and has_text(key, language) and say(key, language) == field
    return field if is_word else _named(field, "field", language)


def place_of(scene: str, language: Language) -> str:
    """Return `escena 5.1`, or `capítulo 5` for the whole plan."""
    word = written(language, f"detail.{'scene' if '.' in scene or not scene else 'chapter'}")
    return f"{word} {scene}" if scene else word


def answer_label(kind: str, language: Language) -> str:
    """Return `Respuesta (corregida)`, or `Respuesta` where the answer has no kind."""
    word = written(language, "detail.answer")
    return f"{word} ({written(language, f'state.{kind}')})" if kind else word


def mechanic_line(mechanic: Mechanic, language: Language) -> str:
    """Return `- **5.1-a** (prueba): una prueba de …`; a kind without a word is quoted."""
    word = written_group(language, "kind").get(mechanic.kind)
    kind = word or '"' + escape_line(mechanic.kind, also='"()') + '"'
    text = escape_line(mechanic.text)
    return f"- **{escape_line(mechanic.ref, also='*')}** ({kind}): {text}".rstrip()


def provenance_lines(chapter: Chapter) -> Iterator[str]:
    """Yield the last section: from what the chapter came, with which models, tokens and cost."""
    language, origin = chapter.language, chapter.provenance
    yield f"# {written(language, 'provenance')}"
    facts = (
        ("adventure", chapter.adventure),
        ("seed", str(origin.seed)),
        ("ruleset", origin.ruleset),
        ("rounds", str(origin.rounds)),
        ("round_kept", str(chapter.round_kept)),
        ("rewrites", ", ".join(str(scene.rewrites) for scene in chapter.scenes)),
        ("versions", ""),
    )
    lines = [labelled(written(language, key), value) for key, value in facts]
    lines += [labelled(name, version, indent=2) for name, version in sorted(origin.versions.items())]
    yield "\n".join(lines)
    yield "\n".join(_table(origin.agents, language)) if origin.agents else written(language, "no_agents")
    if origin.agents:
        yield f"**{written(language, 'total')}:** {_total(origin.agents, language)}"


def _table(agents: Iterable[AgentUse], language: Language) -> Iterator[str]:
    yield row(written(language, f"table.{column}") for column in COLUMNS)
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    for use in agents:
        cost = None if use.cost_usd is None else exact(use.cost_usd, language)
        cells = (_known(each, language) for each in (use.tokens_in, use.tokens_out, cost))
        yield row((_named(use.agent, "who", language), use.model, str(use.calls), *cells))


def _known(figure: int | str | None, language: Language) -> str:
    return written(language, "unknown") if figure is None else str(figure)


def _total(agents: tuple[AgentUse, ...], language: Language) -> str:
    """Return the sums in words; where a part is unknown, what is known is a lower bound and is called so."""
    cost = _sum([use.cost_usd for use in agents], language, amount)
    line = say(
        "chapterfile.write.total_line",
        language,
        calls=sum(use.calls for use in agents),
        tokens_in=_sum([use.tokens_in for use in agents], language),
        tokens_out=_sum([use.tokens_out for use in agents], language),
        cost=cost,
    )
    unknown = any(None in (use.tokens_in, use.tokens_out, use.cost_usd) for use in agents)
    return f"{line} {written(language, 'not_summed')}" if unknown else line


def _sum(
    parts: list[float | None] | list[int | None],
    language: Language,
    shown: Callable[[float, Language], str] = lambda total, _: str(total),
) -> str:
    known = [part for part in parts if part is not None]
    if not known:
        return written(language, "unknown")
    total = shown(sum(known), language)
    if len(known) == len(parts):
        return total
    return say("chapterfile.write.at_least", language, value=total)


def _named(value: str, group: str, language: Language) -> str:
    """Return the written word of a value, else the value, in quotes where it could be mistaken for one."""
    words = written_group(language, group)
    if value in words:
        return words[value]
    mistakable = value.startswith('"') or value in words.values()
    return f'"{value}"' if mistakable else value
