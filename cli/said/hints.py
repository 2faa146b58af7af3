"""What a player is advised to do, and why, in one sentence each."""

from typing import assert_never

from cli.said.events import on_train
from cli.said.moves import move_text
from cli.scene import Scene, tile_text
from engine.bots.advice import Advice, MoveReason, PlannedTrain, ReasonKind
from engine.longest_train import joints
from engine.table.moves import DrawTile, LayTile, Pass
from netgame.protocol.text import join_names

_REASONS_MAX = 3
"""Reasons of one sentence: more are not read."""


def hint_sentence(scene: Scene, advice: Advice) -> str:
    """Say the advised move, and what speaks for it; a drawback comes last."""
    move = advice.move
    if not isinstance(move, LayTile):
        fits = ": nothing you hold fits" if isinstance(move, DrawTile | Pass) else ""
        return f"Try {move_text(scene, move)}{fits}."
    said = f"Try {tile_text(move.tile, move.joined)} {on_train(scene, move.train)}"
    against = [each for each in advice.reasons if each.kind is ReasonKind.OPENS_DOUBLE]
    speaking = [each for each in advice.reasons if each not in against][:_REASONS_MAX]
    reasons = join_names([_reason(scene, reason) for reason in speaking])
    but = "".join(f", but {_reason(scene, reason)}" for reason in against)
    return f"{said}: it {reasons}{but}." if reasons else f"{said}{but}."


def _reason(scene: Scene, reason: MoveReason) -> str:  # noqa: C901 - one branch a reason
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
        return f"Nothing you hold fits your train: it needs a {plan.pip}. You hold {rest}."
    said = [tile_text(tile, joined) for tile, joined in joints(plan.pip, plan.tiles)]
    leaves = f"It leaves {rest}." if left else "It takes your whole hand."
    return f"Your longest train has {_tiles(len(said))}: {' '.join(said)}. {leaves}"
