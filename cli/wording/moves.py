"""Sentences for the moves and calls that a player can make or has to make.

The engine alone decides which moves exist; this module describes them.
"""

from typing import Final

from cli.language import joined, say, say_count, say_typed
from cli.scene import (
    Scene,
    asked_draw,
    calls,
    choices,
    legal,
    place_text,
    possible,
    tile_text,
    train_name,
)
from cli.wording.events import events_text, on_train
from engine.play.places import why_owed
from engine.play.step_rules import chain_ends_double
from engine.refusals import Refusal, RefusalReason
from engine.rules.switches import Engine, LastTile
from engine.table import moves
from engine.table.events import Passed, TileDrawn, TileLaid
from engine.table.table import ENDED, Table
from engine.table.trains import Position, Seat
from engine.table.turn import EngineSearch, HighDraw, InPlay, OpeningAll, Returning, SeekStep
from netgame.protocol import notices


def played_text(move: moves.LayTile | moves.LayChain) -> str:
    """Return the tiles of a play as they join, separated by spaces: `9-7 7-5`."""
    lays = move.lays if isinstance(move, moves.LayChain) else (move,)
    return " ".join(tile_text(each.tile, each.joined) for each in lays)


def move_text(scene: Scene, move: moves.Move) -> str:
    """Return a move as it could be typed, in the words of the language spoken."""
    match move:
        case moves.LayTile():
            return f"{played_text(move)} {place_text(scene, move)}"
        case moves.LayChain():
            back = " back" if move.back else ""
            said = f"{played_text(move)} {train_name(scene, move.train)}{back}"
            return f"bullet {said}" if move.bullet else said
        case moves.TurnUp():
            return say_typed("look")
        case moves.Mark():
            return say_typed("open" if move.up else "close")
        case moves.Catch():
            return say_typed("catch {name}", name=scene.names[move.offender])
        case moves.LayHub():
            return say_typed("hub {tile}", tile=tile_text(move.tile))
        case moves.Declare():
            return say_typed("declare {tile}", tile=tile_text(move.tile))
        case moves.Show():
            return say_typed("reveal {tile}", tile=tile_text(move.tile))
        case moves.Discard():
            tile = scene.hand and dict(scene.hand.tiles).get(move.position)
            text = "discard {tile}" if tile else "discard"
            return say_typed(text, tile=tile_text(tile) if tile else "")
        case moves.PullBack():
            number = scene.table.hands[move.other].index(move.position) + 1
            return say_typed("pull {number}", number=number)
        case _:
            return say_typed(move.word)


def turn_sentence(scene: Scene) -> str:
    """Return a sentence on whose turn it is; in the player's own turn it lists all plays."""
    if scene.table.phase in ENDED:
        return say("The round is over.")
    if not scene.can_move:
        own = scene.table.to_move == scene.seat
        text = "It is your turn in a moment." if own else "It is {name}'s turn."
        return say(text, name=scene.names[scene.table.to_move])
    listed = choices(scene)
    if not listed and asked_draw(scene) is not None:
        return say("It is your turn. Nothing you hold fits: Enter draws a tile.")
    if not listed:
        return say("It is your turn. {nothing}", nothing=nothing_sentence(scene))
    plays = ", ".join(move_text(scene, move) for move in listed)
    return say("It is your turn. You can play: {plays}.", plays=plays)


def nothing_sentence(scene: Scene) -> str:
    """Return a sentence saying that no tile in hand can be played, and what to do instead."""
    if any(isinstance(move, moves.DrawTile) for move in legal(scene)):
        return say("Nothing you hold fits: draw a tile.")
    return say("Nothing you hold fits: pass.")


def forced_text(move: moves.Move) -> str:
    """Return a sentence on the only legal move, which the program makes for the player.

    Return "" for a move that another sentence mentions.
    """
    told = moves.DrawTile | moves.Pass | moves.NoDouble | moves.Silent | moves.TurnUp
    if isinstance(move, told):
        return ""
    if isinstance(move, moves.LayHub | moves.Declare):
        return say("You hold the engine {tile}: it is played for you.", tile=tile_text(move.tile))
    if isinstance(move, moves.Show):
        return say("You hold {tile}: it is shown for you.", tile=tile_text(move.tile))
    return say("Your turn: you had only one thing to do, and it is done.")


