"""The verbs that are moves, with the rules under which each is of use; and `back`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final

from msgspec import structs

from cli.input import resolution
from cli.input.chains import read_chain
from cli.input.lexer import Words, is_run, read_pair
from cli.input.readers import UsageError, read_name, read_tile
from cli.input.resolution import MoveIntent, NotFound, Resolved, judged
from cli.language import say
from cli.scene import LobbyScene, Scene, calls, lays, legal, legal_of, tile_text
from cli.session.until import Until
from cli.session.verbs.play import PLAY, Choose, HubTile, Play, as_typed, read_move
from cli.session.verbs.verb import Ask, Offers, Read, TableVerb, in_play, one_word, says
from engine.play.hub_search import asks_heaviest
from engine.rules import switches as rules
from engine.rules.switches.switch import Switch
from engine.table import moves
from engine.table.trains import Seat
from engine.tiles import make_tile

if TYPE_CHECKING:
    from cli.session.session import Session

_BULLET: Final[frozenset[Switch]] = frozenset({rules.Bullet.YES})
_MARKS: Final[frozenset[Switch]] = frozenset({rules.MarkerVoluntary.YES})
_DECLARES: Final[frozenset[Switch]] = frozenset({rules.Engine.DECLARED})
_SEEKS: Final[frozenset[Switch]] = frozenset(rules.Engine) - {rules.Engine.SET_ASIDE}
_TAPS: Final[frozenset[Switch]] = frozenset(rules.LastTile) - {rules.LastTile.NONE}
_CATCHES: Final[frozenset[Switch]] = frozenset({rules.LastTile.TAP, rules.LastTile.BEFORE_PLAY})
_SHOWS: Final[frozenset[Switch]] = frozenset(each for each in rules.First if each.asks_heaviest(0))
_TURNS_UP: Final = _DECLARES.union(each for each in rules.First if each.turns_up(0))
_ENDS_BY_WORD: Final = _BULLET.union(
    (each for each in rules.Opening if each is not rules.Opening.SINGLE),
    (rules.Cover.LAYER_MAY, rules.Cover.OPTIONAL, rules.SwanDrive.YES),
)


# ---- words of the game ----------------------------------------------------------------------

_DRAW: Final = says(
    moves.DrawTile,
    "Draw a tile; done for you when nothing else is possible, unless config set draw ask.",
    "robar",
    short=("d",),
    also=("take a tile", "robo"),
)
_PASS: Final = says(
    moves.Pass,
    "End a turn in which you can play nothing; done for you when nothing else is possible.",
    "pasar",
    also=("paso",),
)
_DONE: Final = says(
    moves.Done, "End a turn in which you may play more, but need not.", "listo", needs=_ENDS_BY_WORD
)
_TAP: Final = says(
    moves.Tap,
    "Say that you have one tile left, or will have after this play.",
    "avisar",
    needs=_TAPS,
    short=("choo", "knock"),
)
_NONE: Final = says(
    moves.NoDouble,
    "Say that you do not hold the double, or the tile, that is asked for; it is proved.",
    "ninguno",
    needs=_SEEKS | _SHOWS,
)
_SILENT: Final = says(
    moves.Silent, "Declare nothing, whatever you hold.", "callar", needs=_DECLARES
)


# ---- catch ----------------------------------------------------------------------------------


class CatchSeat(MoveIntent, frozen=True):
    """Catch a player who did not tap; without a name, the only one who can be caught."""

    name: str | None

    def resolved(self, scene: Scene, seat: Seat) -> Resolved:
        """Return the only catch that fits, `Ambiguous` for several, or the reason against it."""
        possible = [call for call in calls(scene) if isinstance(call, moves.Catch)]
        if self.name is None:
            if possible:
                return resolution.one_of(possible, possible[0], scene)
            return NotFound(say("Nobody can be caught now."))
        seats = resolution.find_seats(scene, self.name)
        if not seats:
            text = "Nobody here is called {name}: {names}."
            return NotFound(say(text, name=self.name, names=", ".join(scene.names)))
        meant = [call for call in possible if call.offender in seats]
        return resolution.one_of(meant, moves.Catch(seat, seats[0]), scene)


@one_word
def _caught(scene: Scene) -> Offers:
    """Offer the names of the players who can be caught."""
    found = [call for call in calls(scene) if isinstance(call, moves.Catch)]
    return [(scene.names[call.offender], say("did not tap")) for call in found]


_CATCH: Final = TableVerb(
    "catch [NAME]",
    "Catch a player who has one tile left and did not tap.",
    lambda words: CatchSeat(read_name(words)),
    short=("c", "catches"),
    spanish=("pillar",),
    examples=("catch ben", "catch"),
    makes=(moves.Catch,),
    needs=_CATCHES,
    offers=_caught,
)


# ---- a double that must be covered ----------------------------------------------------------


class CoverDouble(MoveIntent, frozen=True):
    """Play a tile on the double that must be covered; without a tile, the only one that fits."""

    play: MoveIntent | None = None

    def resolved(self, scene: Scene, seat: Seat) -> Resolved:
        """Return the lay that covers the double, `Ambiguous` for several, or why there is none."""
        if not scene.table.owed:
            return NotFound(say("No double has to be covered now."))
        if self.play is not None:
            return resolution.resolve(self.play, scene)
        owed = scene.table.owed[0]
        covers = [lay for lay in lays(scene) if (lay.train, lay.on) == (owed.train, owed.on)]
        if covers:
            return resolution.one_of(covers, covers[0], scene)
        if not scene.can_move:
            return NotFound(say("It is not your turn."))
        text = "You hold nothing that covers {tile}."
        return NotFound(say(text, tile=tile_text(owed.tile)))


def _read_cover(words: Words) -> Read:
    """Read the covering tile, if one is named; return a `UsageError` for anything else."""
    if not words:
        return CoverDouble()
    play = read_move(words)
    if isinstance(play, Choose) and play.otherwise is not None:
        play = play.otherwise
    if isinstance(play, Play):
        cover = [structs.replace(each, train=each.train or "cover") for each in play.readings]
        play = structs.replace(play, readings=tuple(cover))
    return play if isinstance(play, UsageError) else CoverDouble(play)


def _must_cover(place: Scene | LobbyScene) -> bool:
    return isinstance(place, Scene) and bool(place.table.owed)


_COVER: Final = TableVerb(
    "cover [TILE]",
    "Cover the double that must be covered; leave the tile out if only one covers it.",
    _read_cover,
    spanish=("cubrir",),
    examples=("cover", "cover 9-4"),
    makes=(moves.LayTile,),
    is_of_use=_must_cover,
    also=(
        "cover it",
        "cover that",
        "cover the double",
        "cover it with",
        "cover the double with",
        "cubrirlo",
    ),
)


# ---- a bullet train, and one's own marker ---------------------------------------------------


def _read_bullet(words: Words) -> Read:
    """Read tiles in order, or no words; return a `UsageError` if the first word is not a tile."""
    if words and read_pair(words[0]) is None:
        return UsageError(say("type bullet alone, or with all your tiles in order"))
    return read_chain(words, bullet=True)


_BULLET_VERB: Final = TableVerb(
    "bullet [TILES]",
    "Play your whole hand on your own train; the program finds the order if you name none.",
    _read_bullet,
    examples=("bullet", "bullet 9-7 7-5"),
    makes=(moves.LayChain,),
    needs=_BULLET,
)


class SetMarker(MoveIntent, frozen=True):
    """Leave the player's marker up, or take it down."""

    up: bool

    def resolved(self, scene: Scene, seat: Seat) -> Resolved:
        """Return the move that leaves the marker up or takes it down, or the reason against it."""
        return judged(moves.Mark(seat, self.up), scene)


