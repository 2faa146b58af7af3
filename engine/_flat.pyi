"""A round in play as one flat value; in the wheel of `native/engine` only. [engine.bots.flat]"""

from typing import Final, TypeAlias, final

FACTS: Final[tuple[str, ...]]
"""The names of the facts that `Rules` takes, in their order."""

Ints: TypeAlias = tuple[int, ...]
Rows: TypeAlias = tuple[Ints, ...]
Parts: TypeAlias = tuple[
    Ints,
    tuple[tuple[int, Ints], ...],
    Rows,
    Rows,
    Ints,
    Rows,
    tuple[int, Ints, int, int, int, int, int],
    Ints,
    Rows,
    Ints,
    Rows,
    tuple[tuple[int, Ints], ...],
]
"""A round as nested tuples of integers, as `engine.bots.flat.flatten` makes them: its outline, the
trains, the lays, hands, boneyard, what is owed, the turn, tiles drawn and doubles laid in it, what
the round remembers, doubles of the opening, and plans."""

@final
class Rules:
    """The rules of a table as facts, the pips that join each pip, and the tiles."""

    def __new__(
        cls, facts: tuple[int, ...], faces: tuple[int, ...], tiles: tuple[tuple[int, int], ...], /
    ) -> Rules:
        """Take them, the facts in the order of `FACTS`; ValueError if they make no table."""

@final
class Round:
    """A round in play with every tile known, which is changed in place.

    A move is a number, as `engine.bots.flat.code_of` makes it.
    """

    def __new__(cls, rules: Rules, parts: Parts, /) -> Round:
        """Take a round; ValueError if its parts are wrong."""

    def parts(self) -> Parts:
        """Everything, as nested tuples of integers."""

    def legal(self) -> tuple[int, ...] | None:
        """List the legal moves of the seat in turn; None where the rulebook must be asked.

        In the rulebook's order. Raises ValueError once the round is over.
        """

    def is_legal(self, move: int, /) -> bool | None:
        """Judge a move with the hand of the seat in turn; None where the rulebook must be asked.

        Raises ValueError if there is no such tile, train or end, and once the round is over.
        """

    def carry_out(self, move: int, /) -> bool:
        """Carry out a legal move; whether the round is over. The seat's plan is dropped.

        Whether the move is legal is not asked. Raises ValueError if the tile is not held or there
        is no such end, for a draw from an empty boneyard, and once the round is over.
        """

    def make(self, move: int, /) -> None:
        """Carry out a legal move and keep the plans; late calls are made by themselves.

        Raises ValueError where `carry_out` does.
        """

    def plan(self, seats: int, /) -> None:
        """Plan the trains of a bit set of seats anew; ValueError once the round is over."""

    def play(self, until: int, /) -> bool:
        """Play for all seats to the end, or to a turn of this seat; -1 for none.

        True once that is reached. False where the rulebook must be asked for a move; what was
        played until then stays.
        """

    def copy(self) -> Round:
        """Make a copy that is played on by itself."""

    def mixed(self, octets: bytes, /) -> Round:
        """Make a copy with the tiles of hands and boneyard mixed by octets, four for each tile.

        Its hands are as many as before, and nothing is planned. Raises ValueError for too few
        octets.
        """

    def hands(self) -> tuple[tuple[int, ...], ...]:
        """Give the tiles of each hand by number, in the order in which they came."""

    def end(self) -> tuple[bool, int] | None:
        """Say whether nobody could go on, and who is out or -1; None while the round is played."""
