"""The referee of games written down by hand, with the same rules as the network game.

`judge` plays a written game line by line and gives a verdict on every line. The hand of a seat is
unknown if the text does not give it. Such a seat may lay any tile that can still be in its hand,
and its draws and passes are taken as claimed. [docs/rules.md §11]
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from engine.notation import game as paper
from engine.notation.actions import attempt, settled
from engine.notation.assertions import found_value, matches
from engine.notation.position import WrittenPosition
from engine.notation.round_header import refused_line, set_round
from engine.refusals import Refusal


class LineVerdictKind(Enum):
    """The kind of line that was judged."""

    ACTION = "action"
    """An action of a seat; wrong if the rules refuse it."""
    REFUSAL = "refusal"
    """An action that must be refused; wrong if it is legal, or refused for another reason."""
    ASSERTION = "assertion"
    """A claim that must be true; wrong if it is false."""
    TABLE = "table"
    """A header that makes no table; always wrong."""


@dataclass(frozen=True, slots=True)
class LineVerdict:
    """The verdict on one line."""

    line: int
    kind: LineVerdictKind
    seat: str | None
    """The seat's name in the line, if any."""
    action: str
    """The action or the subject of the claim, in the line's words; `table` for a header."""
    ok: bool
    """True if the line came out as written."""
    refusal: Refusal | None = None
    expected: str | None = None
    """The code that a refusal must have (None for any), or the values of a claim."""
    found: str | None = None
    """The code of the refusal, or `legal`; or the true values."""


def judge(game: paper.GameText) -> tuple[LineVerdict, ...]:
    """Return a verdict on every line below the headers, up to a header that makes no table.

    If there is such a header, the last verdict is about it. That verdict is ok if the round has a
    line `! table`, and the first such line expects the header's refusal.
    """
    return tuple(verdict for verdict, _ in follow(game))


def follow(game: paper.GameText) -> Iterator[tuple[LineVerdict, WrittenPosition | None]]:
    """Yield the verdict on every line of a game, in order, each with the game after it.

    If a header makes no table, the last verdict is about that header. It comes with the game before
    the header, or None in the first round.
    """
    here: WrittenPosition | None = None
    for text in game.rounds:
        made = set_round(game, text, here)
        if isinstance(made, Refusal):
            yield _no_table(text, made, refused_line(game, text, made)), here
            return
        here = made
        for line, following in zip(text.lines, _next_actions(text.lines), strict=True):
            if following is None or following.verb is not paper.Verb.LEAVES:
                here = settled(here, following)
            here, verdict = _judge_line(here, line)
            yield verdict, here
        here = settled(here, None)


def _next_actions(lines: tuple[paper.Line, ...]) -> list[paper.Action | None]:
    """Return, for each line, the first action from that line on, or None."""
    found: list[paper.Action | None] = []
    following: paper.Action | None = None
    for line in reversed(lines):
        if isinstance(line, (paper.WrittenDone, paper.MustRefuse)):
            following = line.action or following
        found.append(following)
    return found[::-1]


def _no_table(text: paper.RoundText, refusal: Refusal, line_of: int) -> LineVerdict:
    """Return the verdict on a refused header: that of its first `! table` line, else a failure."""
    for line in text.lines:
        if isinstance(line, paper.MustRefuse) and line.action is None:
            return _refused(line, refusal)
    return LineVerdict(line_of, LineVerdictKind.TABLE, None, "table", ok=False, refusal=refusal)


def _judge_line(here: WrittenPosition, line: paper.Line) -> tuple[WrittenPosition, LineVerdict]:
    match line:
        case paper.WrittenDone(action):
            after, refusal = attempt(here, action)
            verdict = LineVerdict(
                line.line,
                LineVerdictKind.ACTION,
                action.seat,
                action.words,
                ok=refusal is None,
                refusal=refusal,
            )
            return after, verdict
        case paper.MustRefuse(action):
            return here, _refused(line, None if action is None else attempt(here, action)[1])
        case paper.Assertion():
            return here, _asserted(here, line)
        case _:
            assert_never(line)


def _refused(line: paper.MustRefuse, refusal: Refusal | None) -> LineVerdict:
    is_right = refusal is not None and line.code in (None, refusal.code)
    return LineVerdict(
        line.line,
        LineVerdictKind.REFUSAL,
        line.action.seat if line.action else None,
        line.action.words if line.action else "table",
        ok=is_right,
        refusal=refusal,
        expected=line.code.value if line.code else None,
        found=refusal.code.value if refusal else "legal",
    )


def _asserted(here: WrittenPosition, line: paper.Assertion) -> LineVerdict:
    found = found_value(here, line)
    return LineVerdict(
        line.line,
        LineVerdictKind.ASSERTION,
        line.name,
        line.subject,
        ok=matches(line, found),
        expected=" ".join(line.values),
        found=" ".join(found),
    )
