"""The referee of games written down by hand: the same judge as the network game's.

`judge` plays a written game line by line and says of every line whether it came out as written.
A seat without a given hand has an unknown one: it may lay any tile that can still be in it, and
its draws and passes are taken as claimed. [docs/rules.md §11]
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, assert_never

from engine.claims import found_value, matches
from engine.legality import RANK, Refusal, RefusalCode, unseen_tiles, why_illegal_holding
from engine.moves import DrawTile, LayTile, Pass
from engine.notation import format_action
from engine.setting import Setting, known_hand, set_round, train_of
from engine.table import Phase
from engine.tiles import Tile
from engine.trains import HUB, End, Position, Seat, Train, TrainId
from engine.transition import apply
from engine.written import (
    Action,
    Assertion,
    Done,
    GameText,
    Line,
    MustRefuse,
    RoundText,
    Verb,
    WrittenTile,
)


class VerdictKind(Enum):
    """What kind of line was judged."""

    ACTION = "action"
    """Something a seat did; wrong if the rules refuse it."""
    REFUSAL = "refusal"
    """Something that must be refused; wrong if it is legal, or refused for another reason."""
    ASSERTION = "assertion"
    """Something that must be true; wrong if it is not."""
    TABLE = "table"
    """A header that makes no table."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one line."""

    line: int
    kind: VerdictKind
    seat: str | None
    action: str
    """The line's own words."""
    ok: bool
    """Whether it came out as written."""
    refusal: Refusal | None = None
    expected: str | None = None
    found: str | None = None


def judge(game: GameText) -> tuple[Verdict, ...]:
    """A verdict for every line of a game, in order; it stops where there is no table."""
    return tuple(_judged(game))


def _judged(game: GameText) -> Iterator[Verdict]:
    setting: Setting | None = None
    for text in game.rounds:
        made = set_round(game, text, setting)
        if isinstance(made, Refusal):
            yield _no_table(text, made)
            return
        setting = made
        for line in text.lines:
            setting, verdict = _judge_line(setting, line)
            yield verdict


def _no_table(text: RoundText, refusal: Refusal) -> Verdict:
    """A header was refused: right only where the round's one line says so."""
    for line in text.lines:
        if isinstance(line, MustRefuse) and line.action is None:
            ok = line.code in (None, refusal.code)
            expected = line.code.value if line.code else None
            return Verdict(
                line.line,
                VerdictKind.REFUSAL,
                None,
                "table",
                ok=ok,
                refusal=refusal,
                expected=expected,
                found=refusal.code.value,
            )
    return Verdict(text.line, VerdictKind.TABLE, None, "table", ok=False, refusal=refusal)


def _judge_line(setting: Setting, line: Line) -> tuple[Setting, Verdict]:
    match line:
        case Done(action):
            after, refusal = _try(setting, action)
            verdict = Verdict(
                line.line,
                VerdictKind.ACTION,
                action.seat,
                format_action(action),
                ok=refusal is None,
                refusal=refusal,
            )
            return after, verdict
        case MustRefuse(action, code):
            return setting, _judge_refusal(setting, action, code, line.line)
        case Assertion():
            return setting, _judge_assertion(setting, line)
        case _:
            assert_never(line)


def _judge_refusal(
    setting: Setting, action: Action | None, code: RefusalCode | None, line: int
) -> Verdict:
    refusal = None if action is None else _try(setting, action)[1]
    return Verdict(
        line,
        VerdictKind.REFUSAL,
        action.seat if action else None,
        format_action(action) if action else "table",
        ok=refusal is not None and code in (None, refusal.code),
        refusal=refusal,
        expected=code.value if code else None,
        found=refusal.code.value if refusal else "legal",
    )


def _judge_assertion(setting: Setting, line: Assertion) -> Verdict:
    found = found_value(setting, line)
    expected = " ".join(line.values)
    return Verdict(
        line.line,
        VerdictKind.ASSERTION,
        line.name,
        f"{line.key} {line.name}" if line.name else line.key,
        ok=matches(line, found),
        expected=expected,
        found=" ".join(found),
    )


