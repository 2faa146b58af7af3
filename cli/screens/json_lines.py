"""JSON for programs: one object a line, with `type`, `seq`, and further fields.

Other programs read these words and fields: they are a public interface, to which more may be added,
but none may be renamed or removed. [docs/programs.md] Notices, events and moves have the names of
our classes; a test spells them out, so that nobody renames one unawares.
"""

import json
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final, assert_never, get_args

from msgspec import Struct, structs

from cli.program import installed_version
from cli.render.cells import Canvas
from cli.render.hand import BARE, Picture
from cli.render.palette import ASCII_GLYPHS, Line, plain_text
from cli.results.highlights import highlights, longest_trains
from cli.scene import (
    CompletionContext,
    LobbyScene,
    RoundCard,
    Scene,
    choices,
    legal,
    tile_text,
    train_name,
)
from cli.screens.json_answers import odds_facts, review_facts
from cli.screens.json_orders import BadOrderError, OpenTurn, lines_of, read_order, typed_line
from cli.screens.plain import COLUMNS, PlainFront
from cli.session import frontend
from cli.visible import print_text
from cli.wording.game_end import GameEnd, evening_rows, game_sentences
from cli.wording.moves import duty_sentences, move_text
from cli.wording.notices import CLOSED
from cli.wording.round_end import card_sentences, scored
from engine.scoring import places, totals
from engine.table import moves
from engine.table.events import Event
from engine.table.table import Table
from netgame.protocol import notices
from netgame.protocol.notices import Notice
from netgame.protocol.text import fingerprint

FORMAT: Final = 1
"""The version of the format: raised if a word or field is removed or changed, not if added."""

