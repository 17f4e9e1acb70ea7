"""A pause as a form's fields: what is sent back untouched says nothing, what is changed says just that."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from concilio.domain.base import fold
from concilio.domain.debate import Ledger, Objection
from concilio.domain.plan import Outcome, Proposal, ScenePlan
from concilio.review.model import Pending
from concilio.review.sheet import (
    DEGREES,
    Edits,
    Faults,
    carried,
    cleaned,
    fields_of,
    filled,
    outcome_count,
    own_changes,
    read_edits,
)

TEXTS = st.text(st.characters(codec="utf-8"), max_size=40)
FILLED = TEXTS.filter(lambda text: bool(fold(cleaned({"x": text})["x"])))


def scene(number: int, **changes: Any) -> ScenePlan:
    values: dict[str, Any] = {
        "id": f"1.{number}", "title": f"Room {number}", "place": "A room", "present": "All",
        "situation": "Dark.", "player_action": "They look.", "state_change": "It is lit.",
        "outcomes": (
            Outcome(label="Success", degree="success", text="They see.", leads_to="end"),
            Outcome(label="Failure", degree="failure", text="They stumble."),
        ),
    }  # fmt: skip
    return ScenePlan(**(values | changes))


def pause(*scenes: ScenePlan, **values: Any) -> Pending:
    plan = Proposal(scenes=scenes or (scene(1), scene(2)))
    given: dict[str, Any] = {"version": "0" * 32, "chapter": 1, "kind": "plan", "round": 1, "language": "en"}
    ledger = Ledger(
        objections=(
            Objection(id="O1", author="ruben", scene="1.1", severity="major", text="Too dark", raised_in=1),
            Objection(
                id="O2", author="ruben", scene="1.2", severity="minor", text="x", state="fixed", raised_in=1
            ),
        )
    )
    return Pending.model_validate({**given, "plan": plan, "ledger": ledger, **values})


def form(asked: Pending, changes: dict[str, str]) -> tuple[Edits, dict[str, str]]:
    faults = Faults()
    edits = read_edits(asked, filled(asked, changes), faults)
    return edits, {name: key for name, (key, _) in faults.by_field.items()}


def test_what_comes_back_untouched_says_nothing() -> None:
    """With a browser's newlines and blank ends, too."""
    for asked in (pause(), pause(kind="prose", prose={"1.1": "One.\n\nTwo."})):
        sent = cleaned({k: f" {v}".replace("\n", "\r\n") + "\r\n" for k, v in fields_of(asked).items()})
        kept = {k: v.strip() if k.endswith(("degree", "leads_to")) else v for k, v in sent.items()}
        if asked.kind == "prose":
            kept = {k: v.strip(" ") for k, v in kept.items()}
        assert form(asked, kept) == (Edits(), {})
        assert own_changes(asked, filled(asked, kept)) == {}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    texts=st.fixed_dictionaries(dict.fromkeys(("title", "place", "situation", "state_change"), FILLED)),
    outcomes=st.lists(
        st.tuples(FILLED, st.sampled_from(DEGREES), FILLED, st.sampled_from(["", "1.1", "1.2", "end"])),
        min_size=1,
        max_size=5,
    ),
)
def test_any_text_that_is_typed_arrives_as_typed(
    texts: dict[str, str], outcomes: list[tuple[str, str, str, str]]
) -> None:
    asked = pause()
    sent = {f"scene.1.2.{key}": text for key, text in texts.items()}
    for index in range(len(asked.plan.scenes[1].outcomes)):
        sent |= {f"scene.1.2.outcome.{index}.{key}": "" for key in ("label", "text", "leads_to")}
    for index, row in enumerate(outcomes):
        named = zip(("label", "degree", "text", "leads_to"), row, strict=True)
        sent |= {f"scene.1.2.outcome.{index}.{key}": text for key, text in named}
    sent = cleaned(sent)
    edits, faults = form(asked, sent)
    assert faults == {}
    written = edits.scenes[0] if edits.scenes else asked.plan.scenes[1]
    assert len(edits.scenes) <= 1
    assert all(getattr(written, key) == fold(sent[f"scene.1.2.{key}"]) for key in texts)
    assert [(o.label, o.text) for o in written.outcomes] == [
        (fold(sent[f"scene.1.2.outcome.{i}.label"]), fold(sent[f"scene.1.2.outcome.{i}.text"]))
        for i in range(len(outcomes))
    ]