def _try(setting: Setting, action: Action) -> tuple[Setting, Refusal | None]:
    """The game after an action, or unchanged and why it is refused."""
    seat = Seat(setting.names.index(action.seat))
    match action.verb:
        case Verb.LAY if len(action.tiles) == 1:
            return _try_lay(setting, seat, action)
        case Verb.DRAW:
            return _try_draw(setting, seat, action.tiles[0].tile if action.tiles else None)
        case Verb.PASS:
            refusal = why_illegal_holding(setting.table, known_hand(setting, seat), Pass(seat))
            if refusal is not None:
                return setting, refusal
            return replace(setting, table=apply(setting.table, Pass(seat))[0]), None
        case _:
            word = "chain" if action.verb is Verb.LAY else action.verb.value
            facts = (("action", word),)
            return setting, Refusal(RefusalCode.NOT_ALLOWED, facts, "rules.md §2.1")


def _try_lay(setting: Setting, seat: Seat, action: Action) -> tuple[Setting, Refusal | None]:
    written = action.tiles[0]
    position = _position_of(setting, seat, written.tile)
    train, on, joined = _place(setting, action, written)
    move = LayTile(seat, position, written.tile, train, on, joined)
    refusal = why_illegal_holding(setting.table, known_hand(setting, seat), move)
    if refusal is not None:
        if refusal.code is RefusalCode.NO_SUCH_TRAIN:
            refusal = replace(refusal, facts=(("train", str(action.train)),))
        return setting, refusal
    known = {**setting.known, position: written.tile}
    return replace(setting, table=apply(setting.table, move)[0], known=known), None


NOWHERE: Final = Position(-1)
"""A position that is in no hand: what is laid from there is refused."""


def _position_of(setting: Setting, seat: Seat, tile: Tile) -> Position:
    """Where in the hand the tile is or may be."""
    held = setting.table.hands[seat]
    for position in held:
        if setting.known.get(position) == tile:
            return position
    if tile in setting.known.values():
        return NOWHERE
    return next((position for position in held if position not in setting.known), NOWHERE)


def _place(setting: Setting, action: Action, written: WrittenTile) -> tuple[TrainId, int, int]:
    """The train, the end and the joining half that an action means, legal or not."""
    train_id = train_of(setting.names, str(action.train))
    if not setting.table.has_train(train_id):
        return train_id, HUB, written.first
    train = setting.table.train(train_id)
    ends = [end for end in train.ends if _hangs(train, end, action.hangs_on)]
    fitting = [end for end in ends if written.tile.has(end.pip)]
    owed = [end for end in ends if any(end.on == due.on for due in _owed_on(setting, train))]
    fitting.sort(key=lambda end: (end not in owed, end.pip != written.first))
    if fitting:
        return train_id, fitting[0].on, fitting[0].pip
    # Nothing fits: name the end that would have counted, so that the right rule refuses it.
    at = (owed or ends or [End(written.first, HUB - 1)])[0]
    return train_id, at.on, written.first


def _owed_on(setting: Setting, train: Train) -> list[End]:
    return [End(owed.tile.high, owed.on) for owed in setting.table.owed if owed.train == train.id]


def _hangs(train: Train, end: End, double: WrittenTile | None) -> bool:
    if double is None:
        return True
    return end.on != HUB and train.lays[end.on].tile == double.tile


def _try_draw(setting: Setting, seat: Seat, tile: Tile | None) -> tuple[Setting, Refusal | None]:
    """Draw, and learn which tile it was if the deal or the line says so."""
    table, move = setting.table, DrawTile(seat)
    refusal = why_illegal_holding(table, known_hand(setting, seat), move)
    if tile is not None and table.phase is Phase.PLAY and seat == table.to_move:
        wrong = _why_not_drawn(setting, tile)
        if wrong and (refusal is None or RANK[wrong.code] < RANK[refusal.code]):
            refusal = wrong
    if refusal is not None:
        return setting, refusal
    known = setting.known
    if tile is not None:
        known = {**known, table.boneyard[0]: tile}
    return replace(setting, table=apply(table, move)[0], known=known), None


def _why_not_drawn(setting: Setting, tile: Tile) -> Refusal | None:
    """Why the next tile of the boneyard cannot be the one named, if it cannot."""
    table = setting.table
    next_one = setting.known.get(table.boneyard[0]) if table.boneyard else None
    unseen = tile in unseen_tiles(table)
    elsewhere = next_one != tile and tile in setting.known.values()
    if unseen and not elsewhere and next_one in (None, tile):
        return None
    return Refusal(RefusalCode.NOT_YOUR_TILE, (("tile", tile),), "rules.md §2.4")