def _marks(*, up: bool) -> Callable[[Scene | LobbyScene], bool]:
    """Return a function that tells whether the player may leave their marker up, or take it down.

    It returns False before the game. Only a marker left up by choice can be taken down by choice.
    """
    return lambda place: (
        isinstance(place, Scene) and any(move.up == up for move in legal_of(place, moves.Mark))
    )


_OPEN: Final = TableVerb(
    "open",
    "Leave your marker up when this turn ends; say it before the turn's last tile.",
    SetMarker(up=True),
    short=("o",),
    spanish=("abrir",),
    makes=(moves.Mark,),
    needs=_MARKS,
    is_of_use=_marks(up=True),
)
_CLOSE: Final = TableVerb(
    "close",
    "Take down a marker that you left up, when this turn ends.",
    SetMarker(up=False),
    spanish=("cerrar",),
    makes=(moves.Mark,),
    needs=_MARKS,
    is_of_use=_marks(up=False),
)


# ---- a move that is held ------------------------------------------------------------------


class TakeBack(Ask, frozen=True):
    """Stop the player's typed move while it is still held, so that it is not made."""

    until: ClassVar = Until.ROUND_ENDS

    async def do(self, session: Session) -> None:
        """Stop the move, or say why there is nothing to stop."""
        if session.moves.take_back():
            session.answer("Stopped: nothing is played.")
        else:
            text = (
                "No move of yours is held. Once made, a move is signed and final; config set "
                "grace 1.5 holds each typed move for 1.5 seconds."
            )
            session.answer(text)


