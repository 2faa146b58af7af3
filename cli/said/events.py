"""Events as sentences.

Names come cleaned from the protocol's border. Sentences are in the past tense, so that they read
the same for `You` and for a name.
"""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias, assert_never

from cli.scene import Scene, joint_text, own_train, tile_text, train_name
from engine.table import events
from engine.table.table import Ending
from engine.table.trains import Seat, TrainId
from netgame.protocol.text import join_names


def who(scene: Scene, seat: Seat) -> str:
    """Name a seat as the subject of a sentence."""
    return "You" if seat == scene.seat else scene.names[seat]


def whose_train(scene: Scene, train: TrainId, by: Seat | None = None) -> str:
    """Name a train as a noun: `your train`, `Ann's train`, `the Mexican train`."""
    if train < 0:
        return f"the {train_name(scene, train)} train"
    own = "own " if by is not None and train == TrainId(by) else ""
    if train == own_train(scene):
        return f"your {own}train"
    return f"their {own}train" if own else f"{train_name(scene, train)}'s train"


def on_train(scene: Scene, train: TrainId, by: Seat | None = None) -> str:
    """Say where a tile lies."""
    return f"on {whose_train(scene, train, by)}"


def _begin(text: str) -> str:
    return text[:1].upper() + text[1:]


def event_sentence(scene: Scene, event: events.Event) -> str:  # noqa: C901 - one branch an event
    """Say one event as a sentence; empty for what the next line says anyway."""
    match event:
        case events.TileLaid():
            return _chain_sentence(scene, [event])
        case events.TileDrawn():
            return f"{who(scene, event.seat)} drew a tile{_drawn_tile(scene, event)}."
        case events.Passed():
            return f"{who(scene, event.seat)} passed."
        case events.MarkerUp():
            return f"{_begin(whose_train(scene, event.train))} is open to all now."
        case events.MarkerDown():
            return f"{_begin(whose_train(scene, event.train))} is private again."
        case events.DoubleOwed():
            return f"{tile_text(event.tile)} must be covered."
        case events.DoubleCovered():
            return f"{tile_text(event.tile)} is covered."
        case events.DoubleDead():
            every = f"every {event.tile.low} is on the table"
            return f"{tile_text(event.tile)} needs no cover: {every}."
        case events.EndOfLine():
            return _dead_ends(scene, [event])
        case events.HubLaid():
            return f"{who(scene, event.seat)} played the engine {tile_text(event.tile)}."
        case events.NothingHeld():
            said = "had no such double" if event.claimed else "declared nothing"
            return f"{who(scene, event.seat)} {said}."
        case events.TileTurned():
            turned = event.tile and f"turned {tile_text(event.tile)} up"
            return f"{who(scene, event.seat)} {turned or 'looked at a tile'}."
        case events.TileReturned():
            return _returned(scene, event)
        case events.TurnDone():
            return f"{_begin(whose(scene, event.seat))} opening ends."
        case events.Tapped():
            return _tapped(scene, event)
        case events.Caught():
            caught = "you" if event.seat == scene.seat else scene.names[event.seat]
            tiles = "1 tile" if event.count == 1 else f"{event.count} tiles"
            return f"{who(scene, event.by)} caught {caught} silent: {caught} drew {tiles} for it."
        case events.BulletTrain():
            return f"{who(scene, event.seat)} played a bullet train: the others play once more."
        case events.LastPlays():
            return "The boneyard is empty: one more turn each, from the hand."
        case events.TurnBegan():
            return ""
        case events.RoundBegan() | events.RoundEnded() | events.RoundScored() | events.GameEnded():
            return _round_sentence(scene, event)
    assert_never(event)


def whose(scene: Scene, seat: Seat) -> str:
    """Name a seat as an owner."""
    return "your" if seat == scene.seat else f"{scene.names[seat]}'s"


def _dead_ends(scene: Scene, ends: Sequence[events.EndOfLine]) -> str:
    """Say which trains nothing can join any more, for want of one value."""
    trains = list(dict.fromkeys(whose_train(scene, end.train) for end in ends))
    verb = "is" if len(trains) == 1 else "are"
    said = f"{join_names(trains)} {verb} at the end of the line"
    return f"{_begin(said)}: every {ends[0].pip} is on the table."


