"""The table as one seat sees it, with names instead of numbers, for drawing and typing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, TypeVar

from cli.language import say, say_count, say_to, translate
from cli.visible import begun_so, named_so
from engine.play.legal_moves import legal_moves
from engine.play.reach import own_trains
from engine.rules.spec import TableSpec
from engine.rules.switches import LastTile
from engine.table.moves import Catch, DrawTile, LayChain, LayTile, Mark, Move, Pass, Quiet, Tap
from engine.table.table import ENDED, Hand, RoundPhase, Table, joining_halves, seat_after
from engine.table.trains import MEXICAN, Seat, TrainId
from engine.tiles import Tile
from netgame.protocol.ledger.departures import GoneSeat
from netgame.protocol.log.fault import Offence
from netgame.protocol.notices import LaidOpen
from netgame.protocol.peer.view import SeatInfo, TableStage, TableView
from netgame.protocol.state.phases import Member

M = TypeVar("M", bound=Move)


@dataclass(frozen=True, slots=True)
class DoorSeen:
    """Strangers at the announcer's door: where wrong codes came from, and which are blocked."""

    tried: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scene:
    """The public table, the player's own hand, and the seats' names, at one moment."""

    table: Table
    hand: Hand | None
    """The player's own hand; None for an onlooker."""
    names: tuple[str, ...]
    seat: Seat | None
    """The player's own seat, even if given up; None for somebody who never had one."""
    can_move: bool
    """True if this seat may make a move now."""
    speaking: bool = False
    """True if this seat has yet to sign a step between two turns, in which all may call."""
    missed: tuple[Seat, ...] = ()
    """The seats that may be voted on: away, or awaited for long."""
    host: str = ""
    """The name of the host."""
    awaited: tuple[Seat, ...] = ()
    """The other seats that have yet to sign this step, even if it is not their turn."""
    is_mixing: bool = False
    """True while the boneyard is reshuffled in the middle of a round."""
    sits: bool = True
    """False for somebody who only watches, for example after the table went on without them."""
    has_seats: bool = False
    """True if an onlooker could have a seat at the next round."""
    chairs: bool = False
    """True for a host who has opened the table without a seat."""
    asking: tuple[str, ...] = ()
    """The names of people who get a seat if we say yes."""
    without_vote: tuple[str, ...] = ()
    """The names of the others who sit and have no vote yet."""
    guests: tuple[str, ...] = ()
    """The names of the others here who have no seat."""
    gives_seats: bool = False
    """True if this person decides who gets a seat at the next round."""
    talkers: tuple[str, ...] = ()
    """The names of the others who can talk here."""
    muted: tuple[str, ...] = ()
    """The names of people whose talk is hidden."""
    door: DoorSeen | None = None
    """The door for newcomers on this computer; None if another one announces the table."""
    code: str = ""
    """The join code, if it may be shown here; else empty."""
    mixers: tuple[Seat, ...] = ()
    """The seats that shuffled the deck, each with a proof; empty if none is known."""
    asks_draw: bool = False
    """True if the program asks this person before it draws for them."""

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves of this seat by the rules alone; empty for an onlooker."""
        return () if self.hand is None else legal_moves(self.table, self.hand)


def scene_of(view: TableView, *, asks_draw: bool = False) -> Scene | None:
    """Return the scene of a view; None before there is a table.

    With `asks_draw` the program asks the person who sits here before it draws for them.
    """
    if view.table is None:
        return None
    names = tuple(info.name for info in view.seats)
    in_play = view.table.phase is RoundPhase.PLAY and view.stage is TableStage.PLAYING
    speaking = in_play and len(view.due) == len(view.table.present) and view.seat in view.lacking
    return Scene(
        view.table,
        view.hand if view.sits else None,
        names,
        view.seat,
        view.can_move,
        speaking,
        sits=view.sits,
        has_seats=not view.sits and view.no_seat is None,
        chairs=view.is_host and view.seat is None,
        asking=tuple(each.name for each in view.asking),
        without_vote=tuple(
            each.name for seat, each in enumerate(view.seats) if each.no_vote and seat != view.seat
        ),
        guests=tuple(each.name for each in view.guests),
        gives_seats=view.sits and view.seat is not None and view.seats[view.seat].key == view.chair,
        host=view.name_of(view.host_key),
        awaited=tuple(seat for seat in view.lacking if seat != view.seat),
        is_mixing=view.stage is TableStage.DEALING and view.table.phase not in ENDED,
        mixers=view.mixers,
        asks_draw=asks_draw,
    )


def onlooker_scene(table: Table, seats: Iterable[Member | SeatInfo]) -> Scene:
    """Return a table as an onlooker sees it."""
    return Scene(table, None, tuple(each.name for each in seats), None, can_move=False)


def plays_alone(view: TableView) -> bool:
    """Return True if we host this table, and the others still here are bots, at least one."""
    here = [(seat, info.bot) for seat, info in enumerate(view.seats) if not info.left]
    people = {seat for seat, is_bot in here if not is_bot}
    return view.is_host and len(people) < len(here) and people <= {view.seat}


def is_scored(view: TableView, named: str | None) -> bool:
    """Return True if the round with this number, counted from 1, is scored.

    With None, return True if any round is scored. Without a table the result is False; with one, it
    is True for a number below 1. Raises `ValueError` for text that is not a number.
    """
    return view.table is not None and len(view.table.past) >= int(named or 1)


def one_named(seats: Sequence[SeatInfo], name: str) -> SeatInfo | None:
    """Return the seat with this name, or else the one whose name begins with it.

    None if no seat fits, or several do.
    """
    names = [info.name for info in seats]
    found = named_so(names, name) or begun_so(names, name)
    return seats[found[0]] if len(found) == 1 else None


def legal(scene: Scene) -> tuple[Move, ...]:
    """Return all moves this seat may make now, in the order of `legal_moves`, lays first.

    Empty for an onlooker, and if the seat cannot move. `Quiet` and catches that come too late are
    left out.
    """
    if scene.hand is None or not scene.can_move:
        return ()
    late = (move for move in scene.moves if isinstance(move, Catch) and not _in_time(scene, move))
    unsaid = {*late, Quiet(scene.hand.seat)}
    return tuple(move for move in scene.moves if move not in unsaid)


def legal_of(scene: Scene, kind: type[M]) -> list[M]:
    """Return the moves of one kind among `legal`, in its order."""
    return [move for move in legal(scene) if isinstance(move, kind)]


def calls(scene: Scene) -> tuple[Tap | Catch, ...]:
    """Return the calls open to this seat, in its turn or not. [docs/rules.md §7.7]

    Empty for an onlooker and outside of play. A tap in the player's own turn has to wait until they
    can move. A call out of turn has to wait for the next step in which all may speak, and is left
    out if that comes too late.
    """
    if scene.table.phase is not RoundPhase.PLAY:
        return ()
    return tuple(
        move for move in scene.moves if isinstance(move, Tap | Catch) and _in_time(scene, move)
    )


def _in_time(scene: Scene, move: Tap | Catch) -> bool:
    """Return True if a call can still come before the turn of the seat it is about.

    A tap always can while this seat can move; under `BEFORE_PLAY`, it can only then.
    """
    if isinstance(move, Tap) and scene.can_move:
        return True
    if isinstance(move, Tap) and scene.table.rules.last_tile is LastTile.BEFORE_PLAY:
        return False
    about = move.seat if isinstance(move, Tap) else move.offender
    return scene.speaking or seat_after(scene.table, scene.table.to_move) != about


def possible(scene: Scene) -> tuple[Move, ...]:
    """Return the legal moves, then the calls that are not among them."""
    found = legal(scene)
    return (*found, *(call for call in calls(scene) if call not in found))


def lays(scene: Scene) -> tuple[LayTile, ...]:
    """Return the lays of single tiles among `legal`, train by train.

    The player's own train comes first, then the Mexican ones, then those of the seats in order.
    Entry i has number i + 1 on the printed list.
    """
    own = own_train(scene)
    found = (move for move in legal(scene) if isinstance(move, LayTile))
    return tuple(sorted(found, key=lambda lay: (lay.train != own, lay.train >= 0, abs(lay.train))))


def choices(scene: Scene) -> tuple[Move, ...]:
    """Return the moves on the printed list: the lays, then all others but draw and pass."""
    others = (move for move in legal(scene) if not isinstance(move, LayTile | DrawTile | Pass))
    return (*lays(scene), *others)


def forced_move(scene: Scene) -> Move | None:
    """Return the only possible move, for the program to make; None if the player is to act.

    The player acts if there is a choice, if a tile can be laid, or if they want to draw themselves.
    Also None if no move is possible.
    """
    return None if asked_draw(scene) else _only_move(scene)


def asked_draw(scene: Scene) -> DrawTile | None:
    """Return the draw that the program asks this seat's player to make, as their only move.

    None if it is not their only move, or if the program draws for them. In the search
    for an engine it always does, because everybody draws many times.
    """
    if scene.asks_draw and scene.table.phase is RoundPhase.PLAY:
        only = _only_move(scene)
        return only if isinstance(only, DrawTile) else None
    return None


def _only_move(scene: Scene) -> Move | None:
    """Return the only possible move; None if there are none or several, or a tile can be laid.

    Taps and catches are ignored, because they may be said in addition, and a draw makes a tap
    needless. Moves of the marker are ignored until a tile has been laid from the hand, because they
    matter only in a turn that lays a tile.
    """
    moves = legal(scene)
    if any(isinstance(move, LayTile | LayChain) for move in moves):
        return None
    beside = (Tap, Catch) if scene.table.turn.from_hand else (Tap, Catch, Mark)
    left = [move for move in moves if not isinstance(move, beside)]
    return left[0] if len(left) == 1 else None


def say_of(scene: Scene, seat: Seat, text: str, /, **facts: object) -> str:
    """Return a sentence about a seat: `{who}` in the text becomes "You" or the seat's name.

    English uses the past tense, in which the verb is the same for both.
    """
    own = seat == scene.seat
    return say_to(own, text, who=say("You") if own else scene.names[seat], **facts)


def own_train(scene: Scene) -> TrainId | None:
    """Return the train of this seat; None for an onlooker, and if no seat has a train."""
    own = () if scene.seat is None else own_trains(scene.table, scene.seat)
    return own[0] if own else None


def train_name(scene: Scene, train: TrainId) -> str:
    """Return the owner's name, or for a Mexican train or an arm the label in the rules.

    From the second such train on, the label has a number.
    """
    if train >= 0:
        return scene.names[train]
    label = translate(scene.table.rules.mexican.label)
    return label if train == MEXICAN else f"{label}{-train}"


def train_number(train: TrainId) -> str:
    """Return the sign of the train on the board, which may also be typed.

    It is `1` for the first seat's train; `M`, `M2` and so on for the Mexican ones.
    """
    if train >= 0:
        return str(train + 1)
    return "M" if train == -1 else f"M{-train}"


def joint_text(tile: Tile, joined: int) -> str:
    """Return the part of a tile's text after the `joined` half: `-5`, or `=5` for a double."""
    return f"{'=' if tile.is_double else '-'}{tile.other_end(joined)}"


