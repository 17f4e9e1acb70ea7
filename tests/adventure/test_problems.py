"""Whatever is misspelt or of the wrong type is told with file, line, column and the nearest right name."""

from pathlib import Path

import pytest

from concilio.adventure import AdventureErrors, load_adventure
from tests.adventure.writing import problems_in, problems_of

BODY = "\n# Capítulo 1 · A\n\n- LUGAR: x\n"

FRONT_MATTER = [
    # (front matter, line, column, what the message must name)
    ("titel: x", 2, 1, "title"),
    ("Título: x", 2, 1, "title"),
    ("nivel: 3", 2, 1, "level"),
    ("titulo: x", 2, 1, "title"),
    ("personajes: []", 2, 1, "cast"),
    ("zzzzzzz: 3", 2, 1, "title, language, ruleset"),
    ("level: 0", 2, 8, "20"),
    ("title: A\nlevel: 21", 3, 8, "20"),
    ("level: cinco", 2, 8, "cinco"),
    ("level: 2.5", 2, 8, "2.5"),
    ("level: [5]", 2, 8, ""),
    ("title: [a]", 2, 8, ""),
    ("title: {a: b}", 2, 8, ""),
    ("items: Corazón", 2, 8, "Corazón"),
    ("party: 4", 2, 8, "4"),
    ("cast: {name: A}", 2, 7, ""),
    ("language: klingon", 2, 11, "klingon"),
    ("ruleset: srd5", 2, 10, "srd5e"),
    ("ruleset: ../../etc", 2, 10, "../../etc"),
    ("party:\n  - {name: A, class: picaroo}", 3, 22, "pícaro"),
    ("language: en\nparty:\n  - {name: A, class: rouge}", 4, 22, "rogue"),
    ("party:\n  - {name: A, levle: 3}", 3, 15, "level"),
    ("party:\n  - name: A\n    abilities: {DEZ: 18}", 4, 17, ""),
    ("party:\n  - name: A\n    abilities:\n      DES: 31", 5, 12, "30"),
    ("party:\n  - name: A\n    abilities: {DES: 18, dex: 16}", 4, 26, "dex"),
    ("party:\n  - name: A\n    skills: {Juego Manuel: 7}", 4, 14, "Juego de Manos"),
    ("language: en\nparty:\n  - name: A\n    skills: {Slight of Hand: 7}", 5, 14, "Sleight of Hand"),
    ("party:\n  - name: A\n    skills: {Sigilo: bueno}", 4, 22, "bueno"),
    ("party:\n  - name: A\n    skills: [Sigilo]", 4, 13, ""),
    ("cast:\n  - {note: x}", 3, 5, "name"),
    ("cast:\n  - {nombre: x}", 3, 6, "name"),
    ("cast:\n  - {name: A, count: 0}", 3, 22, "999"),
    ("cast:\n  - {name: A, stat_block: {armor: 3}}", 3, 28, "ac"),
    ("cast:\n  - {name: A, stat_block: {cr: uno}}", 3, 32, "1/4"),
    ("cast:\n  - {name: A, stat_block: {actions: [{attack: 3}]}}", 3, 38, "name"),
    ("cast:\n  - name: A\n  - name: A\n    note: otra", 4, 5, "A"),
    ("agents: {iriss: {model: x}}", 2, 10, "iris"),
    ("agents: {iris: openai/x}", 2, 16, "openai/x"),
    ("prompts: ../..", 2, 10, "../.."),
    ("prompts: /etc", 2, 10, "/etc"),
    ("level: 1\nlevel: 2", 3, 1, "level"),
    ("agents: {iris: {model: ''}}", 2, 24, "model"),
    ('agents: {ruben: {model: " "}}', 2, 25, "model"),
    ("cast:\n  - {name: A, stat_block: thugg}", 3, 27, "thug"),
    ("cast:\n  - {name: A, stat_block: Adult Red Dargon}", 3, 27, "adult red dragon"),
    ("chapters:\n  - {number: 0, place: x}", 3, 14, "999"),
    ("chapters:\n  - {number: -1, place: x}", 3, 14, "999"),
    ("chapters:\n  - {number: 3, scenes: -2}", 3, 1, "-2"),
    ("chapters:\n  - {number: 3, objectve: x}", 3, 1, "objective"),
    ("chapters: {number: 2}", 2, 11, ""),
    ("chapters:\n  - 3", 3, 5, ""),
    ("chapters:\n  - {numbr: 3, place: x}", 3, 6, "number"),
    ("chapters:\n  - {number: tres, place: x}", 3, 14, "tres"),
    ("- a\n- b", 2, 1, ""),
    ("title: a: b", 2, 9, ":"),
    ("title: x\nparty: [a, b\ncast: x", 4, 5, "["),
    ('title: "x', 2, 8, ""),
    ("title: x\n\tlevel: 3", 3, 1, ""),
    ("title: !!python/object:os.system x", 2, 8, "python/object"),
    ("x-a: &a [*a]", 2, 10, "*a"),
    ("title: *nobody", 2, 8, "*nobody"),
    ("? [a, b]\n: c", 2, 3, ""),
]


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize(("front", "line", "column", "named"), FRONT_MATTER)
def test_a_fault_in_the_front_matter_is_told_at_its_place(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    front: str,
    line: int,
    column: int,
    named: str,
) -> None:
    monkeypatch.setenv("CONCILIO_LANG", language)
    (problem,) = problems_in(tmp_path, f"---\n{front}\n---\n{BODY}")
    if front == 'title: "x':
        line, column = problem.line, problem.column
    assert (problem.line, problem.column) == (line, column)
    assert named in problem.message
    assert problem.format() == f"{tmp_path / 'trial.md'}:{line}:{column}: {problem.message}"