NOTICE_WORDS: Final[Mapping[type[Notice], str]] = {
    kind: re.sub("(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower() for kind in get_args(Notice)
} | {notices.SeatRefused: "refused"}
"""The `type` of each notice."""

_ENDS: Final = notices.RoundOver | notices.GameOver


class JsonLines:
    """One JSON object a line on standard output, each with the next `seq`, from 1.

    The first one, `hello`, is emitted as soon as this is made.
    """

    def __init__(self) -> None:
        self.count = 0
        """The number of objects emitted so far."""
        self.emit("hello", {"format": FORMAT, "version": installed_version()})

    def emit(self, kind: str, facts: dict[str, Any]) -> None:
        """Print an object of this type, with the next `seq` and these facts as its fields."""
        self.count += 1
        line = {"type": kind, "seq": self.count, **facts}
        print_text(f"{json.dumps(line, default=as_json)}\n")


class JsonFront(PlainFront):
    """The front end for programs: emits `JsonLines`; reads lines as in plain mode, or JSON."""

    def __init__(self) -> None:
        super().__init__()
        self.asks_back = False
        self.resumable = True
        self._lines = JsonLines()
        self._turn: OpenTurn | None = None
        self._scene: Scene | None = None

    def _emit(self, kind: str, facts: dict[str, Any]) -> None:
        self._lines.emit(kind, facts)

    def canvas(self) -> Canvas:
        """Return a page of fixed width in ASCII."""
        return Canvas(COLUMNS, 24, ASCII_GLYPHS)

    def say(self, sentence: str) -> None:
        """Emit `{"type": "say", "text": …}`."""
        self._emit("say", {"text": sentence})

    def show(self, lines: Sequence[Line]) -> None:
        """Emit `{"type": "show", "lines": […]}`."""
        self._emit("show", {"lines": [plain_text(line).rstrip() for line in lines]})

    def tell(self, occasion: frontend.Occasion) -> None:
        """Emit the facts of an occasion (`facts_of`), and after a round the scores, too.

        Emit a table only in this seat's turn, which the program can then answer by its `seq`. At
        other times the program can ask for the table.
        """
        scene = occasion.scene if isinstance(occasion, frontend.TableShown) else None
        if scene is not None and not scene.can_move:
            return
        self._emit(*facts_of(occasion))
        if scene is not None:
            others = [move_text(scene, move) for move in _unlisted(scene)]
            self._turn = OpenTurn(self._lines.count, lines_of(len(choices(scene)), others))
        elif isinstance(occasion, RoundCard):
            self._emit("scores", _scores(occasion.names, occasion.end.table))

    def scene_is(self, place: CompletionContext, status: str, beside: Picture = BARE) -> None:
        """Keep the scene for a program that asks for the table; close a turn that is over."""
        scene = self._scene = place if isinstance(place, Scene) else None
        if scene is None or not scene.can_move:
            self._turn = None

    async def next_line(self, back: str = "") -> str | None:
        """Return the next line; for a line of JSON, the line that a person would type for it.

        None at the end of the input. Answer a question about the table, or an invalid order, with
        an object, and read the next line.
        """
        while (line := await super().next_line(back)) is not None and line.lstrip().startswith("{"):
            try:
                order = read_order(line)
                if order.ask is None:
                    return typed_line(order, self._turn)
            except BadOrderError as error:
                self._emit("error", {"text": str(error)})
            else:
                self._emit("table", {"table": self._scene and table_facts(self._scene)})
        return line


def as_json(each: Enum | Struct) -> object:
    """Return the value of an enum or the fields of a struct, for JSON, which has neither."""
    return each.value if isinstance(each, Enum) else structs.asdict(each)


def _typed(each: Event | moves.Move) -> dict[str, Any]:
    """Return the fields of an event or a move, and as its `type` the name of its class."""
    return {"type": type(each).__name__, **structs.asdict(each)}


def _unlisted(scene: Scene) -> tuple[moves.Move, ...]:
    """Return the legal moves that are not on the printed list, such as to draw or pass."""
    listed = choices(scene)
    return tuple(move for move in legal(scene) if move not in listed)


def facts_of(occasion: frontend.Occasion) -> tuple[str, dict[str, Any]]:
    """Return the type of an occasion's object, and its other fields.

    A host's own program learns the join code from `lobby`, as a person does from the screen.
    """
    match occasion:
        case frontend.NoticeShown():
            return NOTICE_WORDS[type(occasion.notice)], _notice_facts(occasion)
        case frontend.TableShown(scene):
            tiles = scene.hand.tiles if scene.hand is not None else ()
            return "turn", {
                "plays": [move_text(scene, move) for move in choices(scene)],
                "hand": [tile_text(tile) for _, tile in tiles],
                "duties": duty_sentences(scene),
                "moves": [_typed(move) for move in (*choices(scene), *_unlisted(scene))],
                "table": table_facts(scene),
            }
        case frontend.ScoresShown(scene):
            return "scores", _scores(scene.names, scene.table)
        case RoundCard():
            return "round-card", _card_facts(occasion)
        case GameEnd():
            return "result", _result(occasion)
        case frontend.EveningShown(games):
            rows = [
                structs.asdict(row) | {"met": [each._asdict() for each in met]}
                for row, met in evening_rows(games)
            ]
            return "evening", {"games": len(games), "seats": rows}
        case frontend.OddsShown(scene, odds):
            return "odds", odds_facts(scene, odds)
        case frontend.ReviewShown(review, names):
            return "review", review_facts(review, names)
        case LobbyScene(view):
            return "lobby", {
                "seats": [info.name for info in view.seats],
                "tabs": [info.name for info in view.seats if info.in_tab],
                "offered": view.seats_offered,
                "host": view.is_host,
                "addresses": occasion.addresses,
                **({"code": occasion.code} if occasion.code else {}),
            }
        case _:
            assert_never(occasion)


def table_facts(scene: Scene) -> dict[str, Any]:
    """Return the table as everybody sees it, and this player's `seat`, None for an onlooker.

    The `round` counts from 0 here, but from 1 on a round's card.
    """
    table = scene.table
    return {
        "seat": scene.seat,
        "names": scene.names,
        "round": table.round_number,
        "rounds": table.spec.rounds,
        "hub": table.hub,
        "to_move": table.to_move,
        "owed": [owed.tile for owed in table.owed],
        "held": [len(hand) for hand in table.hands],
        "boneyard": len(table.boneyard),
        "totals": totals(table),
        "trains": [
            {
                "train": train.id,
                "name": train_name(scene, train.id),
                "marker": train.marker,
                "ends": [end.pip for end in train.ends],
                "tiles": [laid.tile for laid in train.lays],
            }
            for train in table.trains
        ],
    }


def _scores(names: Sequence[str], table: Table) -> dict[str, Any]:
    return {"names": names, "rounds": table.past, "totals": totals(table)}


def _result(end: GameEnd) -> dict[str, Any]:
    """Return the result of a game, and for each seat its place, total, highlight and deeds.

    The place is None for a seat that left; highlight and deeds are None if unknown.
    """
    told, feats = end.told, highlights(end.told)
    tiles, seats = longest_trains(told)
    return {
        "winners": [told.players[seat].name for seat in told.winners],
        "longest": {"names": [told.players[seat].name for seat in seats], "tiles": tiles},
        "text": game_sentences(end),
        "seats": [
            {
                "name": player.name,
                "place": told.places[seat],
                "total": told.totals[seat],
                "highlight": structs.asdict(feat) if (feat := feats[seat]) else None,
                "deeds": structs.asdict(told.deeds[seat]) if told.deeds else None,
            }
            for seat, player in enumerate(told.players)
        ],
    }


def _card_facts(card: RoundCard) -> dict[str, Any]:
    """Return the end of a round, and for each seat its last hand, points, total and place.

    `train` counts the tiles on the seat's train. All points are 0 if the round was called off; the
    place of a seat that left is None.
    """
    table = card.end.table
    sums, stand = totals(table), places(table)
    points = scored(table) or (0,) * table.spec.seats
    return {
        "round": table.round_number + 1,
        "rounds": table.spec.rounds,
        "ending": None if table.outcome is None else table.outcome.ending,
        "last": card.is_last,
        "text": card_sentences(card),
        "seats": [
            {
                "name": card.names[seat],
                "held": [tile_text(tile) for tile in card.end.hands[seat]],
                "points": points[seat],
                "total": sums[seat],
                "place": stand[seat],
                "train": len(table.trains[seat].lays),
            }
            for seat in range(table.spec.seats)
        ],
    }


def _notice_facts(happened: frontend.NoticeShown) -> dict[str, Any]:
    """Return the fields of a notice, and its whole sentence as `text`.

    Leave out the end of a finished round, which the card tells. Each of the `events` has its type.
    Talk has its words as `said`; talk and a wish for another game have the `fingerprint` of the
    key. A closed table has the `reason`, in English. A refused seat has its `code`, and the answer
    to a request for a seat tells whether it is `granted`. Refused seats, such answers, and trouble
    also have a `sentence`.
    """
    facts = structs.asdict(happened.notice) | {"text": happened.sentence}
    facts.pop("end" if isinstance(happened.notice, _ENDS) else "", None)  # the card's
    match happened.notice:
        case notices.Played() | notices.RoundOver() | notices.GameOver() as notice:
            facts["events"] = [_typed(each) for each in notice.events]
        case notices.ChatHeard(_, text, key):
            del facts["key"]
            facts |= {"said": text, "fingerprint": fingerprint(key)}
        case notices.AgainHeard(key=key):
            del facts["key"]
            facts["fingerprint"] = fingerprint(key)
        case notices.TableClosed(why):
            facts["reason"] = CLOSED[why]
        case notices.SeatLater(no_seat):
            facts |= {"granted": no_seat is None, "sentence": happened.sentence}
        case notices.SeatRefused(no_seat):
            facts |= {"code": no_seat.why.value, "sentence": happened.sentence}
        case notices.Trouble():
            told = [str(each) for each in happened.notice.facts]
            facts |= {"facts": told, "sentence": happened.sentence}
        case _:
            pass
    return facts
