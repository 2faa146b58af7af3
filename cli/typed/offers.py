"""What Tab offers behind a verb: words that continue the line, each with a sentence.

Each function is told the scene, the words behind the verb, and what is being typed. Only what is
legal now is offered.
"""

from collections.abc import Callable

from cli.choices.table import RULES, TABLE
from cli.language import either, say
from cli.scene import Scene, calls, lays, legal, place_text, tile_text, train_name
from cli.typed import readers
from cli.typed.chains import chain_follows
from cli.typed.intent import Choose, Play
from cli.typed.readers import Offering, Offers, Words, listed_names
from cli.visible import begun_so, named_so
from engine.bots.levels import LEVELS
from engine.rules.presets import PRESETS
from engine.table.moves import Catch, Declare, Discard, LayChain, LayHub, PullBack
from engine.tiles import Tile, make_tile


def _one(offer: Callable[[Scene], Offers]) -> Offering:
    """Offer one word, and none behind it."""
    return lambda scene, before, _typing: [] if before or scene is None else offer(scene)


@_one
def trains(scene: Scene) -> Offers:
    """Offer every train."""
    return [(train_name(scene, train.id), say("train")) for train in scene.table.trains]


@_one
def caught(scene: Scene) -> Offers:
    """Offer who did not tap."""
    found = [call for call in calls(scene) if isinstance(call, Catch)]
    return [(scene.names[call.offender], say("did not tap")) for call in found]


@_one
def doubles(scene: Scene) -> Offers:
    """Offer the doubles for the hub."""
    found = [move.tile for move in legal(scene) if isinstance(move, LayHub | Declare)]
    return [(_as_typed(tile), say("double")) for tile in found]


@_one
def held(scene: Scene) -> Offers:
    """Offer the tiles that may be put back."""
    discards = {move.position for move in legal(scene) if isinstance(move, Discard)}
    own = scene.hand.tiles if scene.hand is not None else ()
    return [(_as_typed(tile), say("yours")) for at, tile in own if at in discards]


@_one
def pulls(scene: Scene) -> Offers:
    """Offer the unseen tiles of another hand."""
    found = [move for move in legal(scene) if isinstance(move, PullBack)]
    return [(str(number), say("unseen")) for number in range(1, len(found) + 1)]


@_one
def orders(_scene: Scene) -> Offers:
    """Offer how a hand may lie."""
    return [(order, say("an order")) for order in readers.ORDERS]


@_one
def longest(_scene: Scene) -> Offers:
    """Offer the longest train."""
    return [("train", say("the longest one you hold"))]


@_one
def rounds(scene: Scene) -> Offers:
    """Offer the rounds that are over."""
    past = range(1, len(scene.table.past) + 1)
    return [(str(number), say("a round that is over")) for number in past]


def away(scene: Scene | None, before: Words, typing: str) -> Offers:
    """Offer who may be voted on and is not named yet; several names may have commas between."""
    if scene is None:
        return []
    *named, _ = typing.split(",")
    head = "".join(f"{name}," for name in named)
    names = [scene.names[seat] for seat in scene.missed]
    words = listed_names([*before, *filter(None, named)], names)
    meant = [named_so(names, word) or begun_so(names, word) for word in words]
    meta = say("goes, if more than half vote so")
    return [(head + name, meta) for at, name in enumerate(names) if (at,) not in meant]


def topics(_scene: Scene | None, before: Words, _typing: str) -> Offers:
    """Offer every choice of a table, to be explained."""
    return [] if before else [(name, say(choice.about)) for name, choice in TABLE.items()]


def levels(_scene: Scene | None, _before: Words, typing: str) -> Offers:
    """Offer the level of one more bot."""
    head, sign, _ = typing.rpartition(",")
    return [(f"{head}{sign}{word}", say(level.sentence)) for word, level in LEVELS.items()]


def changes(_scene: Scene | None, before: Words, typing: str) -> Offers:
    """Offer rule sets and the keys of choices, or what the one may be that was named last."""
    waiting = ""
    for word in (part.lower() for each in before for part in each.split("=") if part):
        waiting = "" if waiting or word in PRESETS else word
    key, sign, _ = typing.rpartition("=")
    if (choice := TABLE.get(waiting or key.lower())) is not None:
        return [(f"{key}{sign}{word}", say(text)) for word, text in choice.kind.sentences.items()]
    keys = {name: choice.about for name, choice in TABLE.items()}
    return [(word, say(text)) for word, text in {**RULES.kind.sentences, **keys}.items()]


def plays(scene: Scene | None, before: Words, typing: str) -> Offers:
    """Offer the tiles that can be played, and then where."""
    return after_tile(scene, before, typing) if before else tiles(scene, typing)


def tiles(scene: Scene | None, typing: str) -> Offers:
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


def after_tile(scene: Scene | None, before: Words, typing: str) -> Offers:
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