_STEPS: Final = {
    SeekStep.ALL_DRAW: "Nobody has the double asked for: everybody draws.",
    SeekStep.TURN_DRAW: "Nobody has the double asked for: you draw.",
    SeekStep.DRAWN: "Play the double asked for if you have drawn it (hub), else say none.",
    SeekStep.CLAIM: "Nobody declared: say none if you hold no unused double, else silent.",
    SeekStep.LOOK: "Look at the next tile of the boneyard (look).",
    SeekStep.LOOKED: "Declare the double you have found, or keep silent.",
    SeekStep.FORCED: "Play the highest unused double if you hold it (hub), else say none.",
    SeekStep.TURN: "Turn up the next tile of the boneyard (look).",
    SeekStep.FOUND: "You have turned up a double: play it in the hub (hub).",
    SeekStep.DISCARD: "Put a tile of your hand back into the boneyard (discard TILE).",
    SeekStep.PULL: "Pull a tile, unseen, out of the hand that played the engine (pull NUMBER).",
}

_STAGES: Final = {
    "extra": "Your double gives you one more tile.",
    "may": "You may play a tile on your double; type done if you do not.",
    "held": "Your second double needs its cover from the tiles you held.",
    "chain": "Your train goes on: play the next tile, or type done.",
    "drive": "Your drive goes on along the public trains; type done to stop.",
}


def duty_sentences(scene: Scene) -> tuple[str, ...]:
    """Return sentences on what this seat has to do or may call; empty for an ordinary turn."""
    return (*_turn_sentences(scene), *call_sentences(scene))


def _asked_text(table: Table, search: EngineSearch) -> str:
    """Return a sentence on what the search asks of a player who may have the engine."""
    engine, asked = table.rules.engine, search.asked
    if search.step is SeekStep.IN_TURN:
        text = "Play your highest double in the hub (hub), or say you have none (none)."
        if engine is Engine.LAST_WINNER:
            text = "Play a double of your choice in the hub (hub), or say you have none (none)."
        return say(text)
    text = "Play {tile} in the hub (hub), or say none."
    if engine is Engine.DECLARED:
        text = "Declare {tile}, or keep silent."
    return say(text, tile=tile_text(asked[0]) if asked else say("a double"))


def _turn_sentences(scene: Scene) -> list[str]:
    table, stage = scene.table, scene.table.turn.stage.value
    match table.now:
        case HighDraw():
            return [say("Turn up a tile: the highest begins (look).")]
        case EngineSearch(SeekStep.HEAVIEST, asked):
            text = "Show {tile} (reveal), or say none: the heaviest tile in any hand begins."
            return [say(text, tile=tile_text(asked[0]))]
        case EngineSearch(SeekStep.ASK | SeekStep.IN_TURN) as search:
            return [_asked_text(table, search)]
        case EngineSearch(step) | Returning(step):
            return [say(_STEPS[step])]
        case OpeningAll():
            text = (
                "Everybody plays a whole train at once: tile by tile and then done, or in one line "
                "such as 9-7 7-5."
            )
            return [say(text)]
        case InPlay() if scene.can_move and chain_ends_double(table):
            return [say("Your train goes on: it may not end on this double.")]
        case InPlay() if scene.can_move and stage in _STAGES:
            return [say(_STAGES[stage])]
        case InPlay() if table.owed:
            due = table.owed[0]
            tile, where = tile_text(due.tile), on_train(scene, due.train)
            text = "You must cover {tile} {where} first."
            if asked_draw(scene):
                text = "Nothing you hold covers {tile} {where}: Enter draws a tile."
            return [say(text, tile=tile, where=where)]
        case InPlay() if asked_draw(scene):
            return [say("Nothing you hold fits: Enter draws a tile.")]
        case _:
            return []


def call_sentences(scene: Scene) -> tuple[str, ...]:
    """Return sentences on a last tile to announce now, and on who may be caught for silence."""
    caught = (call.offender for call in calls(scene) if isinstance(call, moves.Catch))
    names = [scene.names[seat] for seat in caught]
    text = "{name} has one tile left and has not tapped yet: type catch {name}."
    catches = (say(text, name=name) for name in names)
    may_tap = any(isinstance(move, moves.Tap) for move in possible(scene))
    return (*(_tap_sentences(scene) if may_tap else ()), *catches)


def _tap_sentences(scene: Scene) -> list[str]:
    """Return a reminder to tap, or an empty list if this is not the moment.

    If a tap comes before the play, a tile must be playable; otherwise one tile must be left.
    """
    if scene.table.rules.last_tile is LastTile.BEFORE_PLAY:
        plays = any(isinstance(move, moves.LayTile | moves.LayChain) for move in legal(scene))
        return [say("This play may leave you one tile: type tap first.")] if plays else []
    one_left = scene.hand is not None and len(scene.hand.tiles) == 1
    return [say("One tile left: type tap.")] if one_left else []


