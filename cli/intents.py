"""What a typed line asks for, before anybody knows whether the rules allow it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = [
    "Choose",
    "Draw",
    "Help",
    "Intent",
    "MoveIntent",
    "Nothing",
    "PassTurn",
    "Play",
    "Quit",
    "Reading",
    "SayText",
    "ShowBoard",
    "ShowHand",
    "ShowRules",
    "ShowScore",
    "Start",
    "UsageError",
    "Who",
    "Why",
]


@dataclass(frozen=True, slots=True)
class UsageError:
    """The line is not understood: where (column from 0), and what would be."""

    column: int
    hint: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a lay: a tile as two pips in typed order, and the train's words, if any."""

    pips: tuple[int, int]
    train: str | None


@dataclass(frozen=True, slots=True)
class Play:
    """Lay a tile. `112 3` can mean 11-2 or 1-12 on train 3: every reading is kept, first best."""

    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Choose:
    """Take the play with this number on the printed list; failing that, the tile so written."""

    number: int
    otherwise: Play | None


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw a tile."""


@dataclass(frozen=True, slots=True)
class PassTurn:
    """Pass."""


MoveIntent: TypeAlias = Play | Choose | Draw | PassTurn


@dataclass(frozen=True, slots=True)
class Why:
    """Would this move be refused, and by which rule?"""

    move: MoveIntent


@dataclass(frozen=True, slots=True)
class Help:
    """All commands, or one word explained."""

    word: str | None


@dataclass(frozen=True, slots=True)
class ShowBoard:
    """The whole board, or one whole train."""

    train: str | None


@dataclass(frozen=True, slots=True)
class ShowHand:
    """One's own tiles; `sort` goes on to the next order first."""

    sort: bool


@dataclass(frozen=True, slots=True)
class ShowScore:
    """The score sheet."""


@dataclass(frozen=True, slots=True)
class SayText:
    """A line of talk to the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Who:
    """Who sits here, and under which key."""


@dataclass(frozen=True, slots=True)
class ShowRules:
    """The rules of this table, or one switch of them."""

    topic: str | None


@dataclass(frozen=True, slots=True)
class Start:
    """Host only: begin with who sits now."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the table."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """An empty line."""


Intent: TypeAlias = (
    MoveIntent
    | Why
    | Help
    | ShowBoard
    | ShowHand
    | ShowScore
    | SayText
    | Who
    | ShowRules
    | Start
    | Quit
    | Nothing
)
