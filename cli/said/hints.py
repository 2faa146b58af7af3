"""What a player is advised to do, and why, in one sentence each."""

from typing import Final, assert_never

from cli.said.events import on_train
from cli.said.moves import move_text
from cli.scene import Scene, tile_text
from engine.bots.advice import Advice, MoveReason, PlannedTrain, ReasonKind
from engine.longest_train import joints
from engine.table.moves import DrawTile, LayChain, LayTile, Move, Pass
from netgame.protocol.text import join_names

REASONS_MAX: Final = 3
"""Reasons of one sentence: more are not read."""


def hint_sentence(scene: Scene, advice: Advice) -> str:
    """Say the advised move, and what speaks for it; a drawback comes last."""
    move = advice.move
    if not isinstance(move, LayTile):
        fits = ": nothing you hold fits" if isinstance(move, DrawTile | Pass) else ""
        return f"Try {move_text(scene, move)}{fits}."
    against = [each for each in advice.reasons if each.kind is ReasonKind.OPENS_DOUBLE]
    speaking = [each for each in advice.reasons if each not in against]
    reasons = [reason_text(scene, reason) for reason in speaking[:REASONS_MAX]]
    goes_out = any(each.kind is ReasonKind.GOES_OUT for each in speaking)
    if advice.margin is not None and advice.margin.is_clear and not goes_out:
        other = move_phrase(scene, advice.margin.rival)
        reasons.append(f"is {points_text(advice.margin.points)} better than {other}")
    but = "".join(f", but {reason_text(scene, reason)}" for reason in against)
    said = f"Try {move_phrase(scene, move)}"
    return f"{said}: it {join_names(reasons)}{but}." if reasons else f"{said}{but}."


def move_phrase(scene: Scene, move: Move) -> str:
    """Say a move within a sentence: what is played, and where."""
    match move:
        case LayTile():
            return f"{tile_text(move.tile, move.joined)} {on_train(scene, move.train)}"
        case LayChain():
            tiles = " ".join(tile_text(link.tile, link.joined) for link in move.lays)
            return f"{tiles} {on_train(scene, move.train)}"
        case _:
            return move_text(scene, move)


def points_text(points: float) -> str:
    """Say a difference that is known roughly."""
    return f"some {points:.0f} points" if points >= 1.5 else "a point"


def reason_text(scene: Scene, reason: MoveReason) -> str:  # noqa: C901 - one branch a reason
    """Say what speaks for a move, after the word `it`, or against it."""
    count, tile = reason.count, "" if reason.tile is None else tile_text(reason.tile)
    match reason.kind:
        case ReasonKind.ONLY_ONE:
            return "is the only tile you can play"
        case ReasonKind.GOES_OUT:
            return "is your last tile"
        case ReasonKind.COVERS:
            where = "" if reason.train is None else f" {on_train(scene, reason.train)}"
            return f"covers {tile}{where}"
        case ReasonKind.TAKES_MARKER_DOWN:
            return "takes your marker down"
        case ReasonKind.KEEPS_COVER:
            return f"leaves you {_tiles(count)} to cover it with"
        case ReasonKind.OPENS_DOUBLE:
            return "you cannot cover it"
        case ReasonKind.EXTENDS:
            return f"begins a run of {_tiles(count)} on your train"
        case ReasonKind.KEEPS_TRAIN:
            return f"keeps {_tiles(count)} for your train"
        case ReasonKind.ENDS_DEAD:
            return f"leaves an end of {count} that nobody can play on"
        case ReasonKind.SHEDS:
            return f"sheds {count} pip{'' if count == 1 else 's'}"
        case _:
            assert_never(reason.kind)


def _tiles(count: int) -> str:
    return "1 tile" if count == 1 else f"{count} tiles"


def plan_sentence(scene: Scene, plan: PlannedTrain) -> str:
    """Say the longest train in hand as it could be typed, and what it leaves."""
    hand = () if scene.hand is None else tuple(tile for _, tile in scene.hand.tiles)
    left = [tile for tile in hand if tile not in plan.tiles]
    rest = f"{' '.join(map(tile_text, left))} ({sum(tile.pips for tile in left)} pips)"
    if not plan.tiles:
        return f"Nothing you hold fits your train: it takes {plan.pip}. You hold {rest}."
    said = [tile_text(tile, joined) for tile, joined in joints(plan.pip, plan.tiles)]
    leaves = f"It leaves {rest}." if left else "It takes your whole hand."
    return f"Your longest train has {_tiles(len(said))}: {' '.join(said)}. {leaves}"