_BACK: Final = TableVerb(
    "back",
    "Stop your move while it is held (config set grace 1.5); what is made stays.",
    TakeBack(),
    short=("undo",),
    spanish=("atrás", "deshacer"),
    is_of_use=in_play,
    also=(
        "take it back",
        "take that back",
        "take back",
        "i take it back",
        "i want to take it back",
        "i want to take that back",
        "can i take it back",
        "can i take that back",
    ),
)


# ---- the engine -----------------------------------------------------------------------------


def _read_hub(words: Words) -> Read:
    """Read the tile for the hub, if one is named; return a `UsageError` for anything else."""
    pair = read_tile(words) if words else None
    return pair if isinstance(pair, UsageError) else HubTile(pair)


@one_word
def _doubles(scene: Scene) -> Offers:
    """Offer the doubles that can be played or declared for the hub now."""
    found = [move.tile for move in legal(scene) if isinstance(move, moves.LayHub | moves.Declare)]
    return [(as_typed(tile), say("double")) for tile in found]


_HUB: Final = TableVerb(
    "hub [TILE]",
    "Play the double that is asked for in the hub.",
    _read_hub,
    short=("engine",),
    spanish=("estación", "locomotora"),
    examples=("hub 9-9", "engine 9-9", "hub"),
    makes=(moves.LayHub, moves.Declare),
    needs=_SEEKS,
    offers=_doubles,
)
_DECLARE: Final = TableVerb(
    "declare [TILE]",
    "Declare a double of yours and play it in the hub.",
    _read_hub,
    short=("declares",),
    spanish=("declarar",),
    examples=("declare 9-9", "declare"),
    makes=(moves.Declare, moves.LayHub),
    needs=_DECLARES,
    offers=_doubles,
)


# ---- the heaviest tile ----------------------------------------------------------------------


class ShowTile(MoveIntent, frozen=True):
    """Show everybody the tile that the rules ask for; if no pips are given, find it in the hand."""

    pips: tuple[int, int] | None

    def resolved(self, scene: Scene, seat: Seat) -> Resolved:
        """Return the move that shows the tile, or the reason against it."""
        meant = legal_of(scene, moves.Show)
        if self.pips is None:
            if not meant and asks_heaviest(scene.table):
                return NotFound(say("You do not hold the tile that is asked for: say none."))
            otherwise = moves.Show(seat, resolution.NOWHERE, make_tile(0, 0))
            return resolution.one_of(meant, otherwise, scene)
        tile = make_tile(*self.pips)
        missing = resolution.not_to_hold(tile, scene)
        if missing is not None:
            return missing
        return judged(moves.Show(seat, resolution.position_of(tile, scene), tile), scene)


def _read_show(words: Words) -> Read:
    """Read the tile to show, if one is named; return a `UsageError` for anything else."""
    pair = read_tile(words) if words else None
    return pair if isinstance(pair, UsageError) else ShowTile(pair)


@one_word
def _shown(scene: Scene) -> Offers:
    """Offer the tile that the rules ask for, if it is held."""
    return [(as_typed(move.tile), say("yours")) for move in legal_of(scene, moves.Show)]


_SHOW: Final = TableVerb(
    "reveal [TILE]",
    "Show everybody the tile that is asked for; it stays in your hand.",
    _read_show,
    short=("shows",),
    spanish=("mostrar",),
    examples=("reveal 9-9", "reveal"),
    makes=(moves.Show,),
    needs=_SHOWS,
    offers=_shown,
)


