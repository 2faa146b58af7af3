"""Events as sentences.

The protocol has already cleaned the names. What a player did is in the past tense, so that in
English the verb is the same for `You` and for a name.
"""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias, assert_never

from cli.language import capitalized, joined, say, say_count, say_to, translate
from cli.scene import Scene, joint_text, own_train, say_of, tile_text, tiles_text, train_name
from engine.table import events
from engine.table.table import Ending
from engine.table.trains import MEXICAN, Seat, TrainId
from engine.tiles import Tile


def whose_train(scene: Scene, train: TrainId, by: Seat | None = None) -> str:
    """Return a train as a noun: `your train`, `Ann's train`, `the Mexican train`.

    A train of `by`, the seat that plays there, is `your own train` or `their own train`.
    """
    if train == MEXICAN:
        return translate(scene.table.rules.mexican.noun)
    if train < 0:
        return say("the {name} train", name=train_name(scene, train))
    own = by is not None and train == TrainId(by)
    if train == own_train(scene):
        return say("your own train" if own else "your train")
    return say("their own train") if own else say("{name}'s train", name=scene.names[train])


def on_train(scene: Scene, train: TrainId, by: Seat | None = None) -> str:
    """Return the place of a tile: `on` and the train as `whose_train` names it."""
    return say("on {train}", train=whose_train(scene, train, by))


def event_sentence(scene: Scene, event: events.Event) -> str:  # noqa: C901 - one branch an event
    """Return one event as a sentence; empty for the beginning of a turn, which needs none."""
    match event:
        case events.TileLaid():
            return _chain_sentence(scene, [event])
        case events.TileDrawn():
            return _draw_sentence(scene, event)
        case events.Passed():
            return say_of(scene, event.seat, "{who} passed.")
        case events.MarkerUp():
            return capitalized(
                say("{train} is open to all now.", train=whose_train(scene, event.train))
            )
        case events.MarkerDown():
            return capitalized(
                say("{train} is private again.", train=whose_train(scene, event.train))
            )
        case events.DoubleOwed():
            return say("{tile} must be covered.", tile=tile_text(event.tile))
        case events.DoubleCovered():
            return say("{tile} is covered.", tile=tile_text(event.tile))
        case events.DoubleDead(tile=tile):
            text = "{tile} needs no cover: every {pip} is on the table."
            return say(text, tile=tile_text(tile), pip=tile.low)
        case events.EndOfLine():
            return _dead_ends(scene, [event])
        case events.HubLaid(tile=tile):
            return say_of(
                scene, event.seat, "{who} played the engine {tile}.", tile=tile_text(tile)
            )
        case events.NothingHeld(claimed=True):
            return say_of(scene, event.seat, "{who} had no such double.")
        case events.NothingHeld():
            return say_of(scene, event.seat, "{who} declared nothing.")
        case events.TileDenied(tile=tile):
            return say_of(scene, event.seat, "{who} did not have {tile}.", tile=tile_text(tile))
        case events.TileShown():
            return _shown(scene, event)
        case events.TileTurned(tile=Tile() as tile):
            return say_of(scene, event.seat, "{who} turned {tile} up.", tile=tile_text(tile))
        case events.TileTurned():
            return say_of(scene, event.seat, "{who} looked at a tile.")
        case events.TileReturned():
            return _returned(scene, event)
        case events.TurnDone():
            if event.seat == scene.seat:
                return say("Your opening ends.")
            return say("{name}'s opening ends.", name=scene.names[event.seat])
        case events.Tapped():
            return _tapped(scene, event)
        case events.Caught():
            return _caught(scene, event)
        case events.BulletTrain():
            text = "{who} played a bullet train: the others play once more."
            return say_of(scene, event.seat, text)
        case events.LastPlays():
            return say("The boneyard is empty: one more turn each, from the hand.")
        case events.TurnBegan():
            return ""
        case events.RoundEnded() | events.RoundScored() | events.GameEnded():
            return _round_sentence(scene, event)
    assert_never(event)


def _shown(scene: Scene, event: events.TileShown) -> str:
    """Return a sentence on who has the heaviest tile, and so plays or is asked first."""
    text = "{who} showed {tile}, the heaviest tile in any hand: first to play."
    if scene.table.rules.engine.asks_in_turn:
        text = "{who} showed {tile}, the heaviest tile in any hand: first to be asked for a double."
    return say_of(scene, event.seat, text, tile=tile_text(event.tile))


def _draw_sentence(scene: Scene, event: events.TileDrawn) -> str:
    """Return a sentence on a draw, which names the tile to its drawer once they can see it."""
    found: list[Tile] = []
    if scene.hand is not None and event.seat == scene.seat:
        found = [tile for position, tile in scene.hand.tiles if position == event.position]
    if found:
        return say("You drew a tile: {tile}.", tile=tile_text(found[0]))
    return say_of(scene, event.seat, "{who} drew a tile.")


def _dead_ends(scene: Scene, ends: Sequence[events.EndOfLine]) -> str:
    """Return a sentence on trains that no tile can join, because all tiles of a pip are played."""
    trains = list(dict.fromkeys(whose_train(scene, end.train) for end in ends))
    said = say_count(
        "{trains} is at the end of the line: every {pip} is on the table.",
        "{trains} are at the end of the line: every {pip} is on the table.",
        len(trains),
        trains=joined(trains),
        pip=ends[0].pip,
    )
    return capitalized(said)


