"""The verb `play`: a tile, several in one line, or a number of the printed list."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct, structs

from cli.input import resolution
from cli.input.chains import PlayChain, chain_follows, read_chain
from cli.input.lexer import Words, is_run, read_pair
from cli.input.more_tiles import names_place, owed_place, read_behind
from cli.input.places import spellings
from cli.input.readers import UsageError, begins_tile, read_name, spaced, split_run, without_done
from cli.input.resolution import MoveIntent, NotFound, NotLegal, Resolved, judged
from cli.language import either, say
from cli.scene import (
    Scene,
    choices,
    hangs_on,
    lays,
    legal,
    legal_of,
    own_train,
    place_text,
    tile_text,
    train_name,
)
from cli.session.verbs.verb import Offers, TableVerb
from cli.wording.moves import move_text, nothing_sentence
from engine.play.hub_search import asks_heaviest
from engine.play.step_rules import mismatch
from engine.refusals import RefusalCode
from engine.rules.switches import Engine
from engine.table.moves import Declare, LayChain, LayHub, LayTile, Pass, Show
from engine.table.table import RoundPhase, joining_halves
from engine.table.trains import HUB, Seat, TrainId
from engine.tiles import Tile, make_tile


class TileReading(Struct, frozen=True):
    """One way to read a lay: two pips in typed order, and the words for the train, if any."""

    pips: tuple[int, int]
    train: str | None


class HubTile(MoveIntent, frozen=True):
    """Lay or declare a double for the hub; without pips, the only one that is asked for."""

    pips: tuple[int, int] | None

    def resolved(self, scene: Scene, seat: Seat) -> Resolved:
        """Return the lay or declaration, whichever the rules ask for now, or the reason against it.

        Without pips, return `Ambiguous` if several doubles would do.
        """
        meant = [each for each in legal(scene) if isinstance(each, LayHub | Declare)]
        tile = make_tile(*(self.pips or (0, 0)))
        if self.pips is not None:
            if missing := resolution.no_such_tile(tile, scene):
                return missing
            meant = [each for each in meant if each.tile == tile]
        elif _asks_double(scene) and not meant and scene.can_move:
            text = "You hold no double that is asked for: say none, or silent."
            return NotFound(say(text))
        kind = Declare if scene.table.rules.engine is Engine.DECLARED else LayHub
        otherwise = kind(seat, resolution.position_of(tile, scene), tile)
        return resolution.one_of(meant, otherwise, scene)


def _asks_double(scene: Scene) -> bool:
    """Return True while the rules ask for a double for the hub, and not for the heaviest tile."""
    return scene.table.phase is RoundPhase.ENGINE and not asks_heaviest(scene.table)


class Play(MoveIntent, frozen=True):
    """Lay a tile; the typed words may have several readings.

    `112 3` can mean 11-2 or 1-12 on train 3, so all readings are kept, the best one first.
    """

    readings: tuple[TileReading, ...]
    ends: bool = False
    """True to end the turn after this play, if the turn would go on."""

    def at_table(self, scene: Scene) -> "Play | PlayChain":
        """Return a chain if the words after the first tile are more tiles, else a single play.

        Of several readings, prefer those whose tiles are all held, and of these a single tile to a
        chain. Otherwise prefer a single tile whose train exists.
        """
        placed = [
            structs.replace(each, train=owed_place(each.train, scene)) for each in self.readings
        ]
        single = [each for each in placed if _is_here(each, scene)]
        chains = [
            PlayChain((each.pips, *behind.tiles), behind.train, ends=self.ends)
            for each in placed
            if each.train and (behind := read_behind(each.train, scene)) and behind.tiles
        ]
        whole = [chain for chain in chains if all(_is_held(pips, scene) for pips in chain.tiles)]
        plays_one = any(_is_held(each.pips, scene) for each in single)
        meant = whole or ([] if single else chains)
        if meant and not plays_one:
            return meant[0]
        return structs.replace(self, readings=tuple(placed))

    def resolved(self, scene: Scene, seat: Seat) -> Resolved:
        """Return the only legal lay that a reading can mean, or the reason against it.

        If any reading names a tile that is held, the other readings do not count. Return
        `Ambiguous` for several places, and `Doubtful` if the word for the train fits others too. A
        tile for the hub is resolved as a `HubTile`, and a tile that the rules ask to see becomes a
        `Show` if no train was typed.
        """
        alone = {make_tile(*reading.pips) for reading in self.readings if reading.train is None}
        for move in legal_of(scene, Show):
            if move.tile in alone:
                return resolution.judged(move, scene)
        hub = next((reading for reading in self.readings if _names_hub(reading, scene)), None)
        if hub is not None:
            return HubTile(hub.pips).resolved(scene, seat)
        found = [_moves_of(reading, scene, seat) for reading in self.readings]
        missing = [each for each in found if isinstance(each, NotFound)]
        if len(missing) == len(found):
            return missing[0]
        readable = [move for each in found if isinstance(each, tuple) for move in each]
        held = [move for move in readable if move.position != resolution.NOWHERE]
        candidates = held or readable
        allowed = [move for move in legal(scene) if move in candidates]
        if allowed:
            typed_of = {make_tile(*reading.pips): reading for reading in self.readings}
            found_lays = tuple(move for move in allowed if isinstance(move, LayTile))
            lay = _only(found_lays, {tile: reading.pips[0] for tile, reading in typed_of.items()})
            if isinstance(lay, LayTile):
                return resolution.in_doubt(lay, typed_of[lay.tile].train, scene)
            return lay
        for reading in self.readings:
            if names := resolution.unclear_train(scene, reading.train):
                return NotFound(resolution.could_be_text(reading.train or "", names))
        # a double that may be played only with the tile that covers it: add no tile unasked
        first = {(lay.tile, lay.train) for lay in candidates}
        pairs = [each for each in legal(scene) if isinstance(each, LayChain) and not each.bullet]
        meant = tuple(each for each in pairs if (each.lays[0].tile, each.train) in first)
        if meant:
            return resolution.Ambiguous(meant)
        is_named = all(reading.train is not None for reading in self.readings)
        return _refusal_of(candidates, scene, is_named=is_named)


class Choose(MoveIntent, frozen=True):
    """Choose the play with this number on the list; if none has it, read the digits as a tile."""

    number: int
    otherwise: Play | None

    def resolved(self, scene: Scene, seat: Seat) -> Resolved:
        """Return the play with this number, else the move of the tile with these digits.

        If the digits are not a tile either, return the reason why there is no such play.
        """
        listed = choices(scene)
        if 1 <= self.number <= len(listed):
            return listed[self.number - 1]
        if self.otherwise is not None:
            return self.otherwise.resolved(scene, seat)
        if listed:
            text = "The list of plays goes from 1 to {last}."
            return NotFound(say(text, last=len(listed)))
        if scene.can_move:
            return NotFound(nothing_sentence(scene))
        if scene.table.to_move == seat and scene.table.phase is RoundPhase.PLAY:
            return resolution.too_early(scene)
        return judged(Pass(seat), scene)


def _only(allowed: tuple[LayTile, ...], first: dict[Tile, int]) -> LayTile | resolution.Ambiguous:
    """Return the lay if there is only one place for it, or `Ambiguous` for several.

    If several places are all on one train, choose the one that the half typed first joins, unless
    that half joins several or none. `first` has this half by tile.
    """
    as_written = [move for move in allowed if move.joined == first[move.tile]]
    found, written = _places(allowed), _places(as_written)
    is_told = len(written) == 1 and len({move.train for move in found}) == 1
    only = written if is_told else found
    return only[0] if len(only) == 1 else resolution.Ambiguous(found)


def _places(allowed: Sequence[LayTile]) -> tuple[LayTile, ...]:
    """Return the first lay for each tile and each place on a train."""
    places: dict[tuple[Tile, TrainId, int], LayTile] = {}
    for move in allowed:
        places.setdefault((move.tile, move.train, move.on), move)
    return tuple(places.values())


def as_chain(intent: Play | PlayChain, scene: Scene) -> PlayChain:
    """Return the tiles of a line as a chain, which may have a single tile.

    Of several readings, prefer one whose tile is in the hand. `scene` must have a hand.
    """
    found = intent.at_table(scene)
    if isinstance(found, PlayChain):
        return found
    held = [each for each in found.readings if _is_held(each.pips, scene)]
    meant = (held or found.readings)[0]
    return PlayChain((meant.pips,), meant.train)


def _is_here(reading: TileReading, scene: Scene) -> bool:
    """Return True if the set has the tile, and the word for the train, if any, fits a train."""
    has_place = reading.train is None or names_place(reading.train, scene)
    return has_place and max(reading.pips) <= scene.table.spec.pip_max


def _is_held(pips: tuple[int, int], scene: Scene) -> bool:
    return resolution.position_of(make_tile(*pips), scene) != resolution.NOWHERE


_HUB: Final = frozenset({"hub", "engine", "estación", "locomotora", "middle", "centro"})
"""Words for the hub."""


def _names_hub(reading: TileReading, scene: Scene) -> bool:
    """Return True if a tile is meant for the hub: its place has a word for the hub.

    The word does not count if it fits a train, such as that of a player called Centro. Without a
    place, a tile is meant for the hub if it can be laid or declared there now.
    """
    if reading.train is None:
        tile = make_tile(*reading.pips)
        asked = (move for move in legal(scene) if isinstance(move, LayHub | Declare))
        return any(move.tile == tile for move in asked)
    said = {each.casefold() for each in spellings(reading.train)}
    named = not said.isdisjoint(_HUB)
    return named and not resolution.find_trains(scene, reading.train)


def _moves_of(reading: TileReading, scene: Scene, seat: Seat) -> tuple[LayTile, ...] | NotFound:
    """Return every lay that a reading can mean, on one train or on all of them, legal or not.

    If a double on the train is named, too, return only the lays on that double, if there are any.
    Return `NotFound` if nobody can hold the tile, or if no train has that name.
    """
    tile = make_tile(*reading.pips)
    missing = resolution.not_to_hold(tile, scene)
    if missing is not None:
        return missing
    trains, double = resolution.find_places(scene, reading.train)
    if not trains:
        text = resolution.no_train_text(scene, reading.train or "")
        if split_run(reading.train or ""):
            text = f"{text} {say('Write several tiles as 9-7 7-5.')}"
        return NotFound(text)
    found = tuple(lay for train in trains for lay in _lays_on(scene, seat, tile, train))
    on_double = tuple(lay for lay in found if hangs_on(scene.table, lay) == double)
    return on_double if double is not None and on_double else found


def _lays_on(scene: Scene, seat: Seat, tile: Tile, train: TrainId) -> tuple[LayTile, ...]:
    """Return the lays of a tile on a train's ends; an illegal one on the first if it fits none."""
    found, position = scene.table.train(train), resolution.position_of(tile, scene)
    ends = [(end.pip, end.on) for end in found.ends]
    if not ends and not found.lays and scene.table.hub is not None:
        ends = [(scene.table.hub.low, HUB)]
    fitting = dict.fromkeys(
        LayTile(seat, position, tile, train, on, joined)
        for pip, on in ends
        for joined in joining_halves(scene.table.rules, tile, pip)
    )
    on = ends[0][1] if ends else HUB
    return tuple(fitting) or (LayTile(seat, position, tile, train, on, tile.low),)