# ---- when nobody declares -------------------------------------------------------------------


class Look(MoveIntent, frozen=True):
    """Look at the next tile of the boneyard, or turn it up for all to see."""

    def resolved(self, scene: Scene, seat: Seat) -> Resolved:
        """Return the move that turns up the next tile, or the reason against it."""
        turns = legal_of(scene, moves.TurnUp)
        return resolution.one_of(turns, moves.TurnUp(seat, resolution.NOWHERE), scene)


_LOOK: Final = TableVerb(
    "look",
    "Look at the next tile of the boneyard, or turn it up.",
    Look(),
    short=("turn", "turns"),
    spanish=("mirar",),
    makes=(moves.TurnUp,),
    needs=_TURNS_UP,
)


class DiscardTile(MoveIntent, frozen=True):
    """Put a tile of the hand back into the boneyard."""

    pips: tuple[int, int]

    def resolved(self, scene: Scene, seat: Seat) -> Resolved:
        """Return the move that puts this tile back, or the reason against it."""
        position = resolution.position_of(make_tile(*self.pips), scene)
        return judged(moves.Discard(seat, position), scene)


def _read_discard(words: Words) -> Read:
    """Read the tile to put back; return a `UsageError` for anything but one tile."""
    pair = read_tile(words)
    return pair if isinstance(pair, UsageError) else DiscardTile(pair)


@one_word
def _held(scene: Scene) -> Offers:
    """Offer the tiles that may be put back."""
    discards = {move.position for move in legal_of(scene, moves.Discard)}
    own = scene.hand.tiles if scene.hand is not None else ()
    return [(as_typed(tile), say("yours")) for at, tile in own if at in discards]


_DISCARD: Final = TableVerb(
    "discard TILE",
    "Put a tile of yours back into the boneyard.",
    _read_discard,
    "which tile? Name it, such as: discard 9-4",
    short=("discards",),
    spanish=("descartar",),
    examples=("discard 9-4",),
    makes=(moves.Discard,),
    needs=_DECLARES,
    offers=_held,
)


class PullTile(MoveIntent, frozen=True):
    """Pull a tile unseen out of another hand, by its number there, counted from 1."""

    number: int

    def resolved(self, scene: Scene, seat: Seat) -> Resolved:
        """Return the move that pulls this tile, or the reason against it."""
        possible = legal_of(scene, moves.PullBack)
        if not possible:
            return judged(moves.PullBack(seat, seat, resolution.NOWHERE), scene)
        if self.number > len(possible):
            text = "That hand has {count} tiles: pull one by its number."
            return NotFound(say(text, count=len(possible)))
        return judged(possible[self.number - 1], scene)


def _read_pull(words: Words) -> Read:
    """Read the number of a tile in somebody's hand, from 1 to 999; 1 if none is typed.

    Return a `UsageError` for anything else.
    """
    text = words[0] if words else "1"
    if len(words) > 1 or not is_run(text) or not 1 <= int(text) <= 999:
        return UsageError(say("which tile of that hand? Give a number, such as: pull 3"))
    return PullTile(int(text))


@one_word
def _pulls(scene: Scene) -> Offers:
    """Offer the numbers, from 1, of the unseen tiles of another hand."""
    count = len(legal_of(scene, moves.PullBack))
    return [(str(number), say("unseen")) for number in range(1, count + 1)]


_PULL: Final = TableVerb(
    "pull [NUMBER]",
    "Pull a tile unseen out of the hand that you may pull from.",
    _read_pull,
    short=("pulls",),
    spanish=("sacar",),
    examples=("pull 3", "pull"),
    makes=(moves.PullBack,),
    needs=_DECLARES,
    offers=_pulls,
)

VERBS: Final = (
    PLAY,
    _DRAW,
    _PASS,
    _DONE,
    _TAP,
    _CATCH,
    _COVER,
    _BULLET_VERB,
    _OPEN,
    _CLOSE,
    _BACK,
    _HUB,
    _DECLARE,
    _NONE,
    _SILENT,
    _SHOW,
    _LOOK,
    _DISCARD,
    _PULL,
)
