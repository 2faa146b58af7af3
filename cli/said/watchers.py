"""Who looks on, who waits for a seat, and who announces the table, as sentences."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from netgame.protocol import notices

WatchingNotice: TypeAlias = (
    notices.WatcherChanged
    | notices.CaughtUp
    | notices.SeatLater
    | notices.StandIn
    | notices.Announcing
)


def watching_text(notice: WatchingNotice) -> str:
    """Say what happened beside the game; empty for what the screen shows."""
    match notice:
        case notices.WatcherChanged():
            return f"{notice.name} {'watches' if notice.watches else 'no longer watches'}."
        case notices.SeatLater():
            return notice.sentence
        case notices.Announcing():
            return _announcing_text(notice)
        case notices.CaughtUp() | notices.StandIn():
            return ""
    assert_never(notice)


def _announcing_text(notice: notices.Announcing) -> str:
    """Say that this computer lets others find the table, or need do so no more."""
    if not notice.code and not notice.host:
        return "Your computer announces the table; newcomers need no join code."
    if not notice.code:
        return f"{notice.host}'s computer is back, and announces the table again."
    if not notice.host:
        return f"Your computer announces the table; its join code is {notice.code}."
    return (
        f"{notice.host}'s computer is gone: your computer now announces the table; its join code "
        f"is {notice.code}."
    )