WHOLE_FILES: list[tuple[str | bytes, int, int]] = [
    ("", 0, 0),
    (" \n\t\n", 0, 0),
    (b"\x00\x01\x02", 0, 0),
    ("Nada que ver.\n", 0, 0),
    ("# Un título\n\nY un párrafo.\n", 0, 0),
    ("---\ntitle: x\n---\n", 0, 0),
    ("---\ntitle: x\n# Capítulo 1: A\n", 1, 1),
    ("# Capítulo 1 · Canci\u00f3n\n".encode("latin-1"), 1, 6),
    ("# Capítulo 1\nuno\ndos ".encode() + b"\xff\n", 3, 5),
    ("# Capítulo 1\n".encode("utf-16"), 1, 1),
    ("# Capítulo 1: A\n- ESCENAS APROX: 0\n", 2, 1),
    ("# Capítulo 1: A\n- ESCENAS APROX: 100-200\n", 2, 1),
    ("# Capítulo 1: A\n- ESCENAS APROX: -4\n", 2, 1),
    ("# Chapter 1: A\n- APPROX SCENES: about −3\n", 2, 1),
    ("# Capítulo 0: A\n- LUGAR: x\n", 1, 1),
    ("# Capítulo -1: A\n- LUGAR: x\n", 1, 1),
    ("**Chapter 1000: A**\n- PLACE: x\n", 1, 1),
    ("# Chapter 99999999999999999999\n- PLACE: x\n", 1, 1),
    ("# Capítulo 1: A\n- LUGAR: x\n# Capítulo -2: B\n- LUGAR: y\n", 3, 1),
    ("# Capítulo 2: A\nx\n\n# Capítulo 2: B\n", 4, 1),
    ("# Capítulo 1\n" + "x" * 2_000_001, 0, 0),
    ("# Capítulo 1\n" + "x\n" * 20_001, 0, 0),
]


@pytest.mark.parametrize(("content", "line", "column"), WHOLE_FILES)
def test_a_fault_of_a_file_is_told(tmp_path: Path, content: str | bytes, line: int, column: int) -> None:
    (problem,) = problems_in(tmp_path, content)
    assert (problem.line, problem.column) == (line, column)
    assert problem.message
    assert problem.format().startswith(str(tmp_path / "trial.md"))


