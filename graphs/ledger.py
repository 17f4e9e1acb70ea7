"""The ledger of objections, as pure functions: raise, answer, close.

Only the author of an objection closes it (or the designer waives it, or the engine sees its own fault gone):
an objection that its author does not mention stays open, for silence is not consent.
"""

from collections.abc import Iterable

from concilio.domain.debate import AgentId, Answer, Ledger, Objection, ObjectionDraft, ObjectionState, Review

SAME_TEXT = 90.0
"""Similarity, 0 to 100, from which two objections of one author on one scene count as the same."""


def raise_objections(
    ledger: Ledger, author: AgentId, drafts: Iterable[ObjectionDraft], round_: int
) -> Ledger:
    """Return the ledger with the drafts that are not open already, numbered on.

    What the designer has waived stays so: its author cannot raise the same again.
    """
    for draft in drafts:
        if not _already_open(ledger, author, draft):
            ledger = Ledger(objections=(*ledger.objections, _numbered(ledger, author, draft, round_)))
    return ledger


def answer_objections(ledger: Ledger, answers: Iterable[Answer]) -> Ledger:
    """Return the ledger with Iris's answers noted on the open objections. No state changes."""
    by_id = {answer.objection: answer for answer in answers}

    def answered(objection: Objection) -> Objection:
        answer = by_id.get(objection.id)
        if answer is None or objection.state != "open":
            return objection
        return objection.model_copy(update={"answer": answer.text, "answer_kind": answer.kind})

    return Ledger(objections=tuple(answered(o) for o in ledger.objections))


def close_objections(ledger: Ledger, author: AgentId, ids: Iterable[str], round_: int) -> Ledger:
    """Return the ledger in which the author has closed those of its own open objections."""
    wanted = set(ids)

    def closed(objection: Objection) -> Objection:
        if objection.id not in wanted or objection.author != author or objection.state != "open":
            return objection
        return objection.model_copy(update={"state": _closing_state(objection), "closed_in": round_})

    return Ledger(objections=tuple(closed(o) for o in ledger.objections))


def waive_objections(ledger: Ledger, ids: Iterable[str], round_: int) -> Ledger:
    """Return the ledger in which the designer has set these open objections aside, whoever raised them."""
    wanted = set(ids)

    def waived(objection: Objection) -> Objection:
        if objection.id not in wanted or objection.state != "open":
            return objection
        return objection.model_copy(update={"state": "waived", "closed_in": round_})

    return Ledger(objections=tuple(waived(o) for o in ledger.objections))


def apply_review(ledger: Ledger, review: Review, round_: int) -> Ledger:
    """Return the ledger after a reviewer's turn: first what it closes, then what it raises."""
    closed = close_objections(ledger, review.author, review.closed, round_)
    return raise_objections(closed, review.author, review.objections, round_)


def set_engine_objections(ledger: Ledger, drafts: Iterable[ObjectionDraft], round_: int) -> Ledger:
    """Return the ledger with these faults of the engine open and no others: gone ones are fixed."""
    wanted = tuple(drafts)
    gone = [
        o.id
        for o in ledger.open()
        if o.author == "engine" and not any(_same_draft(o, draft) for draft in wanted)
    ]
    return raise_objections(close_objections(ledger, "engine", gone, round_), "engine", wanted, round_)


def signature(ledger: Ledger) -> tuple[tuple[str, str, str, str], ...]:
    """Return what is open, without ids or rounds: two equal signatures are the same objections twice."""
    return tuple(sorted((o.author, o.scene, o.field, o.text) for o in ledger.open()))


def _numbered(ledger: Ledger, author: AgentId, draft: ObjectionDraft, round_: int) -> Objection:
    return Objection(
        id=f"O{len(ledger.objections) + 1}",
        author=author,
        raised_in=round_,
        **draft.model_dump(),
    )


def _already_open(ledger: Ledger, author: AgentId, draft: ObjectionDraft) -> bool:
    standing = (o for o in ledger.objections if o.state in ("open", "waived"))
    return any(o.author == author and _same_draft(o, draft) for o in standing)


def _same_draft(objection: Objection, draft: ObjectionDraft) -> bool:
    from rapidfuzz import fuzz

    if objection.scene != draft.scene:
        return False
    return fuzz.ratio(objection.text, draft.text) >= SAME_TEXT


def _closing_state(objection: Objection) -> ObjectionState:
    if objection.answer_kind == "rebutted":
        return "rebutted"
    return "fixed" if objection.answer_kind == "fixed" or objection.author == "engine" else "withdrawn"
