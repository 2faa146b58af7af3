"""Everything that is told of a table beside its moves: links, deals, seats, trouble."""

from __future__ import annotations

from typing import assert_never

from cli.said.events import _who, events_text
from cli.said.failures import sentence_of
from cli.said.watchers import watching_text
from cli.scene import Scene, seat_name, tile_text
from netgame.protocol import notices
from netgame.protocol.text import join_names


def _seats_text(notice: notices.SeatsCame | notices.SeatsLeft) -> str:
    """Say who has left for good, or sits down between two rounds (nobody, if they left again)."""
    names = join_names(notice.names)
    if isinstance(notice, notices.SeatsLeft):
        return f"{names} left for good; the table goes on without them."
    verb = "sits" if len(notice.names) == 1 else "sit"
    return names and f"{names} {verb} down, level with whoever is last so far."


def notice_text(scene: Scene | None, notice: notices.Notice) -> str:
    """Say a notice as a sentence; empty for those that only make the screen change."""
    match notice:
        case notices.Played() | notices.RoundOver() | notices.GameOver():
            return "" if scene is None else events_text(scene, notice.events)
        case notices.GameStarted():
            return "The game begins: everybody shuffles, and everybody checks everybody else."
        case notices.Dealt():
            return _dealt_text(scene, notice)
        case notices.ChatHeard():
            return f"{notice.name}: {notice.text}"
        case notices.LobbyChanged() | notices.YourTurn() | notices.DealStage():
            return ""
        case (
            notices.MayCall()
            | notices.Reshuffled()
            | notices.SaidFarewell()
            | notices.SeatsCame()
            | notices.SeatsLeft()
        ):
            return _between_turns(scene, notice)
        case (
            notices.TableClosed()
            | notices.LinkChanged()
            | notices.FaultFound()
            | notices.MoveRefused()
            | notices.Trouble()
        ):
            return _status_text(notice)
        case _:
            return watching_text(notice)


def _between_turns(
    scene: Scene | None,
    notice: notices.MayCall
    | notices.Reshuffled
    | notices.SaidFarewell
    | notices.SeatsCame
    | notices.SeatsLeft,
) -> str:
    match notice:
        case notices.MayCall():
            return f"{notice.seconds:g} seconds to tap, or to catch somebody."
        case notices.Reshuffled():
            return _reshuffled_text(scene, notice)
        case notices.SaidFarewell():
            return f"{notice.name} leaves for good."
        case notices.SeatsCame() | notices.SeatsLeft():
            return _seats_text(notice)
    assert_never(notice)


def _reshuffled_text(scene: Scene | None, notice: notices.Reshuffled) -> str:
    """Say why everybody shuffles between two deals."""
    if scene is None or notice.lead is None:
        return "Tiles go back into the boneyard, and everybody shuffles it again."
    verb = "have" if notice.lead == scene.seat else "has"
    highest = f"{_who(scene, notice.lead)} {verb} turned up the highest tile"
    return f"{highest}: all tiles go back, and everybody shuffles again."


def _dealt_text(scene: Scene | None, notice: notices.Dealt) -> str:
    """Say what a new round is about."""
    if scene is None:
        return f"Round {notice.round_number + 1} is dealt."
    table = scene.table
    number = f"Round {table.round_number + 1} of {table.spec.rounds} is dealt"
    if table.hub is None:
        # who begins may hang on who has the engine
        return f"{number}. Who has the engine?"
    own = table.first == scene.seat
    first = "you begin" if own else f"{seat_name(scene, table.first)} begins"
    return f"{number}: engine {tile_text(table.hub)}, {first}."


def _status_text(
    notice: notices.TableClosed
    | notices.LinkChanged
    | notices.FaultFound
    | notices.MoveRefused
    | notices.Trouble,
) -> str:
    match notice:
        case notices.TableClosed():
            return f"The table is closed. {sentence_of(notice.reason)}"
        case notices.LinkChanged(up=True):
            return f"{notice.name} is connected."
        case notices.LinkChanged():
            return f"{notice.name} is not connected; trying again."
        case notices.FaultFound(is_hearsay=True):
            return f"{notice.sentence} You saw it; {notice.evidence} proves it to nobody else."
        case notices.FaultFound():
            return f"{notice.sentence} The proof is in {notice.evidence}."
        case notices.MoveRefused() | notices.Trouble():
            return notice.sentence
    assert_never(notice)
