"""What Tab offers: a function from the text before the cursor to completions, and nothing else.

Only moves that are legal now are offered, so that picking one never ends in a refusal. Needs no
terminal; `cli.screens.terminal` hands the result to prompt-toolkit.
"""

from typing import Final, NamedTuple, TypeAlias, assert_never

from cli.language import either, say
from cli.scene import (
    LobbyScene,
    Scene,
    calls,
    lays,
    legal,
    place_text,
    possible,
    tile_text,
    train_name,
)
from cli.typed import readers
from cli.typed.chains import chain_follows
from cli.typed.grammar import COMMANDS, find_command
from cli.typed.intent import Choose, Play, SetMarker
from cli.typed.names import listed_names
from cli.typed.offers import Offers
from cli.typed.readers import Command, Takes, Where, Words
from cli.visible import begun_so, folded, named_so
from engine.table.moves import Catch, Declare, Discard, LayChain, LayHub, Mark, PullBack
from engine.table.table import ENDED
from engine.tiles import Tile, make_tile


class Completion(NamedTuple):
    """`text` replaces the last `length` characters before the cursor; `meta` says what it is."""

    text: str
    length: int
    meta: str


_OF_PLAY: Final = frozenset({"hand", "hint", "odds", "plan", "why"})
"""Words about tiles in hand, which are of no use when a round is over."""

Place: TypeAlias = Scene | LobbyScene | None
"""Where somebody types: at a table in play, at one that forms, or at none."""


def complete(line: str, place: Place) -> tuple[Completion, ...]:
    """Complete the line up to the cursor; nothing where no table is sat at, as in a menu."""
    if place is None:
        return ()
    scene = place if isinstance(place, Scene) else None
    words = line.split()
    typing = words[-1] if words and not line[-1:].isspace() else ""
    before = words[:-1] if typing else words
    if before and _takes_several(before[0]):
        *rest, typing = typing.split(",")
        before = [*before, *filter(None, rest)]
    if not before:
        found = [*_tiles(scene, typing), *_commands(place)]
    elif readers.begins_tile(before[0]):
        found = _after_tile(scene, before, typing)
    else:
        found = _arguments(place, before, typing)
    begun = folded(typing)
    return tuple(
        Completion(text, len(typing), meta)
        for text, meta in found
        if folded(text).startswith(begun)
    )


def _takes_several(word: str) -> bool:
    """Whether several names may follow this word."""
    command = find_command(word)
    return isinstance(command, Command) and command.takes is Takes.AWAY


def _away(scene: Scene | None, before: Words) -> Offers:
    """Offer who may be voted on and is not named yet."""
    if scene is None:
        return []
    names = [scene.names[seat] for seat in scene.missed]
    meant = [named_so(names, word) or begun_so(names, word) for word in listed_names(before, names)]
    meta = say("goes, if more than half vote so")
    return [(name, meta) for at, name in enumerate(names) if (at,) not in meant]


def _arguments(place: Place, before: Words, typing: str) -> Offers:
    """Offer what may come after a command's word and the words behind it."""
    command, rest = find_command(before[0]), before[1:]
    if not isinstance(command, Command):
        return []
    if command.offers is not None:
        return command.offers(rest, typing) if command.word in usable_words(place) else []
    scene = place if isinstance(place, Scene) else None
    asks = command.takes is Takes.MOVE
    if asks and rest and not readers.begins_tile(rest[0]):
        asked = find_command(rest[0])
        moves = isinstance(asked, Command) and bool(asked.makes)
        return _arguments(scene, rest, typing) if moves else []
    if asks or command.takes is Takes.PLAY:
        if rest:
            return _after_tile(scene, rest, typing)
        return [*_tiles(scene, typing), *(_commands(scene, moves_only=True) if asks else ())]
    if command.takes is Takes.AWAY:
        return _away(scene, rest)
    before_game = command.where in (Where.LOBBY, Where.HOST)
    return [] if rest or before_game else _offers(command.takes, scene)


def _offers(takes: Takes, scene: Scene | None) -> Offers:  # noqa: C901 - one branch an offer
    """List what may come after a command's word."""
    moves = legal(scene) if scene is not None else ()
    match takes:
        case Takes.COMMAND:
            return [(each.word, say(each.sentence)) for each in COMMANDS]
        case Takes.SORT:
            return [(order, say("an order")) for order in readers.ORDERS]
        case Takes.PLAN:
            return [("train", say("the longest one you hold"))]
        case Takes.ROUND:
            rounds = len(scene.table.past) if scene is not None else 0
            return [(str(number), say("a round that is over")) for number in range(1, rounds + 1)]
        case _ if scene is None:
            return []
        case Takes.TRAIN:
            return [(train_name(scene, train.id), say("train")) for train in scene.table.trains]
        case Takes.PLAYER:
            caught = [call for call in calls(scene) if isinstance(call, Catch)]
            return [(scene.names[call.offender], say("did not tap")) for call in caught]
        case Takes.DOUBLE:
            doubles = [move.tile for move in moves if isinstance(move, LayHub | Declare)]
            return [(_as_typed(tile), say("double")) for tile in doubles]
        case Takes.HELD:
            discards = {move.position for move in moves if isinstance(move, Discard)}
            held = scene.hand.tiles if scene.hand is not None else ()
            return [(_as_typed(tile), say("yours")) for at, tile in held if at in discards]
        case Takes.NUMBER:
            pulls = [move for move in moves if isinstance(move, PullBack)]
            return [(str(number), say("unseen")) for number in range(1, len(pulls) + 1)]
        case Takes.NOTHING | Takes.PLAY | Takes.TILES | Takes.MOVE | Takes.TEXT | Takes.RISK:
            return []
        case Takes.AWAY | Takes.SOMEBODY | Takes.TOPIC | Takes.LEVELS | Takes.CHANGE:
            return []
    assert_never(takes)