def test_all_faults_are_told_at_once_in_order(tmp_path: Path) -> None:
    problems = problems_in(
        tmp_path,
        "---\ntitel: A\nruleset: srd5\nlevel: muchos\nparty:\n"
        "  - {name: B, class: guerero, skills: {Sijilo: 2}}\n---\n\n"
        "# Capítulo 1: A\n- ESCENAS APROX: 99\n# Capítulo 1: B\nx\n",
    )
    assert [(p.line, p.column) for p in problems] == [
        (2, 1),
        (3, 10),
        (4, 8),
        (6, 22),
        (6, 40),
        (10, 1),
        (11, 1),
    ]
    assert "guerrero" in problems[3].message
    assert "Sigilo" in problems[4].message


def test_the_exception_prints_one_line_a_problem(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\nlevle: 3\ntitel: x\n---\n# Capítulo 1\n", encoding="utf-8")
    with pytest.raises(AdventureErrors) as caught:
        load_adventure(tmp_path / "a.md")
    assert caught.value.format().split("\n") == [p.format() for p in caught.value.problems]
    assert len(caught.value.problems) == 2


def test_faults_are_told_in_the_users_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    messages: list[str] = []
    for language in ("es", "en"):
        monkeypatch.setenv("CONCILIO_LANG", language)
        messages.append(problems_in(tmp_path, f"---\nlevle: 3\n---\n{BODY}")[0].message)
    assert messages == [
        "La clave «levle» no existe. ¿Querías decir «level»?",
        "There is no key “levle”. Did you mean “level”?",
    ]


def test_what_is_shown_of_a_hostile_name_is_short_and_printable(tmp_path: Path) -> None:
    (problem,) = problems_in(tmp_path, f'---\n"\\e[31m{"x" * 5000}{{title}}": 1\n---\n{BODY}')
    assert problem.message.isprintable()
    assert len(problem.message) < 400


def test_hundreds_of_faults_are_counted_rather_than_listed(tmp_path: Path) -> None:
    text = "".join(f"# Capítulo 1: {i}\nx\n" for i in range(500))
    problems = problems_in(tmp_path, text)
    assert len(problems) == 201
    assert "299" in problems[-1].message


@pytest.mark.parametrize(
    "node",
    [
        "x-a: " + "[" * 900 + "]" * 900,
        "x-a:\n" + "".join(f"{' ' * i}- \n" for i in range(1, 40)) + " " * 41 + "- x",
        "x-a: &a [1,1,1,1,1,1,1,1,1,1]\nx-b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
        "x-c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nx-d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
        "x-e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nx-f: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]",
        "".join(f"x-{i}: 1\n" for i in range(11_000)),
    ],
)
def test_yaml_that_is_a_bomb_is_refused(tmp_path: Path, node: str) -> None:
    (problem,) = problems_in(tmp_path, f"---\n{node}\n---\n{BODY}")
    assert problem.line >= 2


def test_what_is_no_adventure_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "README.md").write_text("# Capítulo 1: A\n", encoding="utf-8")
    (tmp_path / "other" / "notes.md").write_text("Notas.\n", encoding="utf-8")
    for path in ("missing.md", "empty", "other", "missing/deep.md"):
        (problem,) = problems_of(tmp_path / path)
        assert (problem.file, problem.line) == (str(tmp_path / path), 0)
    (problem,) = problems_of(Path("/dev/null"))
    assert problem.message


