"""Events and notices as sentences.

Names come cleaned from the protocol's border. Sentences are in the past tense, so that they read
the same for `You` and for a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from cli.scene import Scene, own_train, seat_name, tile_text, train_name
from engine.table.events import (
    BulletTrain,
    Caught,
    DoubleCovered,
    DoubleDead,
    DoubleOwed,
    EndOfLine,
    Event,
    GameEnded,
    HubLaid,
    LastPlays,
    MarkerDown,
    MarkerUp,
    NothingHeld,
    Passed,
    RoundBegan,
    RoundEnded,
    RoundScored,
    Tapped,
    TileDrawn,
    TileLaid,
    TileReturned,
    TileTurned,
    TurnBegan,
    TurnDone,
)
from engine.table.table import Ending
from engine.table.trains import Seat, TrainId
from netgame.protocol.text import join_names


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
            return f"{_who(scene, event.seat)} ended the opening."
        case Tapped():
            return _tapped(scene, event)
        case Caught():
            own = event.seat == scene.seat
            caught = "you" if own else seat_name(scene, event.seat)
            tiles = "1 tile" if event.count == 1 else f"{event.count} tiles"
            drew = f"{caught} drew {tiles} for it"
            return f"{_who(scene, event.by)} caught {caught} silent: {drew}."
        case BulletTrain():
            return f"{_who(scene, event.seat)} played a bullet train: the others play once more."
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
