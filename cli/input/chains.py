"""Several tiles typed in one line: an opening, a bullet train, a double with its cover.

The tiles join in the order typed, whichever half was written first; the rules judge the chain. A
chain after which the turn would go on is played tile by tile, and any other as one move.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from cli.input import resolution
from cli.input.lexer import Words, read_pair
from cli.input.more_tiles import owed_place, read_behind
from cli.input.readers import read_name, without_done
from cli.input.resolution import find_trains, no_train_text
from cli.input.single_tiles import single_tiles
from cli.language import say
from cli.scene import Scene, legal
from engine.play.judge import why_illegal_holding
from engine.play.reach import own_trains, played_trains
from engine.refusals import Refusal, RefusalCode, RefusalReason
from engine.rules.ruleset import RuleSet
from engine.rules.switches import Bullet
from engine.table.moves import ChainLink, LayChain, LayTile, Move
from engine.table.table import joining_halves
from engine.table.trains import HUB, End, Seat, TrainId
from engine.tiles import Tile, make_tile

_TOLD: Final = {RefusalCode.END_MISMATCH: 1, RefusalCode.NOT_ALLOWED: 2}
"""Refusals that explain little, ranked: any other refusal is reported in preference to these."""

_SINGLY: Final = frozenset({RefusalReason.NO_CHAIN, RefusalReason.CHAIN_ENDS_DOUBLE})
"""The reasons why a chain is not one move, although its tiles may be legal one by one."""


class PlayChain(resolution.MoveIntent, frozen=True):
    """Lay several tiles in this order, each on the one before."""

    tiles: tuple[tuple[int, int], ...]
    """The tiles in the order typed; empty for a bullet train of the whole hand."""
    train: str | None = None
    bullet: bool = False
    """True if the tiles are declared as a bullet train."""
    back: bool = False
    """True if the last tile covers a double laid earlier in this turn."""
    ends: bool = False
    """True if the player wants the turn to end after these tiles, though it could go on."""

    def at_table(self, scene: Scene) -> "PlayChain":
        """Return the intent with the words for its train read at this table.

        Tiles among those words are added to its own, and `cover` becomes the train of the double to
        cover.
        """
        train = owed_place(self.train, scene)
        behind = read_behind(train, scene) if train is not None else None
        if behind is None:
            return replace(self, train=train)
        return replace(self, tiles=(*self.tiles, *behind.tiles), train=behind.train)

    def resolved(self, scene: Scene, seat: Seat) -> resolution.Resolved:
        """Return the chain that the rules allow, or its tiles one by one if they are several moves.

        An intent without tiles means the bullet train of the whole hand. If there is no such move,
        the obstacle is returned: `Ambiguous` or `Doubtful` if several places fit, `NotLegal` with
        the most helpful refusal, or `NotFound`.
        """
        if not self.tiles:
            return _found_bullet(scene, seat)
        tiles = tuple(make_tile(*pips) for pips in self.tiles)
        if (amiss := tiles_amiss(tiles, scene)) is not None:
            return amiss
        trains = _trains(self, scene, seat)
        if isinstance(trains, resolution.NotFound):
            return trains
        candidates = tuple(_candidates(self, tiles, trains, scene, seat))
        if candidates:
            found = _judged(candidates, scene)
            if isinstance(found, resolution.NotLegal) and (
                turned := _turned(self, candidates, scene)
            ):
                options = _options(turned.resolved(scene, seat))
                found = resolution.Ambiguous(options) if options else found
            if isinstance(found, LayChain):
                found = resolution.in_doubt(found, self.train, scene)
            return _as_played(found, scene) if isinstance(found, LayChain) else found
        text = "Type back after two tiles: a second double, and its cover for the first one."
        return resolution.NotFound(say(text))


def tiles_amiss(tiles: Sequence[Tile], scene: Scene) -> resolution.NotFound | None:
    """Return a `NotFound` if a tile is typed twice or cannot be in hand, else None."""
    if len(set(tiles)) < len(tiles):
        return resolution.NotFound(say("You can play each tile only once."))
    amiss = (resolution.not_to_hold(tile, scene) for tile in tiles)
    return next((each for each in amiss if each is not None), None)


def read_chain(words: Words, *, bullet: bool = False) -> PlayChain:
    """Return the intent in these words: tiles, the name of a train, then `back` or `done`.

    Any words are accepted. Those after the leading tiles name the train; without them the train is
    None. The intent has no tiles if the first word is not a tile.
    """
    pairs = [read_pair(word) for word in words]
    count = [*pairs, None].index(None)
    tiles = tuple(pair for pair in pairs[:count] if pair is not None)
    rest, ends = without_done(words[count:])
    back = bool(rest) and rest[-1].lower() == "back"
    name = read_name(rest[:-1] if back else rest)
    return PlayChain(tiles, name, bullet=bullet, back=back, ends=ends)


def _found_bullet(scene: Scene, seat: Seat) -> resolution.Resolved:
    bullets = [move for move in legal(scene) if isinstance(move, LayChain) and move.bullet]
    if not bullets and scene.can_move and scene.table.rules.bullet is Bullet.YES:
        return resolution.NotFound(say("Your hand does not make one train now."))
    return resolution.one_of(bullets, LayChain(seat, TrainId(seat), (), bullet=True), scene)


def _trains(
    intent: PlayChain, scene: Scene, seat: Seat
) -> tuple[TrainId, ...] | resolution.NotFound:
    """Return the trains that the tiles may be meant for.

    If a train is named, they are those of that name, or `NotFound` is returned. Otherwise they are
    the player's own, followed by all others if there are only one or two tiles. If nobody has a
    train of their own, they are all trains in play.
    """
    if intent.train is not None:
        named = find_trains(scene, intent.train)
        return named or resolution.NotFound(no_train_text(scene, intent.train))
    own = own_trains(scene.table, seat)
    if len(intent.tiles) > 2 and own:
        return own
    return tuple(dict.fromkeys((*own, *(train.id for train in played_trains(scene.table)))))


def _candidates(
    intent: PlayChain, tiles: Sequence[Tile], trains: Sequence[TrainId], scene: Scene, seat: Seat
) -> Iterator[LayChain]:
    """Yield every chain that the words can mean, by train and end, plain and as a bullet train.

    Two tiles also give the chain whose second tile covers a double laid earlier in this turn. With
    `back`, only chains of that kind are yielded.
    """
    for train in trains:
        found = scene.table.train(train)
        for end in dict.fromkeys(found.ends) or (End(found.id, HUB, tiles[0].low),):
            links = _links(intent, tiles, end.pip, scene)
            for bullet in (True,) if intent.bullet else (False, True):
                if not intent.back:
                    yield LayChain(seat, train, links, end.on, bullet=bullet)
            if len(tiles) == 2 and not intent.bullet:
                chain = LayChain(seat, train, links, end.on, back=True)
                yield from _covering(chain, intent.tiles[-1][0], scene)


def _links(
    intent: PlayChain, tiles: Sequence[Tile], pip: int, scene: Scene
) -> tuple[ChainLink, ...]:
    """Return the tiles as links that join in a row, beginning at an end with this pip.

    If both halves of a tile fit, or neither does, the half written first joins; the rules refuse a
    tile that does not fit.
    """
    links: list[ChainLink] = []
    for written, tile in zip(intent.tiles, tiles, strict=True):
        joined = _joined(scene.table.rules, tile, pip, written[0])
        links.append(ChainLink(resolution.position_of(tile, scene), tile, joined))
        pip = tile.other_end(joined)
    return tuple(links)


def _joined(rules: RuleSet, tile: Tile, pip: int, written: int) -> int:
    halves = joining_halves(rules, tile, pip)
    return written if written in halves else (*halves, written)[0]


def _covering(move: LayChain, written: int, scene: Scene) -> Iterator[LayChain]:
    """Yield the chain `move` with its second tile moved onto a double laid earlier in this turn.

    Yield nothing if there is no such double.
    """
    doubles = scene.table.turn.doubles
    if not doubles:
        return
    train, on = doubles[0]
    pip = scene.table.train(train).lays[on].tile.high
    last = move.lays[-1]
    joined = _joined(scene.table.rules, last.tile, pip, written)
    lays = (*move.lays[:-1], replace(last, joined=joined))
    yield LayChain(move.seat, move.train, lays, move.on, back=True)


def _judged(candidates: Sequence[LayChain], scene: Scene) -> resolution.Resolved:
    """Return the chain that the rules allow, `Ambiguous` for several places, or the best refusal.

    A chain that can be played tile by tile counts as allowed. Of several chains on one end, the one
    that is not a bullet train is preferred. Returns `NotFound` while this seat cannot move yet.
    There must be candidates, and a hand.
    """
    assert scene.hand is not None
    refusals = [(why_illegal_holding(scene.table, scene.hand, move), move) for move in candidates]
    allowed: dict[tuple[TrainId, int, bool], LayChain] = {}
    for refusal, move in refusals:
        if refusal is None or _is_taken_singly(refusal, move, scene):
            allowed.setdefault((move.train, move.on, move.back), move)
    if allowed:
        # prefer a plain chain to one that covers the earlier double: `back` asks for that
        onward = [move for move in allowed.values() if not move.back] or list(allowed.values())
        if len(onward) > 1:
            return resolution.Ambiguous(tuple(onward))
        return onward[0] if scene.can_move else resolution.too_early(scene)
    own = own_trains(scene.table, scene.hand.seat)
    refused = ((refusal.code, move) for refusal, move in refusals if refusal is not None)
    _, best = min(refused, key=lambda pair: (pair[1].train not in own, _TOLD.get(pair[0], 0)))
    return resolution.judged(best, scene)


def _turned(intent: PlayChain, candidates: Sequence[LayChain], scene: Scene) -> PlayChain | None:
    """Return the intent in playing order if a double was typed after the tile that covers it.

    None otherwise, and also if the first tile can be played and the double then joins it.
    """
    first, *others = intent.tiles
    if len(others) != 1 or others[0][0] != others[0][1] or first[0] == first[1]:
        return None
    if others[0][0] not in first or any(_joins_on(move, scene) for move in candidates):
        return None
    return replace(intent, tiles=(others[0], first))


def _joins_on(move: LayChain, scene: Scene) -> bool:
    """Return True if the first of two tiles can be played now, and the second joins it."""
    first, second = move.lays
    is_legal = bool(single_tiles(move, scene).lays)
    return is_legal and first.tile.other_end(first.joined) == second.joined


def _options(found: resolution.Resolved) -> tuple[Move, ...]:
    """Return the moves in a result, to ask which is meant; empty if there are none."""
    match found:
        case resolution.Ambiguous(options):
            return options
        case resolution.TileByTile(chain):
            return (chain,)
        case LayChain():
            return (found,)
        case _:
            return ()


def chain_meant(move: LayChain, scene: Scene) -> resolution.Resolved:
    """Return the result of typing this chain for its train and end.

    It is the chain itself, its tiles one by one, or the obstacle to it.
    """
    found = _judged((move,), scene)
    return _as_played(found, scene) if isinstance(found, LayChain) else found


def _is_taken_singly(refusal: Refusal, move: LayChain, scene: Scene) -> bool:
    """Return True if a chain that is not a legal move can be played tile by tile in this turn.

    Such a chain is a double with its cover, or an opening that must not end with the double typed
    last.
    """
    if refusal.reason not in _SINGLY or move.bullet or move.back:
        return False
    return len(single_tiles(move, scene).lays) == len(move.lays)


def _as_played(chain: LayChain, scene: Scene) -> LayChain | resolution.TileByTile:
    """Return the tiles one by one if the chain is not legal or the turn goes on, else the chain.

    A bullet train is always returned whole. So is a chain with `back`, and a chain whose tiles
    cannot all be played one by one.
    """
    assert scene.hand is not None
    found = single_tiles(chain, scene)
    if chain.bullet or chain.back or len(found.lays) < len(chain.lays):
        return chain
    is_move = why_illegal_holding(scene.table, scene.hand, chain) is None
    if is_move and not found.turn_goes_on:
        return chain
    return resolution.TileByTile(chain, found.lays, opens=found.train_goes_on)


def chain_follows(scene: Scene, typed: Sequence[tuple[int, int]]) -> tuple[LayTile, ...]:
    """Return the tiles in hand that can legally follow a chain typed so far, each as a lay.

    They can complete a line: `play 9-7 ` becomes `play 9-7 7-5`. Empty out of turn, without a hand,
    or if nothing is typed. The `on` of each lay is always the hub, and means nothing.
    """
    if scene.hand is None or not scene.can_move or not typed:
        return ()
    seat, used = scene.hand.seat, {make_tile(*pips) for pips in typed}
    found = []
    for position, tile in scene.hand.tiles:
        if tile in used:
            continue
        move = PlayChain((*typed, (tile.high, tile.low))).resolved(scene, seat)
        if isinstance(move, resolution.Ambiguous):
            move = move.options[0]
        chain = move.chain if isinstance(move, resolution.TileByTile) else move
        if isinstance(chain, LayChain):
            last = chain.lays[-1]
            found.append(LayTile(seat, position, tile, chain.train, HUB, last.joined))
    return tuple(found)
