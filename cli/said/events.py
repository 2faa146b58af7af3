"""Events and notices as sentences.

Names come cleaned from the protocol's border. Sentences are in the past tense, so that they read
the same for `You` and for a name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from cli.said.failures import sentence_of
from cli.said.watchers import watching_text
from cli.scene import own_train, place_text, seat_name, tile_text, train_name
from engine.table.moves import (
    BulletTrain,
    Catch,
    Caught,
    Declare,
    Discard,
    Done,
    DoubleCovered,
    DoubleDead,
    DoubleOwed,
    DrawTile,
    EndOfLine,
    Event,
    GameEnded,
    HubLaid,
    LastPlays,
    LayChain,
    LayHub,
    LayTile,
    Mark,
    MarkerDown,
    MarkerUp,
    Move,
    NoDouble,
    NothingHeld,
    Pass,
    Passed,
    PullBack,
    Quiet,
    RoundBegan,
    RoundEnded,
    RoundScored,
    Silent,
    Tap,
    Tapped,
    TileDrawn,
    TileLaid,
    TileReturned,
    TileTurned,
    TurnBegan,
    TurnDone,
    TurnUp,
)
from engine.table.table import Ending
from engine.table.trains import TrainId
from netgame.protocol import notices
from netgame.protocol.text import join_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cli.scene import Scene
    from engine.table.trains import Seat

__all__ = [
    "event_sentence",
    "events_text",
    "forced_text",
    "move_text",
    "notice_text",
    "on_train",
]


def _who(scene: Scene, seat: Seat) -> str:
    return "You" if seat == scene.seat else seat_name(scene, seat)


def whose_train(scene: Scene, train: TrainId, by: Seat | None = None) -> str:
    """Name a train as a noun: `your train`, `Ann's train`, `the Mexican train`."""
    if train < 0:
        return f"the {train_name(scene, train)} train"
    if train == own_train(scene):
        return "your train" if by is None or by != scene.seat else "your own train"
    if by is not None and train == TrainId(by):
        return "their own train"
    return f"{train_name(scene, train)}'s train"


def on_train(scene: Scene, train: TrainId, by: Seat | None = None) -> str:
    """Say where a tile lies."""
    return f"on {whose_train(scene, train, by)}"


def _begin(text: str) -> str:
    return text[:1].upper() + text[1:]


def event_sentence(scene: Scene, event: Event) -> str:  # noqa: C901 - one branch an event
    """Say one event as a sentence; empty for what the next line says anyway."""
    match event:
        case TileLaid():
            where = on_train(scene, event.train, event.seat)
            return (
                f"{_who(scene, event.seat)} played {tile_text(event.tile, event.joined)} {where}."
            )
        case TileDrawn():
            return f"{_who(scene, event.seat)} drew a tile{_drawn_tile(scene, event)}."
        case Passed():
            return f"{_who(scene, event.seat)} passed."
        case MarkerUp():
            return f"{_begin(whose_train(scene, event.train))} is open to all now."
        case MarkerDown():
            return f"{_begin(whose_train(scene, event.train))} is private again."
        case DoubleOwed():
            return f"{tile_text(event.tile)} must be covered."
        case DoubleCovered():
            return f"{tile_text(event.tile)} is covered."
        case DoubleDead():
            return (
                f"{tile_text(event.tile)} needs no cover: every {event.tile.low} is on the table."
            )
        case TurnBegan():
            return ""
        case RoundBegan() | RoundEnded() | RoundScored() | GameEnded():
            return _round_sentence(scene, event)
        case _:
            return _other_sentence(scene, event)


def _other_sentence(  # noqa: C901 - one branch an event
    scene: Scene,
    event: EndOfLine
    | HubLaid
    | NothingHeld
    | TileTurned
    | TileReturned
    | TurnDone
    | Tapped
    | Caught
    | BulletTrain
    | LastPlays,
) -> str:
    """Say what only some rules bring about."""
    match event:
        case EndOfLine():
            return _dead_ends(scene, [event])
        case HubLaid():
            return f"{_who(scene, event.seat)} laid the engine {tile_text(event.tile)}."
        case NothingHeld(claimed=True):
            return f"{_who(scene, event.seat)} had no such double."
        case NothingHeld():
            return f"{_who(scene, event.seat)} declared nothing."
        case TileTurned():
            what = (
                "looked at a tile" if event.tile is None else f"turned {tile_text(event.tile)} up"
            )
            return f"{_who(scene, event.seat)} {what}."
        case TileReturned():
            return _returned(scene, event)
        case TurnDone():
            return f"{_who(scene, event.seat)} laid no more."
        case Tapped():
            return _tapped(scene, event)
        case Caught():
            own = event.seat == scene.seat
            caught = "you" if own else seat_name(scene, event.seat)
            tiles = "1 tile" if event.count == 1 else f"{event.count} tiles"
            drew = f"{caught} drew {tiles} for it"
            return f"{_who(scene, event.by)} caught {caught} silent: {drew}."
        case BulletTrain():
            return f"{_who(scene, event.seat)} laid a bullet train: the others lay once more."
        case LastPlays():
            return "The boneyard is empty: one more turn each, from the hand."
    assert_never(event)


def _dead_ends(scene: Scene, events: Sequence[EndOfLine]) -> str:
    """Say which trains nothing can join any more, for want of one value."""
    trains = list(dict.fromkeys(whose_train(scene, event.train) for event in events))
    verb = "is" if len(trains) == 1 else "are"
    said = f"{join_names(trains)} {verb} at the end of the line"
    return f"{_begin(said)}: every {events[0].pip} is on the table."


def _returned(scene: Scene, event: TileReturned) -> str:
    """Say that a tile went back, and, if somebody else chose it, out of whose hand."""
    who = _who(scene, event.by)
    if event.seat == event.by:
        return f"{who} put a tile back into the boneyard."
    whose = "your" if event.seat == scene.seat else f"{seat_name(scene, event.seat)}'s"
    return f"{who} pulled a tile out of {whose} hand and put it back into the boneyard."


def _tapped(scene: Scene, event: Tapped) -> str:
    """Say what was told: before the play that leaves one tile, or once it is so."""
    one_left = len(scene.table.hands[event.seat]) == 1
    what = "one tile left" if one_left else "this play may leave one tile"
    return f"{_who(scene, event.seat)} tapped: {what}."


_NOBODY_OUT: Final = {
    Ending.REDEAL: "The engine cannot be found: the round is dealt again, and nobody scores.",
    Ending.BLOCKED: "Nobody can play any more: the round is blocked.",
    Ending.VOID: "The table gives this round up: it is dealt again, and nobody scores.",
    Ending.LEFT: "All others have left the table: the round is over.",
}


def _round_sentence(scene: Scene, event: RoundBegan | RoundEnded | RoundScored | GameEnded) -> str:
    match event:
        case RoundBegan():
            number = f"Round {event.round_number + 1} of {scene.table.spec.rounds}"
            engine = "" if event.hub is None else f" Engine {tile_text(event.hub)}."
            first = (
                "you begin"
                if event.first == scene.seat
                else (f"{seat_name(scene, event.first)} begins")
            )
            return f"{number}: {first}.{engine}"
        case RoundEnded(seat=None):
            return _NOBODY_OUT[event.outcome]
        case RoundEnded():
            assert event.seat is not None
            verb = "are" if event.seat == scene.seat else "is"
            return f"{_who(scene, event.seat)} {verb} out: the round is over."
        case RoundScored():
            # Who sits down for the next round is at the table already, and has no score yet.
            pairs = zip(scene.names, event.scores, strict=False)
            points = (f"{name} {score}" for name, score in pairs)
            return f"Points of the round: {', '.join(points)}."
        case GameEnded():
            return _winner_sentence(scene, event)
    assert_never(event)


def _winner_sentence(scene: Scene, event: GameEnded) -> str:
    names = [_who(scene, seat) for seat in event.winners]
    names.sort(key=lambda name: name != "You")
    if len(names) > 1:
        return f"{join_names(names)} share the game."
    return f"{names[0]} {'win' if names[0] == 'You' else 'wins'} the game."


def _drawn_tile(scene: Scene, event: TileDrawn) -> str:
    """Name the tile to the one who drew it, once it can be seen."""
    if scene.hand is None or event.seat != scene.seat:
        return ""
    found = [tile for position, tile in scene.hand.tiles if position == event.position]
    return f": {tile_text(found[0])}" if found else ""


def events_text(scene: Scene, events: Iterable[Event]) -> str:
    """Say what one move brought, on one line; tiles laid one on the other in one sentence."""
    said: list[str] = []
    chain: list[TileLaid] = []
    caught: set[Seat] = set()
    told, ended = list(events), set[int]()
    for event in told:
        if isinstance(event, EndOfLine):
            said.append(_chain_sentence(scene, chain))
            same = [each for each in told if isinstance(each, EndOfLine) and each.pip == event.pip]
            said += [] if event.pip in ended else [_dead_ends(scene, same)]
            ended.add(event.pip)
            chain = []
            continue
        if isinstance(event, Caught):
            caught.add(event.seat)
        if isinstance(event, TileDrawn) and event.seat in caught:
            continue
        if isinstance(event, TileLaid) and (not chain or _goes_on(chain[-1], event)):
            chain.append(event)
            continue
        said.append(_chain_sentence(scene, chain))
        chain = [event] if isinstance(event, TileLaid) else []
        said += [] if chain else [event_sentence(scene, event)]
    return " ".join(filter(None, (*said, _chain_sentence(scene, chain))))


def _goes_on(laid: TileLaid, event: TileLaid) -> bool:
    """Whether a tile joins the one laid just before it."""
    return laid.train == event.train and laid.tile.other_end(laid.joined) == event.joined


def _chain_sentence(scene: Scene, chain: Sequence[TileLaid]) -> str:
    """Say what was laid on one train in one go: `Ann played 9-7-5=5 on Ann's train.`"""
    if len(chain) < 2:
        return event_sentence(scene, chain[0]) if chain else ""
    text = str(chain[0].joined)
    for laid in chain:
        far = laid.tile.other_end(laid.joined)
        text += f"{'=' if laid.tile.is_double else '-'}{far}"
    where = on_train(scene, chain[0].train, chain[0].seat)
    return f"{_who(scene, chain[0].seat)} played {text} {where}."


def move_text(scene: Scene, move: Move) -> str:
    """Say a move as it could be typed."""
    match move:
        case LayTile():
            train = place_text(scene, move)
            tile = tile_text(move.tile, move.joined)
            return f"{tile} {train.lower() if move.train < 0 else train}"
        case DrawTile():
            return "draw"
        case Pass():
            return "pass"
        case LayChain():
            train = train_name(scene, move.train)
            tiles = " ".join(tile_text(link.tile, link.joined) for link in move.lays)
            where = train.lower() if move.train < 0 else train
            said = f"{tiles} {where}{' back' if move.back else ''}"
            return f"bullet {said}" if move.bullet else said
        case _:
            return _said(scene, move)


def _said(  # noqa: C901 - one branch a move
    scene: Scene,
    move: Done
    | Mark
    | Tap
    | Catch
    | Quiet
    | LayHub
    | NoDouble
    | Declare
    | Silent
    | TurnUp
    | Discard
    | PullBack,
) -> str:
    """Say a move that lays nothing on a train as it could be typed."""
    match move:
        case Done() | Tap() | Quiet() | Silent():
            return type(move).__name__.lower()
        case NoDouble():
            return "none"
        case Mark():
            return "open" if move.up else "close"
        case Catch():
            return f"catch {seat_name(scene, move.offender)}"
        case LayHub():
            return f"hub {tile_text(move.tile)}"
        case Declare():
            return f"declare {tile_text(move.tile)}"
        case TurnUp():
            return "look"
        case Discard():
            return f"discard{_held_tile(scene, move.position)}"
        case PullBack():
            return f"pull {scene.table.hands[move.other].index(move.position) + 1}"
    assert_never(move)


def _held_tile(scene: Scene, position: int) -> str:
    """Name a tile of the own hand."""
    held = scene.hand.tiles if scene.hand is not None else ()
    found = [tile for at, tile in held if at == position]
    return f" {tile_text(found[0])}" if found else ""


def forced_text(scene: Scene, move: Move, drawn: str) -> str:
    """Say that only one thing is left to do; `drawn` is a tile that has just come.

    Empty where what comes of it is told anyway: answers and draws while the engine is looked for.
    """
    if scene.table.hub is None and isinstance(move, DrawTile | NoDouble | Silent | TurnUp):
        return ""
    if isinstance(move, DrawTile):
        return (
            f"It is {drawn}, and does not fit: drawing on."
            if drawn
            else ("Your turn: nothing you hold fits, so you draw.")
        )
    if isinstance(move, LayHub | Declare):
        return f"You hold the engine {tile_text(move.tile)}, and lay it."
    if not isinstance(move, Pass):
        return "Your turn: only one thing is left to do, and is done."
    if drawn:
        return f"It is {drawn}, and does not fit: passing."
    return "Your turn: nothing you hold fits, so you pass."


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
            return "The game begins: everybody shuffles, and everybody checks the others."
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
            return f"All may speak: {notice.seconds:g} seconds to tap or to catch."
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
        return f"{number}; the engine is looked for."
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