def tile_text(tile: Tile, joined: int | None = None) -> str:
    """Return a tile's text, such as `9-4`, or `9=9` for a double.

    The half `joined` comes first, or for None the larger one.
    """
    first = tile.high if joined is None else joined
    return f"{first}{joint_text(tile, first)}"


def tiles_text(count: int) -> str:
    """Return a number of tiles in words: `1 tile`, `3 tiles`."""
    return say_count("1 tile", "{count} tiles", count)


def rounds_text(spec: TableSpec) -> str:
    """Return the number of rounds as text; `many` if it is not fixed."""
    return say("many") if spec.is_open else str(spec.rounds)


def count_text(points: int) -> str:
    """Return a number of points in words: `1 point`, `3 points`."""
    return say_count("1 point", "{count} points", points)


def hangs_on(table: Table, move: LayTile) -> Tile | None:
    """Return the tile that a lay would hang on; None for the hub."""
    laid = table.train(move.train).lays
    return laid[move.on].tile if 0 <= move.on < len(laid) else None


def chosen_among_ends(table: Table, move: LayTile) -> Tile | None:
    """Return the tile that a lay hangs on, if several ends of the train would take the lay.

    None if only one end takes it, and for a lay on the hub.
    """
    fits = (joining_halves(table.rules, move.tile, end.pip) for end in table.train(move.train).ends)
    return hangs_on(table, move) if sum(map(bool, fits)) > 1 else None