class HeldDraws:
    """Holds back the news of a draw until its result is known, so that one line has both."""

    own_pass: tuple[str, Refusal] | None = None
    """The sentence on the last pass made for this player, and the rule behind it."""

    def __init__(self) -> None:
        self._seat: Seat | None = None
        self._held: list[Position] = []

    def told(self, scene: Scene | None, notice: notices.Notice, sentence: str) -> str:
        """Return the text to show for a notice now; call this for every notice in order.

        A draw that is held back adds nothing to the text. It is told later, before the next move
        that has a sentence, or in the same sentence.
        """
        if scene is not None and isinstance(notice, notices.SeatsLeft):
            self._forget_undone(scene)
        if scene is None or not isinstance(notice, notices.Played | notices.RoundOver):
            return sentence
        seat = notice.seat if isinstance(notice, notices.Played) else None
        before = ""
        if seat != self._seat:
            before = self.flushed(scene)
        if seat is not None and scene.table.hub is not None:
            match notice.events:
                case (TileDrawn(position=position),):
                    self._seat = seat
                    self._held.append(position)
                    return before
                case (Passed(), *rest):
                    sentence = f"{self._passed(scene, seat)} {events_text(scene, rest)}".rstrip()
                case (TileLaid(), *_) if self._held:
                    sentence = events_text(scene, notice.events, self._taken(scene))
                case _:
                    before = before or self.flushed(scene)
        return " ".join(filter(None, (before, sentence)))

    def _forget_undone(self, scene: Scene) -> None:
        """Forget held draws whose tiles are no longer in the hand, because nobody could open them.

        The seat draws again. [rebuilding.md §1]
        """
        hand = () if self._seat is None else scene.table.hands[self._seat]
        self._held = [position for position in self._held if position in hand]
        self._seat = self._seat if self._held else None

    def flushed(self, scene: Scene) -> str:
        """Return a sentence on the draws held back, and forget them; empty if there are none."""
        if self._seat is None:
            return ""
        own, name = self._seat == scene.seat, scene.names[self._seat]
        text = "Nothing you held fits: you drew {tiles}." if own else "{name} drew {tiles}."
        if own and scene.asks_draw:  # the question has said that nothing fits
            text = "You drew {tiles}, and now you can play."
            if asked_draw(scene):
                text = "You drew {tiles}, which does not fit."
        return say(text, name=name, tiles=self._taken(scene))

    def _passed(self, scene: Scene, seat: Seat) -> str:
        tiles = self._taken(scene) if self._held else ""
        text = "{name} drew {tiles} and passed." if tiles else "{name} passed."
        if seat == scene.seat:
            return self._own_pass(scene, tiles)
        return say(text, name=scene.names[seat], tiles=tiles)

    def _own_pass(self, scene: Scene, tiles: str) -> str:
        owed, reason = scene.table.owed, RefusalReason.END_MISMATCH
        text = "Nothing you hold fits: you passed."
        if tiles:
            text = "Nothing you hold fits: you drew {tiles} and passed."
        if owed:
            reason = why_owed(scene.table, owed[0].on)
            text = "Nothing you hold covers {double}: you passed."
        if owed and tiles:
            text = "Nothing you hold covers {double}: you drew {tiles} and passed."
        said = say(text, tiles=tiles, double=tile_text(owed[0].tile) if owed else "")
        self.own_pass = said, Refusal(reason)
        return said

    def _taken(self, scene: Scene) -> str:
        """Forget the draws held back; return their tiles if they can be seen, else their number."""
        found, seat = self._held, self._seat
        self._held, self._seat = [], None
        own = {} if scene.hand is None else dict(scene.hand.tiles)
        seen = [tile_text(own[position]) for position in found if position in own]
        if seen and seat == scene.seat:
            return joined(seen)
        return say_count("a tile", "{count} tiles", len(found))


def thinking_text(seconds: int) -> str:
    """Return a brief text on how long a turn has taken: `thinking for 1:05`."""
    return say("thinking for {minutes}:{rest:02}", minutes=seconds // 60, rest=seconds % 60)


def thinking_sentence(seconds: int) -> str:
    """Return a sentence telling a player how long their turn has taken."""
    return say("You have been thinking for {seconds} seconds. Nobody hurries you.", seconds=seconds)