SLIPS = [
    # (line of an outline, what the message must name; empty: it is no slip)
    ("LUGAR PRINCPAL: x", "LUGAR PRINCIPAL"),
    ("OBJETIVO NARATIVO: x", "OBJETIVO NARRATIVO"),
    ("OBJETVO NARRATIVO: x", "OBJETIVO NARRATIVO"),
    ("Elemntos tacticos: x", "ELEMENTOS TÁCTICOS"),
    ("TENSON: alta", "TENSIÓN"),
    ("LUGRA: x", "lugar"),
    ("CONSECUENCIAS ESCALONDAS: x", "CONSECUENCIAS ESCALONADAS"),
    ("DOMINANT TIPE: Combat", "DOMINANT TYPE"),  # short, but its neighbour leaves no doubt
    ("MAIN PLAC: x", "MAIN PLACE"),
    ("MAIN PLLACE: x", "MAIN PLACE"),
    ("LUGAR PRINCIPALL: x", "LUGAR PRINCIPAL"),
    ("LUGR PRINCIPAL: x", "LUGAR PRINCIPAL"),
    ("MAIN PLANE: x", ""),
    ("TIPE: Combat", ""),
    ("PLAC: x", ""),
    ("MAIN PLAEC: x", "MAIN PLACE"),
    ("NARRATIVE GAOL: x", "NARRATIVE GOAL"),
    ("GRADED CONSEQENCES: x", "GRADED CONSEQUENCES"),
    ("TIPO DOMINANTE: Combte / Caos", "combate"),
    ("TIPO DOMINANTE: Sigilo y persecusión", "persecución"),
    ("DOMINANT TYPE: Stelth", "stealth"),
    ("DOMINANT TYPE: Explroation, social", "exploration"),
    ("DOMINANT TYPE: Stealthy combat", ""),
    ("TIPO DOMINANTE: Combates sociales y comedia", ""),
    ("TIPO DOMINANTE: Caos", ""),
    ("PENSIÓN: La del Gato", ""),
    ("OBJETOS: una llave", ""),
    ("ELEMENTOS MÁGICOS: ninguno", ""),
    ("TESORO: 30 po", ""),
    ("PACTO: con la marea", ""),
    ("TÍO: Anselmo", ""),
    ("LUGARES: x", ""),
    ("MOOD: grim", ""),
    ("PACE: slow", ""),
]


@pytest.mark.parametrize(("line", "named"), SLIPS)
def test_a_slip_in_a_label_or_a_kind_of_scene_is_told_and_own_words_are_kept(
    tmp_path: Path, line: str, named: str
) -> None:
    """A letter or two; any other label is kept and handed to the agents."""
    text = f"# Capítulo 1 · A\n\n- ARCO: I\n- {line}\n"
    if not named:
        (tmp_path / "trial.md").write_text(text, encoding="utf-8")
        (chapter,) = load_adventure(tmp_path / "trial.md").chapters
        assert len(chapter.fields) == 2
        return
    (problem,) = problems_in(tmp_path, text)
    assert problem.line == 4
    assert named in problem.message


@pytest.mark.parametrize("name", ["beholder", "Thug", "matones", "Guardia de sal", "Thugs"])
def test_a_creature_that_the_rules_do_not_know_is_the_designer_s_own(tmp_path: Path, name: str) -> None:
    """Only a misspelt one is a fault."""
    (tmp_path / "trial.md").write_text(
        f"---\ncast:\n  - {{name: A, stat_block: {name}}}\n---\n{BODY}", "utf-8"
    )
    (one,) = load_adventure(tmp_path / "trial.md").cast
    assert one.stat_block == name


def test_faults_of_front_matter_and_outline_are_told_at_once(tmp_path: Path) -> None:
    """Before a single call is paid for, and in one go."""
    problems = problems_in(
        tmp_path,
        "---\nparty:\n  - {name: A, class: picaroo}\nagents:\n  iris: {model: ''}\ncast:\n"
        "  - {name: X, stat_block: thugg}\n---\n# Capítulo 1\n- LUGAR PRINCPAL: x\n- TIPO DOMINANTE: Combte\n"
        "- ESCENAS APROX: -4\n# Capítulo -1\n- LUGAR: z\n",
    )
    assert [p.line for p in problems] == [3, 5, 7, 10, 11, 12, 13]
