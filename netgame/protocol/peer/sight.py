"""The fold as the person at one seat may see it."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

from engine.table.trains import Seat
from netgame.protocol.fold.phases import Phase
from netgame.protocol.fold.session import due
from netgame.protocol.fold.state import State
from netgame.protocol.log.fault import Fault
from netgame.protocol.log.fingerprint import fingerprint
from netgame.protocol.peer.author import Author
from netgame.protocol.peer.view import SeatInfo, TableStage, TableView

_STAGES: Final = {
    Phase.LOBBY: TableStage.LOBBY,
    Phase.ROSTER: TableStage.FORMING,
    Phase.COIN_COMMIT: TableStage.FORMING,
    Phase.COIN_REVEAL: TableStage.FORMING,
    Phase.DEAL: TableStage.DEALING,
    Phase.SHARES: TableStage.DEALING,
    Phase.PLAY: TableStage.PLAYING,
    Phase.DRAWN: TableStage.PLAYING,
    Phase.CALLS: TableStage.PLAYING,
    Phase.OPENING_COMMIT: TableStage.PLAYING,
    Phase.HAND_OVER: TableStage.DEALING,
    Phase.MIX_HAND: TableStage.PLAYING,
    Phase.REBUILD: TableStage.DEALING,
    Phase.BLIND: TableStage.DEALING,
    Phase.UNBLIND: TableStage.DEALING,
    Phase.OPEN: TableStage.OPENING,
    Phase.SCORE: TableStage.SCORING,
    Phase.AUDIT: TableStage.SCORING,
    Phase.OVER: TableStage.OVER,
}


def build_view(
    state: State,
    author: Author,
    linked: AbstractSet[bytes],
    fault: Fault | None,
    deal_note: str,
    *,
    can_move: bool,
) -> TableView:
    """A snapshot for the seat of `author`; `linked` are the keys with a live link."""
    seat = author.seat(state) if state.seats else None
    hand = author.hand(state) if seat is not None else None
    waited_for = due(state)
    members = state.seats or state.members
    names = "/".join(str(kind.__struct_config__.tag) for kind in waited_for.kinds)
    return TableView(
        stage=TableStage.HALTED if fault else _STAGES[state.phase],
        table_id=state.table_id,
        settings=state.settings if state.host else None,
        spec=state.spec,
        table=author.table(state),
        seat=None if seat is None else Seat(seat),
        hand=hand,
        seats=tuple(
            SeatInfo(
                member.name,
                member.key,
                fingerprint(member.key),
                member.bot,
                member.key == author.key or member.key in linked,
                left=bool(state.seats) and number in state.gone,
            )
            for number, member in enumerate(members)
        ),
        host_key=state.host,
        is_host=state.host == author.key,
        seats_offered=state.settings.seats,
        due=tuple(Seat(each) for each in waited_for.authors) if state.seats else (),
        due_kind=names,
        head=state.head,
        step=state.step,
        fault=fault,
        deal_note=deal_note,
        can_move=can_move,
    )