def _returned(scene: Scene, event: events.TileReturned) -> str:
    """Say that a tile went back, and, if somebody else chose it, out of whose hand."""
    back = "put it back into the boneyard"
    if event.seat == event.by:
        return f"{who(scene, event.by)} put a tile back into the boneyard."
    return (
        f"{who(scene, event.by)} pulled a tile out of {whose(scene, event.seat)} hand and {back}."
    )


def _tapped(scene: Scene, event: events.Tapped) -> str:
    """Say what was told: before the play that leaves one tile, or once it is so."""
    one_left = len(scene.table.hands[event.seat]) == 1
    what = "one tile left" if one_left else "this play may leave one tile"
    return f"{who(scene, event.seat)} tapped: {what}."


_NOBODY_OUT: Final = {
    Ending.REDEAL: "The engine cannot be found: the round is dealt again, and nobody scores.",
    Ending.BLOCKED: "Nobody can play any more: the round is blocked.",
    Ending.VOID: "The table gives this round up: it is dealt again, and nobody scores.",
    Ending.LEFT: "All others have left the table: the round is over.",
}


_OfRound: TypeAlias = events.RoundBegan | events.RoundEnded | events.RoundScored | events.GameEnded


def _round_sentence(scene: Scene, event: _OfRound) -> str:
    match event:
        case events.RoundBegan():
            number = f"Round {event.round_number + 1} of {scene.table.spec.rounds}"
            engine = "" if event.hub is None else f" Engine {tile_text(event.hub)}."
            own = event.first == scene.seat
            first = "you begin" if own else f"{scene.names[event.first]} begins"
            return f"{number}: {first}.{engine}"
        case events.RoundEnded():
            if event.seat is None:
                return _NOBODY_OUT[event.outcome]
            verb = "are" if event.seat == scene.seat else "is"
            return f"{who(scene, event.seat)} {verb} out: the round is over."
        case events.RoundScored():
            # Who sits down for the next round is at the table already, and has no score yet.
            pairs = zip(scene.names, event.scores, strict=False)
            points = (f"{name} {score}" for name, score in pairs)
            return f"Points of the round: {', '.join(points)}."
        case events.GameEnded():
            names = sorted((who(scene, seat) for seat in event.winners), key=lambda n: n != "You")
            verb = "share" if len(names) > 1 else "win" if names[0] == "You" else "wins"
            return f"{join_names(names)} {verb} the game."
    assert_never(event)


def _drawn_tile(scene: Scene, event: events.TileDrawn) -> str:
    """Name the tile to the one who drew it, once it can be seen."""
    if scene.hand is None or event.seat != scene.seat:
        return ""
    found = [tile for position, tile in scene.hand.tiles if position == event.position]
    return f": {tile_text(found[0])}" if found else ""


def events_text(scene: Scene, happened: Iterable[events.Event]) -> str:
    """Say what one move brought, on one line; tiles played one on the other in one sentence."""
    told = list(happened)
    said: list[str] = []
    chain: list[events.TileLaid] = []
    caught = set[Seat]()
    ended = set[int]()
    for event in told:
        if isinstance(event, events.TileLaid) and (not chain or _goes_on(chain[-1], event)):
            chain.append(event)
            continue
        if isinstance(event, events.TileDrawn) and event.seat in caught:
            continue
        said.append(_chain_sentence(scene, chain))
        chain = [event] if isinstance(event, events.TileLaid) else []
        match event:
            case events.TileLaid():
                pass
            case events.EndOfLine(pip=pip) if pip in ended:
                pass
            case events.EndOfLine(pip=pip):
                ended.add(pip)
                ends = [each for each in told if isinstance(each, events.EndOfLine)]
                said.append(_dead_ends(scene, [each for each in ends if each.pip == pip]))
            case _:
                caught.update([event.seat] if isinstance(event, events.Caught) else [])
                said.append(event_sentence(scene, event))
    return " ".join(filter(None, (*said, _chain_sentence(scene, chain))))


def _goes_on(laid: events.TileLaid, event: events.TileLaid) -> bool:
    """Whether a tile joins the one played just before it."""
    return laid.train == event.train and laid.tile.other_end(laid.joined) == event.joined


def _chain_sentence(scene: Scene, chain: Sequence[events.TileLaid]) -> str:
    """Say what was played on one train in one go: `Ann played 9-7-5=5 on Ann's train.`"""
    if not chain:
        return ""
    first = chain[0]
    tiles = "".join(joint_text(laid.tile, laid.joined) for laid in chain)
    where = on_train(scene, first.train, first.seat)
    return f"{who(scene, first.seat)} played {first.joined}{tiles} {where}."