def place_text(scene: Scene, move: LayTile) -> str:
    """Return the name of a lay's train, with the tile it hangs on if several ends take it."""
    name, under = train_name(scene, move.train), chosen_among_ends(scene.table, move)
    return name if under is None else f"{name}/{under.high}-{under.low}"


@dataclass(frozen=True, slots=True)
class Convict:
    """A player who is proved to have cheated."""

    name: str
    offence: Offence
    found_in: int
    """The round in which it was found out, from 0."""
    is_gone: bool = False
    """True if they no longer play."""
    farewell: bool = False
    """True if they left of their own accord."""


def convicts_of(view: TableView) -> tuple[Convict, ...]:
    """Return the players of this table proved to have cheated, in the order of the seats."""
    went = {each.key: each.farewell for each in view.departures}
    return tuple(
        Convict(info.name, info.offence, info.found_in, info.left, went.get(info.key, False))
        for info in view.seats
        if info.offence is not None
    )


@dataclass(frozen=True, slots=True)
class RoundCard:
    """The end of a round, as one person reads it."""

    end: LaidOpen
    names: tuple[str, ...]
    """The players' names by seat."""
    seat: Seat | None
    """The reader's seat; None for an onlooker."""
    is_last: bool = False
    """True if the game is over, too."""
    departures: tuple[GoneSeat, ...] = ()
    """The seats that have gone in the game so far."""
    convicts: tuple[Convict, ...] = ()
    """The players who are proved to have cheated."""

    @property
    def scene(self) -> Scene:
        """The table as the round left it, without a hand, and with no move to make."""
        return Scene(self.end.table, None, self.names, self.seat, can_move=False)