def _returned(scene: Scene, event: events.TileReturned) -> str:
    """Return a sentence on a tile that went back, and from whose hand if somebody else chose it."""
    if event.seat == event.by:
        return say_of(scene, event.by, "{who} put a tile back into the boneyard.")
    if event.seat == scene.seat:
        text = "{name} pulled a tile out of your hand and put it back into the boneyard."
        return say(text, name=scene.names[event.by])
    text = "{who} pulled a tile out of {name}'s hand and put it back into the boneyard."
    return say_of(scene, event.by, text, name=scene.names[event.seat])


def _tapped(scene: Scene, event: events.Tapped) -> str:
    """Return a sentence on a tap: before the play that may leave one tile, or after it."""
    if len(scene.table.hands[event.seat]) == 1:
        return say_of(scene, event.seat, "{who} tapped: one tile left.")
    return say_of(scene, event.seat, "{who} tapped: this play may leave one tile.")


def _caught(scene: Scene, event: events.Caught) -> str:
    """Return a sentence on who did not tap in time, and how many tiles it cost them."""
    tiles = tiles_text(event.count)
    if event.seat == scene.seat:
        text = "{name} caught you silent: you drew {tiles} for it."
        return say(text, name=scene.names[event.by], tiles=tiles)
    text = "{who} caught {name} silent: {name} drew {tiles} for it."
    return say_of(scene, event.by, text, name=scene.names[event.seat], tiles=tiles)


_NOBODY_OUT: Final = {
    Ending.REDEAL: "The engine cannot be found: the round is dealt again, and nobody scores.",
    Ending.BLOCKED: "Nobody can play any more: the round is blocked.",
    Ending.VOID: "The table gives this round up, and nobody scores.",
    Ending.LEFT: "All others have left the table: the round is over.",
}


_OfRound: TypeAlias = events.RoundEnded | events.RoundScored | events.GameEnded


def _round_sentence(scene: Scene, event: _OfRound) -> str:
    match event:
        case events.RoundEnded(seat=seat):
            if seat is None:
                return say(_NOBODY_OUT[event.outcome])
            if seat == scene.seat:
                return say("You are out: the round is over.")
            return say("{name} is out: the round is over.", name=scene.names[seat])
        case events.RoundScored():
            # A player who joins for the next round is at the table already, and has no score yet.
            pairs = zip(scene.names, event.scores, strict=False)
            points = ", ".join(f"{name} {score}" for name, score in pairs)
            return say("Points of the round: {points}.", points=points)
        case events.GameEnded():
            return _game_ended(scene, event)
    assert_never(event)


def _game_ended(scene: Scene, event: events.GameEnded) -> str:
    """Return a sentence on who has won the game; it names the reader first."""
    you = scene.seat in event.winners
    names = [scene.names[seat] for seat in event.winners if seat != scene.seat]
    if not names:
        return say("You win the game.")
    if len(names) == 1 and not you:
        return say("{name} wins the game.", name=names[0])
    if not you:
        return say_to(you, "{names} share the game.", names=joined(names))
    said = say_to(you, "{names} share the game.", names=joined([say("you"), *names]))
    return capitalized(said)


def events_text(scene: Scene, happened: Iterable[events.Event], drawn: str = "") -> str:
    """Return the events of one move on one line; tiles played one on another share a sentence.

    The text `drawn` names what was drawn before; the sentence on the first tiles mentions it,
    unless another sentence comes first. Tiles drawn by a caught seat are left out, because the
    catch mentions them. Return "" if no event has a sentence.
    """
    told = list(happened)
    said: list[str] = []
    chain: list[events.TileLaid] = []
    caught = set[Seat]()
    ended = set[int]()
    ends = [each for each in told if isinstance(each, events.EndOfLine)]
    for event in told:
        if isinstance(event, events.TileLaid) and (not chain or _goes_on(chain[-1], event)):
            chain.append(event)
            continue
        if isinstance(event, events.TileDrawn) and event.seat in caught:
            continue
        said.append(_chain_sentence(scene, chain, "" if any(said) else drawn))
        chain = [event] if isinstance(event, events.TileLaid) else []
        match event:
            case events.TileLaid():
                pass
            case events.DoubleDead(tile=tile) if any(each.pip == tile.low for each in ends):
                said.append(say("{tile} needs no cover.", tile=tile_text(tile)))  # the end says why
            case events.EndOfLine(pip=pip) if pip in ended:
                pass
            case events.EndOfLine(pip=pip):
                ended.add(pip)
                said.append(_dead_ends(scene, [each for each in ends if each.pip == pip]))
            case _:
                caught.update([event.seat] if isinstance(event, events.Caught) else [])
                said.append(event_sentence(scene, event))
    said.append(_chain_sentence(scene, chain, "" if any(said) else drawn))
    return " ".join(filter(None, said))


def _goes_on(laid: events.TileLaid, event: events.TileLaid) -> bool:
    """Return True if a tile joins the one played just before it."""
    return laid.train == event.train and laid.tile.other_end(laid.joined) == event.joined


def _chain_sentence(scene: Scene, chain: Sequence[events.TileLaid], drawn: str = "") -> str:
    """Return what was played on one train in one go: `Ann played 9-7-5=5 on Ann's train.`

    Return "" if there are no tiles. `drawn` names what was drawn before, if anything.
    """
    if not chain:
        return ""
    first, joints = chain[0], "".join(joint_text(laid.tile, laid.joined) for laid in chain)
    where = on_train(scene, first.train, first.seat)
    text = "{who} played {tiles} {where}."
    if drawn:
        text = "{who} drew {drawn} and played {tiles} {where}."
    return say_of(
        scene, first.seat, text, drawn=drawn, tiles=f"{first.joined}{joints}", where=where
    )