def usable_words(place: Place) -> frozenset[str]:
    """Return the commands that mean something now."""
    return frozenset(word for word, _ in _commands(place))


def _commands(place: Place, *, moves_only: bool = False) -> Offers:
    """Offer the commands that mean something now; a move's word while such a move is legal."""
    scene = place if isinstance(place, Scene) else None
    now = possible(scene) if scene is not None else ()
    useless, hosts = _useless(place), isinstance(place, LobbyScene) and place.view.is_host
    made, ups = {type(move) for move in now}, {move.up for move in now if isinstance(move, Mark)}
    unsaid = {SetMarker(up) for up in (True, False) if up not in ups}
    return [
        (each.word, say(each.sentence))
        for each in COMMANDS
        if each.where.is_now(playing=scene is not None, hosts=hosts)
        if each.word not in useless and (each.makes or not moves_only)
        if not each.makes or (made.intersection(each.makes) and each.means not in unsaid)
    ]


def _useless(place: Place) -> frozenset[str]:
    """Return the words that would be refused to this person here."""
    match place:
        case None:
            return frozenset()
        case Scene(sits=sits, missed=missed):
            words = {"sit", "watch"} if sits else set()
            words |= _OF_PLAY if place.table.phase in ENDED else set()
            return frozenset(words if missed else {*words, "without"})
        case LobbyScene(view=view):
            words = {"sit"} if view.sits or view.is_host else set()
            return frozenset(words if view.is_host else {*words, "start"})


def _tiles(scene: Scene | None, typing: str) -> Offers:
    """Offer the tiles that can be played, each with the trains it fits.

    A tile of which each half joins another train is offered both ways, as the half decides.
    """
    if scene is None:
        return []
    fits: dict[str, list[str]] = {}
    halves: dict[Tile, set[int]] = {}
    for move in lays(scene):
        halves.setdefault(move.tile, set()).add(move.joined)
    for move in lays(scene):
        text = _as_typed(move.tile, typing, move.joined if len(halves[move.tile]) > 1 else None)
        fits.setdefault(text, []).append(train_name(scene, move.train))
    offers = {
        text: say("on {trains}", trains=either([*dict.fromkeys(names)]))
        for text, names in fits.items()
    }
    for chain in legal(scene):
        if isinstance(chain, LayChain) and not chain.bullet:
            first = _as_typed(chain.lays[0].tile, typing)
            offers.setdefault(first, say("with the tile that follows"))
    return list(offers.items())


def _as_typed(tile: Tile, typing: str = "", first: int | None = None) -> str:
    """Write the tile in the way that continues what is typed, else with its larger half first.

    With `first` that half is written first, whatever is typed.
    """
    pairs = ((tile.high, tile.low), (tile.low, tile.high))
    if first is not None:
        pairs = ((first, tile.other_end(first)),) * 2
    signs = "=-|" if tile.is_double else "-|="
    forms = [f"{one}{sign}{other}" for sign in signs for one, other in pairs]
    return next((form for form in forms if typing and form.startswith(typing)), forms[0])


def _after_tile(scene: Scene | None, before: Words, typing: str) -> Offers:
    """Offer the trains that the tile before can be played on, and the tiles that go on from it."""
    if scene is None:
        return []
    typed = [readers.read_pair(word) for word in before]
    chain = tuple(pair for pair in typed if pair is not None)
    onward = chain_follows(scene, chain) if len(chain) == len(typed) else ()
    goes_on = say("the chain goes on")
    more = dict.fromkeys((_as_typed(move.tile, typing) for move in onward), goes_on)
    return [*_trains(scene, before).items(), *more.items()]


def _trains(scene: Scene, before: Words) -> dict[str, str]:
    """Find the trains that the tile before can be played on, if none is named yet."""
    found = readers.read_move(before)
    play = found.otherwise if isinstance(found, Choose) else found
    readings = play.readings if isinstance(play, Play) else ()
    tiles = {make_tile(*each.pips) for each in readings if each.train is None}
    fitting = [move for move in lays(scene) if move.tile in tiles]
    return {
        place_text(scene, move): say("joins {tile}", tile=tile_text(move.tile, move.joined))
        for move in fitting
    }
