"""JSON out, for programs: one object a line, with `type`, `seq`, and what belongs to it.

Words and fields are what other programs read, whatever ours are called: an outside interface, to
which more may be added, while none is renamed or left out.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, assert_never

from msgspec import structs

from cli.drawn.cells import Canvas
from cli.drawn.palette import ASCII_GLYPHS, Line, plain_text
from cli.said.moves import duty_sentences, move_text
from cli.said.notices import CLOSED
from cli.scene import LobbyScene, choices, tile_text
from cli.seat.frontend import Happened, Occasion, ScoresShown, TurnBegins
from cli.seat.plain import COLUMNS, PlainFront
from engine import struct
from engine.scoring import totals
from engine.table import events
from engine.table.events import Event
from netgame.protocol import notices
from netgame.protocol.notices import Notice

NOTICE_WORDS: Final[Mapping[type[Notice], str]] = {
    notices.LobbyChanged: "lobby-changed",
    notices.TableClosed: "table-closed",
    notices.GameStarted: "game-started",
    notices.DealStage: "deal-stage",
    notices.Dealt: "dealt",
    notices.Played: "played",
    notices.YourTurn: "your-turn",
    notices.MayCall: "may-call",
    notices.Reshuffled: "reshuffled",
    notices.SaidFarewell: "said-farewell",
    notices.SeatsCame: "seats-came",
    notices.SeatsLeft: "seats-left",
    notices.RoundOver: "round-over",
    notices.GameOver: "game-over",
    notices.ChatHeard: "chat-heard",
    notices.LinkChanged: "link-changed",
    notices.VoteCast: "vote-cast",
    notices.WatcherChanged: "watcher-changed",
    notices.CaughtUp: "caught-up",
    notices.SeatLater: "seat-later",
    notices.StandIn: "stand-in",
    notices.Announcing: "announcing",
    notices.FaultFound: "fault-found",
    notices.SeatRefused: "refused",
    notices.Trouble: "trouble",
}
"""The `type` of each notice."""

EVENT_WORDS: Final[Mapping[type[Event], str]] = {
    events.RoundBegan: "RoundBegan",
    events.TileLaid: "TileLaid",
    events.TileDrawn: "TileDrawn",
    events.Passed: "Passed",
    events.MarkerUp: "MarkerUp",
    events.MarkerDown: "MarkerDown",
    events.DoubleOwed: "DoubleOwed",
    events.DoubleCovered: "DoubleCovered",
    events.DoubleDead: "DoubleDead",
    events.EndOfLine: "EndOfLine",
    events.HubLaid: "HubLaid",
    events.NothingHeld: "NothingHeld",
    events.TileTurned: "TileTurned",
    events.TileReturned: "TileReturned",
    events.TurnDone: "TurnDone",
    events.Tapped: "Tapped",
    events.Caught: "Caught",
    events.BulletTrain: "BulletTrain",
    events.LastPlays: "LastPlays",
    events.TurnBegan: "TurnBegan",
    events.RoundEnded: "RoundEnded",
    events.RoundScored: "RoundScored",
    events.GameEnded: "GameEnded",
}
"""The `type` of each event in the `events` of a notice."""


class JsonFront(PlainFront):
    """One JSON object a line on standard output; input as in plain mode, from a program."""

    def __init__(self) -> None:
        super().__init__()
        self.asks_back = False
        self._count = 0

    def _emit(self, kind: str, facts: dict[str, Any]) -> None:
        self._count += 1
        line = {"type": kind, "seq": self._count, **facts}
        print(json.dumps(line, default=lambda each: each.value), flush=True)

    def canvas(self) -> Canvas:
        """Return a page of fixed width in ASCII."""
        return Canvas(COLUMNS, 24, ASCII_GLYPHS)

    def say(self, sentence: str) -> None:
        """Emit `{"type": "say", "text": …}`."""
        self._emit("say", {"text": sentence})

    def show(self, lines: Sequence[Line]) -> None:
        """Emit `{"type": "show", "lines": […]}`."""
        self._emit("show", {"lines": [plain_text(line).rstrip() for line in lines]})

    def tell(self, occasion: Occasion) -> None:
        """Emit what `facts_of` says."""
        self._emit(*facts_of(occasion))


def facts_of(occasion: Occasion) -> tuple[str, dict[str, Any]]:
    """Return the type of an occasion's object, and what else is in it.

    A host's own program learns the join code in `lobby`, as a person does on the screen.
    """
    match occasion:
        case Happened():
            return NOTICE_WORDS[type(occasion.notice)], _notice_facts(occasion)
        case TurnBegins(scene):
            tiles = scene.hand.tiles if scene.hand is not None else ()
            return "turn", {
                "plays": [move_text(scene, move) for move in choices(scene)],
                "hand": [tile_text(tile) for _, tile in tiles],
                "duties": duty_sentences(scene),
            }
        case ScoresShown(scene):
            past, sums = scene.table.past, totals(scene.table)
            return "scores", {"names": scene.names, "rounds": past, "totals": sums}
        case LobbyScene(view):
            return "lobby", {
                "seats": [info.name for info in view.seats],
                "offered": view.seats_offered,
                "host": view.is_host,
                "addresses": occasion.addresses,
                **({"code": occasion.code} if occasion.code else {}),
            }
        case _:
            assert_never(occasion)


def _notice_facts(happened: Happened) -> dict[str, Any]:
    """Return the fields of a notice, and what it says: all of it in `text`."""
    facts = structs.asdict(happened.notice) | {"text": happened.sentence}
    match happened.notice:
        case notices.Played() | notices.RoundOver() | notices.GameOver() as notice:
            facts["events"] = [
                {"type": EVENT_WORDS[type(each)], **struct.asdict(each)} for each in notice.events
            ]
        case notices.TableClosed(why):
            facts["reason"] = CLOSED[why]
        case notices.Trouble():
            facts["sentence"] = happened.sentence
        case _:
            pass
    return facts
