"""Answers to a program that asks for the odds, or for the review of a round."""

from typing import Any

from cli.scene import Scene, train_name
from cli.wording.moves import move_text
from cli.wording.review import review_sentences, scene_then
from engine.bots.odds import Likelihood, TableOdds
from engine.bots.review import MoveReview, RoundReview


def odds_facts(scene: Scene, odds: TableOdds) -> dict[str, Any]:
    """Return the odds as an object with `ends`, in the order of the trains, and `next_fits_you`.

    Each end has in `seats` the chance of every other seat, by name. Its `next` is the chance that
    the boneyard's next tile fits that end; `next_fits_you` is the chance that this tile fits where
    this player may play. A chance has `likely`, a probability, and `exact`, which is True if that
    probability is exact. A chance is None for a seat to which the train is closed, and for the next
    tile of an empty boneyard.
    """
    return {
        "ends": [
            {
                "train": end.train,
                "name": train_name(scene, end.train),
                "end": end.pip,
                "owed": end.is_owed,
                "seats": {scene.names[seat]: _chance(each) for seat, each in end.seats.items()},
                "next": _chance(end.next_tile),
            }
            for end in odds.ends
        ],
        "next_fits_you": _chance(odds.next_fits),
    }


def _chance(chance: Likelihood | None) -> dict[str, object] | None:
    return chance and {"likely": round(chance.likely, 4), "exact": chance.is_exact}


def review_facts(
    review: RoundReview, names: tuple[str, ...], *, own: bool = True
) -> dict[str, Any]:
    """Return every choice of a round, with the best move and the cost, and the review as text.

    The text addresses the player as `you` if `own` is True.
    """
    return {
        "round": review.number,
        "name": names[review.seat],
        "seat": review.seat,
        "choices": [_choice_facts(each, names) for each in review.choices],
        "cost": round(review.cost, 2),
        "unknown": review.unknown,
        "text": [*review_sentences(review, names, own=own)],
    }


def _choice_facts(review: MoveReview, names: tuple[str, ...]) -> dict[str, Any]:
    scene, margin = scene_then(review, names), review.margin
    return {
        "turn": review.own.turn,
        "played": move_text(scene, review.own.played),
        "best": move_text(scene, review.best),
        "rival": move_text(scene, margin.rival),
        "margin": round(margin.points, 2),
        "noise": round(margin.noise, 2),
        "cost": round(review.cost, 2),
    }