@pytest.mark.parametrize(
    ("sent", "faults"),
    [
        ({"scene.1.1.place": " \n"}, {"scene.1.1.place": "wrong.field_missing"}),
        ({"scene.1.1.title": "x" * 20_001}, {"scene.1.1.title": "wrong.field_length"}),
        ({"scene.1.1.outcome.0.label": ""}, {"scene.1.1.outcome.0.label": "wrong.field_missing"}),
        ({"scene.1.1.outcome.0.degree": "x"}, {"scene.1.1.outcome.0.degree": "wrong.no_choice"}),
        ({"scene.1.1.outcome.0.leads_to": "../x"}, {"scene.1.1.outcome.0.leads_to": "wrong.no_scene"}),
        ({"scene.1.1.outcome.2.text": "New"}, {"scene.1.1.outcome.2.label": "wrong.field_missing",
                                               "scene.1.1.outcome.2.degree": "wrong.no_choice"}),
        ({f"scene.1.1.outcome.{i}.{k}": "" for i in (0, 1) for k in ("label", "text")},
         {"scene.1.1.outcome.0.text": "wrong.no_outcome"}),
        ({"objection.1.proposal": "A lamp"}, {"objection.1.text": "wrong.empty_objection",
         "objection.1.scene": "wrong.no_scene", "objection.1.severity": "wrong.no_choice"}),
        ({"scene.9.9.place": "x", "scene.1.1.outcome.99.text": "x", "waive.O2": "on", "nothing": "x",
          "prose.1.1": "x", "objection.9.text": "x"}, {}),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_at_its_field(sent: dict[str, str], faults: dict[str, str]) -> None:
    edits, found = form(pause(), sent)
    assert found == faults
    assert edits == Edits(), "nothing of a scene or an objection that is wrong is taken"


def test_an_edit_an_objection_and_a_waiver_are_what_was_changed_and_no_more() -> None:
    sent = {
        "scene.1.2.outcome.2.label": "Draw",
        "scene.1.2.outcome.2.degree": "partial",
        "scene.1.2.outcome.2.text": "Both  fall.",
        "scene.1.2.outcome.2.leads_to": "1.1",
        "waive.O1": "on",
        "objection.2.scene": "1",
        "objection.2.severity": "blocker",
        "objection.2.text": "No way out",
    }
    edits, faults = form(pause(), sent)
    assert faults == {}
    added = Outcome(label="Draw", degree="partial", text="Both fall.", leads_to="1.1")
    assert edits.scenes == (scene(2, outcomes=(*scene(2).outcomes, added)),)
    assert edits.waived == ("O1",)
    assert [(o.scene, o.severity, o.text) for o in edits.objections] == [("1", "blocker", "No way out")]
    assert outcome_count(filled(pause(), sent), "1.2") == 4
    assert outcome_count(fields_of(pause()), "1.1") == 3


def test_a_scene_that_is_not_whole_is_filled_in_where_it_lacks() -> None:
    half = "### Chapter 1 · Scene 1.2 — The Vault\n- PLACE: A vault.\n- INITIAL SITUATION: It is locked.\n"
    asked = pause(scene(1), unfinished={"1.2": half})
    values = fields_of(asked)
    assert (values["scene.1.2.title"], values["scene.1.2.place"]) == ("The Vault", "A vault.")
    assert form(asked, {}) == (Edits(), {}), "it may stay half"
    _, faults = form(asked, {"scene.1.2.present": "A guard"})
    assert set(faults) == {"scene.1.2.player_action", "scene.1.2.state_change"}
    whole = {"present": "A guard", "player_action": "They pick it.", "state_change": "It is open."}
    sent = {f"scene.1.2.{key}": text for key, text in whole.items()}
    outcome = {"label": "Success", "degree": "success", "text": "It opens."}
    sent |= {f"scene.1.2.outcome.0.{key}": text for key, text in outcome.items()}
    edits, faults = form(asked, sent)
    assert faults == {}
    assert [(s.id, s.place, s.state_change) for s in edits.scenes] == [("1.2", "A vault.", "It is open.")]


def test_what_one_wrote_is_carried_to_a_later_pause_and_undoes_nothing_there() -> None:
    """Only what was changed travels; where both changed the same field, both texts are shown."""
    old = pause()
    new = pause(scene(1, place="A cellar", situation="Darker."), scene(2, present="Nobody"))
    sent = filled(
        old,
        {"scene.1.1.situation": "Pitch black.", "scene.1.2.state_change": "Lamps burn.", "waive.O1": "on"}
        | {"objection.0.text": "No exit", "objection.0.scene": "1.1", "objection.0.severity": "major"},
    )
    merged = carried(old, sent, new)
    edits, faults = form(new, merged.values)
    assert faults == {}
    assert edits.scenes == (
        scene(1, place="A cellar", situation="Pitch black."),
        scene(2, present="Nobody", state_change="Lamps burn."),
    )
    assert merged.newer == {"scene.1.1.situation": "Darker."}
    assert edits.waived == ("O1",)
    assert [o.text for o in edits.objections] == ["No exit"]


def test_outcomes_are_carried_as_one() -> None:
    old = pause()
    other = Outcome(label="Critical failure", degree="critical_failure", text="They fall.")
    new = pause(scene(1, outcomes=(other, *scene(1).outcomes)), scene(2))
    merged = carried(old, filled(old, {"scene.1.1.outcome.1.text": "They crawl."}), new)
    edits, _ = form(new, merged.values)
    assert [o.text for o in edits.scenes[0].outcomes] == ["They see.", "They crawl."]
    assert merged.newer["scene.1.1.outcome.0.text"] == "They fall."


def test_prose_is_edited_whole_and_never_emptied() -> None:
    asked = pause(kind="prose", prose={"1.1": "One.\n\nTwo.", "1.2": "Three."})
    assert set(fields_of(asked)) == {"prose.1.1", "prose.1.2"}
    edits, faults = form(asked, {"prose.1.1": "One.\n\nTwo and a half.\n", "prose.1.2": " \n"})
    assert faults == {"prose.1.2": "wrong.prose_length"}
    assert edits.prose == {"1.1": "One.\n\nTwo and a half."}


def test_no_character_comes_in_that_no_file_holds() -> None:
    assert cleaned({"a": "x\x00\x1b[31my\r\nz\rw\tv\ud800"}) == {"a": "x[31my\nz\nw\tv"}
