"""What a review says of a round: each moment worth remembering, and what it all came to."""

from collections.abc import Iterator, Sequence
from typing import Final

from cli.said.hints import REASONS_MAX, move_phrase, points_text, reason_text
from cli.scene import Scene
from engine.bots.advice import MoveReason, ReasonKind, reasons_for
from engine.bots.review import MoveReview, RoundReview
from netgame.protocol.text import join_names

NOT_SCORED: Final = "No round is scored yet."

_COUNTED = (ReasonKind.SHEDS, ReasonKind.EXTENDS, ReasonKind.KEEPS_TRAIN)


def scored_text(rounds: int) -> str:
    """Say how many rounds are scored."""
    return "1 round is scored" if rounds == 1 else f"{rounds} rounds are scored"


def scene_then(review: MoveReview, names: tuple[str, ...]) -> Scene:
    """The scene in which the move was made, as the player saw it."""
    view = review.own.view
    return Scene(view.table, view.hand, names, view.seat, can_move=True)


def moment_sentence(review: MoveReview, names: tuple[str, ...]) -> str:
    """Say what was found or missed, by how much, and why."""
    scene, own, margin = scene_then(review, names), review.own, review.margin
    best, rival = move_phrase(scene, review.best), move_phrase(scene, margin.rival)
    points, reasons = points_text(margin.points), _reasons(scene, review)
    if review.is_best:
        return f"Turn {own.turn}: well found, {best} is {points} better than {rival}: it {reasons}."
    return f"Turn {own.turn}: {best} is {points} better than your {rival}: it {reasons}."


def _reasons(scene: Scene, review: MoveReview) -> str:
    """What speaks for the best move and not as much for the other; else in how many deals."""
    mine = reasons_for(review.own.view, review.best)
    others = reasons_for(review.own.view, review.margin.rival)
    against = ReasonKind.OPENS_DOUBLE
    kept = [each for each in mine if each.kind is not against and not _has(others, each)]
    said = [reason_text(scene, each) for each in kept[:REASONS_MAX]]
    if any(each.kind is against for each in others) and all(e.kind is not against for e in mine):
        said.append("leaves no double open that you cannot cover")
    ahead = f"does better in {review.margin.ahead:.0%} of the deals that fit what you knew"
    return join_names(said) or ahead


def _has(reasons: Sequence[MoveReason], wanted: MoveReason) -> bool:
    """Whether another move has the same to be said for it, or more."""
    if wanted.kind in _COUNTED:
        return any(each.kind is wanted.kind and each.count >= wanted.count for each in reasons)
    return wanted in reasons


def review_sentences(review: RoundReview, names: tuple[str, ...]) -> Iterator[str]:
    """Say how the round was played: the sum, the moments, and what could not be judged."""
    count = len(review.choices)
    best = sum(each.is_best for each in review.choices)
    if not count:
        yield "There was no move in it with a real choice."
    elif review.cost:
        yield (
            f"{best} of {_choices(count)} were the best found; the others cost "
            f"{points_text(review.cost)} in all, as far as luck does not explain it."
        )
    else:
        yield f"{best} of {_choices(count)} were the best found, and no other clearly cost a point."
    if review.unknown:
        moves = "1 move" if review.unknown == 1 else f"{review.unknown} moves"
        yield f"{moves} cannot be judged: the record never shows what was held then."
    for each in review.moments:
        yield moment_sentence(each, names)


def _choices(count: int) -> str:
    return "1 choice" if count == 1 else f"{count} choices"
