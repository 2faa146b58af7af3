"""JSON input from programs: orders, and the lines that a person would type for them."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

ORDERS = '{"line": "6-0"}, {"turn": 22, "move": 0} or {"ask": "table"}'


class BadOrderError(Exception):
    """A line of JSON that is not a valid order; its text says why."""


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """An order: a line to type, or a move of a turn by its index from 0, or a question."""

    line: str | None = None
    turn: int | None = None
    move: int | None = None
    ask: str | None = None


class OpenTurn(Struct, frozen=True):
    """The turn that a program may answer: its `seq`, and the line to type for each move."""

    seq: int
    lines: tuple[str, ...]


def read_order(text: str) -> Order:
    """Read one line of JSON; raise `BadOrderError` if it is not JSON, or not a valid order.

    The text may be anything. An order has exactly one of `line`, `ask` (which is `table`), and
    `move` with its `turn`. This does not check whether that turn is open.
    """
    try:
        order = msgspec.json.decode(text, type=Order)
    except msgspec.MsgspecError:
        raise BadOrderError(f"A line of JSON is {ORDERS}.") from None
    if order.ask not in (None, "table"):
        raise BadOrderError('You can ask for the table: {"ask": "table"}.')
    kinds = (order.line is not None, order.ask is not None, order.move is not None)
    if sum(kinds) != 1 or (order.move is None) != (order.turn is None):
        raise BadOrderError(f"A line of JSON is {ORDERS}.")
    return order


def typed_line(order: Order, turn: OpenTurn | None) -> str:
    """Return the line that a person would type for an order, with blanks for newlines.

    Empty for a question. Raise `BadOrderError` if the order's turn is not the open one, or has no
    such move.
    """
    if order.move is None:
        return (order.line or "").replace("\n", " ")
    if turn is None or order.turn != turn.seq:
        last = "none is" if turn is None else f"the open one is {turn.seq}"
        raise BadOrderError(f"Turn {order.turn} is not open: {last}.")
    if not 0 <= order.move < len(turn.lines):
        raise BadOrderError(f"Turn {turn.seq} has moves from 0 to {len(turn.lines) - 1}.")
    return turn.lines[order.move]


def lines_of(listed: int, others: Sequence[str]) -> tuple[str, ...]:
    """Return the line to type for each move: the numbers 1 to `listed`, then the `others`."""
    return (*(str(number) for number in range(1, listed + 1)), *others)
