"""Structure of the file: allowances that silence nothing, because they are misspelt or name no rule."""

from collections.abc import Iterator

from rules.allowances import Order, orders_in
from rules.catalogue import RULES, nearest_rule
from rules.checks.context import Context
from rules.checks.hit import Hit

_LIKE = 70
"""Per cent of likeness from which a name is taken for a misspelt rule."""
_RIGHT = "<!-- concilio: allow {} -->"


def unknown_allowance(ctx: Context) -> Iterator[Hit]:
    """An allowance names no rule, or one that there is not, or is not written as one."""
    for order in orders_in(ctx.source):
        if order.is_allowance:
            yield from _unknown_names(ctx, order)
        else:
            names = [ctx.source[start:end].lower() for start, end in order.names]
            if names and all(name in RULES for name in names):
                right = _RIGHT.format(", ".join(names))
                message = ctx.say("unknown-allowance.misspelt", right=right)
                yield Hit(ctx.chapter, "file", order.start, order.end, message, right)


def _unknown_names(ctx: Context, order: Order) -> Iterator[Hit]:
    if not order.names:
        message = ctx.say("unknown-allowance.empty")
        yield Hit(ctx.chapter, "file", order.start, order.end, message, _RIGHT.format("dc-drift"))
    for start, end in order.names:
        name = ctx.source[start:end]
        if name in RULES:
            continue
        near = nearest_rule(name, _LIKE)
        key = "near" if near else "message"
        yield Hit(
            ctx.chapter,
            "file",
            start,
            end,
            ctx.say(f"unknown-allowance.{key}", name=name, near=near),
            near or "",
        )
        if near is None:
            return  # a reason without its colon: one word of it is enough
