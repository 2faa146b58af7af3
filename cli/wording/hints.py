"""Advice on a move and the reason for it, in a sentence each."""

from collections.abc import Mapping
from typing import Final

from cli.language import joined, say, say_count
from cli.scene import Scene, chosen_among_ends, own_train, tile_text, tiles_text
from cli.wording.events import on_train
from cli.wording.moves import move_text, played_text
from engine.bots.advice import Advice, MoveReason, PlannedTrain, ReasonKind, reasons_for
from engine.bots.margin import Gain, Margin
from engine.longest_train import joints
from engine.table.moves import DrawTile, LayChain, LayTile, Move, Pass
from engine.view import SeatView

_TRY: Final = "Try {move}."
REASONS_MAX: Final = 3
"""The most reasons in one sentence: nobody reads more."""


def hint_sentence(scene: Scene, advice: Advice) -> str:
    """Return the advised move and its reasons, and a warning if the search was cut short."""
    hint = _advice_sentence(scene, advice)
    if not advice.is_cut_short:
        return hint
    return f"{hint} {say('This hint was cut short, before enough was tried out.')}"


def lesson_hint(scene: Scene, wanted: Move) -> str:
    """Return the play that a lesson wants, as a hint with its reasons."""
    reasons = reasons_for(SeatView(scene.table, scene.seat, scene.hand), wanted)
    hint = _advice_sentence(scene, Advice(wanted, reasons))
    return f"{hint} {say('The lesson asks for that play.')}"


def _advice_sentence(scene: Scene, advice: Advice) -> str:
    """Return the advised move, its reasons and its drawback, and how it did when tried out."""
    move = advice.move
    if not isinstance(move, LayTile):
        text = "Try {move}: nothing you hold fits." if isinstance(move, DrawTile | Pass) else _TRY
        return say(text, move=move_text(scene, move))
    speaking = [each for each in advice.reasons if each.kind is not ReasonKind.OPENS_DOUBLE]
    reasons = [reason_text(scene, reason) for reason in speaking[:REASONS_MAX]]
    text = "Try {move}: it {reasons}." if reasons else _TRY
    if len(speaking) < len(advice.reasons):
        text = "Try {move}, but you cannot cover it."
        if reasons:
            text = "Try {move}: it {reasons}, but you cannot cover it."
    hint = say(text, move=move_phrase(scene, move), reasons=joined(reasons))
    goes_out = any(each.kind is ReasonKind.GOES_OUT for each in speaking)
    if advice.margin is None or goes_out:
        return hint
    return f"{hint} {_tried_out(scene, advice.margin)}"


_GAINS: Final[Mapping[Gain, str]] = {
    Gain.GOES_OUT: "Tried out, it is {points} better than {move}: you go out first more often.",
    Gain.HOLDS_LESS: "Tried out, it is {points} better than {move}: you are left with less.",
    Gain.OTHERS_HOLD_MORE: "Tried out, it is {points} better than {move}: others are left with "
    "more.",
}


def _tried_out(scene: Scene, margin: Margin) -> str:
    """Return a sentence comparing how the move and its nearest rival did in trials."""
    text = _GAINS[margin.gain] if margin.is_clear else "Tried out, {move} is about as good."
    points = points_text(margin.points)
    return say(text, points=points, move=move_phrase(scene, margin.rival))


def move_phrase(scene: Scene, move: Move) -> str:
    """Return a move as a phrase that fits into a sentence: what is played, and where."""
    if not isinstance(move, LayTile | LayChain):
        return move_text(scene, move)
    if isinstance(move, LayTile) and chosen_among_ends(scene.table, move) is not None:
        return move_text(scene, move)  # only the double's name, in this text, tells the ends apart
    return f"{played_text(move)} {on_train(scene, move.train)}"


def points_text(points: float) -> str:
    """Return a text on a rough number of points: `a point` below 1.5, else `about 3 points`."""
    return say("about {points:.0f} points" if points >= 1.5 else "a point", points=points)


_REASONS: Final[Mapping[ReasonKind, str]] = {
    ReasonKind.ONLY_ONE: "is the only tile you can play",
    ReasonKind.GOES_OUT: "is your last tile",
    ReasonKind.COVERS: "covers {tile} {where}",
    ReasonKind.TAKES_MARKER_DOWN: "takes your marker down",
    ReasonKind.KEEPS_COVER: "leaves you {tiles} to cover it with",
    ReasonKind.EXTENDS: "begins a run of {tiles} on your train",
    ReasonKind.KEEPS_TRAIN: "keeps {tiles} for your train",
    ReasonKind.ENDS_DEAD: "leaves an end of {pip} that nobody can play on",
}
_TO_OTHERS: Final[Mapping[ReasonKind, str]] = {
    ReasonKind.ONLY_ONE: "is the only tile they can play",
    ReasonKind.GOES_OUT: "is their last tile",
    ReasonKind.TAKES_MARKER_DOWN: "takes their marker down",
    ReasonKind.KEEPS_COVER: "leaves them {tiles} to cover it with",
    ReasonKind.EXTENDS: "begins a run of {tiles} on their train",
    ReasonKind.KEEPS_TRAIN: "keeps {tiles} for their train",
}
"""The texts of `_REASONS` that differ for somebody else's move."""


def reason_text(scene: Scene, reason: MoveReason) -> str:
    """Return a reason for a move, to follow the word `it`.

    For a watcher it says `they` and not `you`. Raises `KeyError` for `OPENS_DOUBLE`, which is a
    reason against a move.
    """
    kind, count = reason.kind, reason.count
    if kind is ReasonKind.SHEDS:
        return say_count("sheds {count} pip", "sheds {count} pips", count)
    text = _REASONS[kind]
    if scene.seat is None:
        text = _TO_OTHERS.get(kind, text)
    tile = "" if reason.tile is None else tile_text(reason.tile)
    where = "" if reason.train is None else on_train(scene, reason.train)
    return say(text, tile=tile, where=where, tiles=tiles_text(count), pip=count)


def plan_sentence(scene: Scene, plan: PlannedTrain) -> str:
    """Return the longest train in hand as it could be typed, and what it leaves.

    If no tile fits, the sentence says so and lists the hand.
    """
    hand = () if scene.hand is None else tuple(tile for _, tile in scene.hand.tiles)
    left = [tile for tile in hand if tile not in plan.tiles]
    facts = {"rest": " ".join(map(tile_text, left)), "pips": sum(tile.pips for tile in left)}
    if not plan.tiles:
        text = "Nothing you hold fits your train: it takes {pip}. You hold {rest} ({pips} pips)."
        if own_train(scene) is None:
            text = "Nothing you hold fits the arms. You hold {rest} ({pips} pips)."
        return say(text, pip=plan.pip, **facts)
    said = [tile_text(tile, half) for tile, half in joints(plan.pip, plan.tiles)]
    text = "Your longest train has {tiles}: {train}. It takes your whole hand."
    if left:
        text = "Your longest train has {tiles}: {train}. It leaves {rest} ({pips} pips)."
    return say(text, tiles=tiles_text(len(said)), train=" ".join(said), **facts)
