"""Where a graph goes next, from its state alone."""

from typing import Literal

from graphs.state import ChapterState, DebateState, SceneState


def after_propose(state: DebateState) -> Literal["lint", "fail"]:
    """A plan is linted; without one the debate has failed."""
    return "fail" if state.get("proposer_trouble") else "lint"


def after_lint(state: DebateState) -> list[str]:
    """A plan that is not whole goes back to Iris, once a round; a whole one to both reviewers at once."""
    step = state.get("step")
    return ["check", "criticise"] if step == "review" else [step or "judge"]


def after_judge(state: DebateState) -> Literal["refine", "again", "end", "designer"]:
    """The judge has said where the debate goes; where the designer has a seat, that is asked first."""
    return "designer" if state.get("pause") else after_designer(state)


def after_designer(state: DebateState) -> Literal["refine", "again", "end"]:
    """The debate goes where the judge sent it, or the designer."""
    steps: dict[str, Literal["refine", "again", "end"]] = {"refine": "refine", "review_again": "again"}
    return steps.get(state.get("step", ""), "end")


def after_prose_review(state: ChapterState) -> Literal["amend", "assemble"]:
    """Scenes that the designer objects to are written anew; else the chapter is done."""
    return "amend" if state.get("pause") == "again" else "assemble"


def after_verify(state: SceneState) -> Literal["rewrite", "keep"]:
    """A draft with faults is rewritten while rewrites are left."""
    return "keep" if state.get("done") else "rewrite"


def after_write(state: SceneState) -> Literal["verify", "end"]:
    """A draft is verified; a writer that cannot be reached leaves what there is."""
    return "end" if state.get("trouble") else "verify"