def _refusal_of(candidates: list[LayTile], scene: Scene, *, is_named: bool) -> Resolved:
    """Return the refusal of the best lay: prefer one that fits, then one on the player's own train.

    If its tile joins no end, that is the reason returned, even if the train is also closed to the
    player. If the train `is_named`, the reason why it is closed is added.
    """

    def rank(move: LayTile) -> tuple[bool, bool]:
        return not _joins(move, scene), move.train != own_train(scene)

    best = min(candidates, key=rank)
    found = judged(best, scene)
    if _joins(best, scene) or not isinstance(found, NotLegal):
        return found
    if found.refusal.code not in (RefusalCode.TRAIN_CLOSED, RefusalCode.OWN_TRAIN_FIRST):
        return found
    misfit = mismatch(scene.table.train(best.train), best.tile)
    return NotLegal(misfit, found.nearest, found.refusal if is_named else None)


def _joins(move: LayTile, scene: Scene) -> bool:
    """Return True if the tile fits an end of its train, even of a train that is shut."""
    ends = scene.table.train(move.train).ends
    return any(joining_halves(scene.table.rules, move.tile, end.pip) for end in ends)


# ---- read -----------------------------------------------------------------------------------


def read_move(words: Words) -> Play | PlayChain | Choose | UsageError:
    """Read `9-4 ben`, `94 ben`, `9 4 b`, `9-4`, `9-7 7-5 5-5`, or a number of the list.

    Return a `UsageError` for anything else. There must be a word.
    """
    said, ends = without_done(_from_tile(words))
    first, rest = said[0] if said else words[0], said[1:]
    pair, in_two = read_pair(first), spaced(said)
    ways = [(cut, rest) for cut in ((pair,) if pair else split_run(first))]
    if in_two is not None:
        ways = [(in_two, rest[1:]), *ways]
    chains = [[f"{a}-{b}", *after] for (a, b), after in ways if after and read_pair(after[0])]
    if len(chains) == 1:
        return structs.replace(read_chain(chains[0]), ends=ends)
    readings = tuple(TileReading(tile, read_name(after)) for tile, after in ways)
    play = Play(readings, ends) if readings else None
    if not rest and not ends and is_run(first):
        return Choose(int(first), play)
    if play is not None:
        return play
    text = "{word} is not a tile: write a tile as 9-4, 9|4, 94 or 9 4, then the train: 9-4 ben"
    return UsageError(say(text, word=first))