def card_of(end: LaidOpen, scene: Scene, view: TableView, *, is_last: bool = False) -> RoundCard:
    """Return the card of a round, without players who joined only after it was played."""
    played = end.table.spec.seats
    seat = scene.seat if scene.seat is not None and scene.seat < played else None
    names, convicts = scene.names[:played], convicts_of(view)
    return RoundCard(end, names, seat, is_last, departures=view.departures, convicts=convicts)


@dataclass(frozen=True, slots=True)
class LobbyScene:
    """A table in its lobby, as one person there sees it."""

    view: TableView
    own_key: bytes
    addresses: tuple[str, ...] = ()
    """The addresses at which others join."""
    starts_itself: bool = False
    """True if the game begins without `start`."""
    code: str = ""
    """The join code, if it may be shown here; empty if none is needed."""
    watches: bool = False
    """True if this person came only to watch; they may have sat down since."""
    news: str = ""
    """A sentence to say instead of the whole page; empty for the page."""
    door: DoorSeen | None = None
    """The door for newcomers on this computer; None if another one announces the table."""
    talkers: tuple[str, ...] = ()
    """The names of the others who can talk here."""
    muted: tuple[str, ...] = ()
    """The names of people whose talk is hidden."""
    page: str = ""
    """The address of the page that this program serves; empty if it serves none."""


CompletionContext: TypeAlias = Scene | LobbyScene | None
"""The place where somebody types: a table in play, one that is still forming, or none."""


def names_at(place: CompletionContext) -> tuple[str, ...]:
    """Return the names of all who sit at the table of this place; empty without a table."""
    match place:
        case Scene(names=names):
            return names
        case LobbyScene(view):
            return tuple(info.name for info in view.seats)
        case None:
            return ()