def _from_tile(words: Words) -> Words:
    """Return the words from the first tile on, if only `the`, `my`, `tile` and the like precede it.

    If the words are a train, `with` and a tile, return the tile first and then the train. Return
    all other words unchanged.
    """
    if len(words) > 2 and words[-2].casefold() in _WITH and read_pair(words[-1]):
        return [words[-1], *words[:-2]]
    bare = [word.casefold() in _ARTICLES for word in words]
    at = [*bare, False].index(False)
    return words[at:] if at < len(words) and begins_tile(words[at]) else words


_WITH: Final = frozenset({"with", "con"})
_ARTICLES: Final = frozenset({"the", "my", "a", "tile", "with", "la", "mi", "una", "ficha"})
"""Words before a tile that tell nothing about it."""


# ---- offered --------------------------------------------------------------------------------


def _plays(scene: Scene | None, before: Words, typing: str) -> Offers:
    """Offer the tiles that can be played; after a tile, offer what can follow it."""
    return after_tile(scene, before, typing) if before else tiles(scene, typing)


def tiles(scene: Scene | None, typing: str) -> Offers:
    """Offer the tiles that can be played, each with the trains it fits; nothing without a scene.

    For a tile that can be played only together with the one that covers it, say so instead.
    """
    if scene is None:
        return []
    fits: dict[str, list[str]] = {}
    for move in lays(scene):
        names = fits.setdefault(as_typed(move.tile, typing), [])
        names.append(train_name(scene, move.train))
    offers = {
        text: say("on {trains}", trains=either([*dict.fromkeys(names)]))
        for text, names in fits.items()
    }
    for chain in legal(scene):
        if isinstance(chain, LayChain) and not chain.bullet:
            first = as_typed(chain.lays[0].tile, typing)
            offers.setdefault(first, say("with the tile that follows"))
    return list(offers.items())


def places(scene: Scene | None) -> Offers:
    """Offer the plays if just one tile can be played, and in several places; else nothing."""
    plays = [] if scene is None else lays(scene)
    if scene is None or len(plays) < 2 or len({move.tile for move in plays}) > 1:
        return []
    offers = {move_text(scene, move): train_name(scene, move.train) for move in plays}
    return [(text, say("on {trains}", trains=train)) for text, train in offers.items()]


def as_typed(tile: Tile, typing: str = "") -> str:
    """Return the tile as text that continues `typing`, if it can; else larger half first."""
    pairs = ((tile.high, tile.low), (tile.low, tile.high))
    signs = "=-|" if tile.is_double else "-|="
    forms = [f"{one}{sign}{other}" for sign in signs for one, other in pairs]
    return next((form for form in forms if typing and form.startswith(typing)), forms[0])


def after_tile(scene: Scene | None, before: Words, typing: str) -> Offers:
    """Offer the trains for the tile before the cursor, and the tiles that can follow it in a chain.

    Offer nothing without a scene, and no trains once one is named.
    """
    if scene is None:
        return []
    if len(before) > 1 and before[-1].casefold() in ("on", "en"):
        before = before[:-1]
    typed = [read_pair(word) for word in before]
    chain = tuple(pair for pair in typed if pair is not None)
    onward = chain_follows(scene, chain) if len(chain) == len(typed) else ()
    goes_on = say("the chain goes on")
    more = dict.fromkeys((as_typed(move.tile, typing) for move in onward), goes_on)
    return [*_trains(scene, before).items(), *more.items()]


def _trains(scene: Scene, before: Words) -> dict[str, str]:
    """Return the places for the tile, each with what it joins there; none if a train is named."""
    found = read_move(before)
    play = found.otherwise if isinstance(found, Choose) else found
    readings = play.readings if isinstance(play, Play) else ()
    meant = {make_tile(*each.pips) for each in readings if each.train is None}
    fitting = [move for move in lays(scene) if move.tile in meant]
    return {
        place_text(scene, move): say("joins {tile}", tile=tile_text(move.tile, move.joined))
        for move in fitting
    }


PLAY = TableVerb(
    "play TILE [TRAIN]",
    "Play a tile; leave the train out if only one fits. You may type a whole train in one "
    "line: what this turn cannot play is kept as your plan.",
    read_move,
    "which tile? Write it as 9-4, 9|4, 94 or 9 4, then the train: 9-4 ben",
    ("p",),
    ("jugar",),
    (
        "play 9-4 ben",
        "p 94 ben",
        "9 4 b",
        "9|4 2",
        "9-4 m",
        "9-4",
        "1",
        "play 9-7 7-5 5-5",
        "play 9-9 hub",
    ),
    also=("put", "lay", "place", "poner", "pon", "juega", "juego", "zug"),
    with_words=(
        "start the mexican train with: mexican with",
        "start mexican train with: mexican with",
        "start a mexican train with: mexican with",
        "begin the mexican train with: mexican with",
        "open the mexican train with: mexican with",
        "start my train with: mine with",
        "start my own train with: mine with",
        "begin my train with: mine with",
        "empieza el tren mexicano con: mexicano con",
        "empezar el tren mexicano con: mexicano con",
        "empiezo el tren mexicano con: mexicano con",
    ),
    makes=(LayTile, LayChain),
    offers=_plays,
)
