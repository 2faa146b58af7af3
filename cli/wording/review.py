"""A review of a round in sentences: a summary, and each moment worth remembering."""

from collections.abc import Iterator, Mapping
from typing import Final

from cli.language import joined, say, say_count
from cli.scene import Scene
from cli.wording.hints import REASONS_MAX, move_phrase, points_text, reason_text
from engine.bots.advice import ReasonKind, reasons_for, reasons_over
from engine.bots.margin import Gain
from engine.bots.review import MoveReview, RoundReview

_GAINS: Final[Mapping[Gain, str]] = {
    Gain.GOES_OUT: "lets you go out first more often",
    Gain.HOLDS_LESS: "leaves you with less at the end",
    Gain.OTHERS_HOLD_MORE: "leaves the others with more at the end",
}
_GAINS_TOLD: Final[Mapping[Gain, str]] = {
    Gain.GOES_OUT: "lets them go out first more often",
    Gain.HOLDS_LESS: "leaves them with less at the end",
    Gain.OTHERS_HOLD_MORE: "leaves the others with more at the end",
}


def scene_then(review: MoveReview, names: tuple[str, ...], *, own: bool = True) -> Scene:
    """Return the scene in which the move was made, as its player saw it.

    If the move is not the reader's `own`, the scene has no seat, so that nobody is called `you`.
    """
    view = review.own.view
    return Scene(view.table, view.hand, names, view.seat if own else None, can_move=True)


def moment_sentence(review: MoveReview, names: tuple[str, ...], *, own: bool) -> str:
    """Return a sentence on the best move: whether it was found, how much better it is, and why."""
    scene, margin = scene_then(review, names, own=own), review.margin
    best, rival = move_phrase(scene, review.best), move_phrase(scene, margin.rival)
    if review.is_best:
        text = "Turn {turn}: well found, {best} is {points} better than {rival}: it {reasons}."
    elif own:
        text = "Turn {turn}: {best} is {points} better than your {rival}: it {reasons}."
    else:
        text = "Turn {turn}: {best} is {points} better than their {rival}: it {reasons}."
    points, reasons = points_text(margin.points), _reasons(scene, review)
    return say(text, turn=review.own.turn, best=best, points=points, rival=rival, reasons=reasons)


def _reasons(scene: Scene, review: MoveReview) -> str:
    """Return the reasons for the best move over its rival; without any, how it gains its points."""
    view, rival = review.own.view, review.margin.rival
    mine, others = reasons_over(view, review.best, rival), reasons_for(view, rival)
    against, told = ReasonKind.OPENS_DOUBLE, scene.seat is None
    kept = [each for each in mine if each.kind is not against]
    said = [reason_text(scene, each) for each in kept[:REASONS_MAX]]
    if any(each.kind is against for each in others) and kept == [*mine]:
        text = "leaves no double open that you cannot cover"
        said.append(say("leaves no double open that they cannot cover" if told else text))
    gains = _GAINS_TOLD if told else _GAINS
    return joined(said) or say(gains[review.margin.gain])


def points_sentence() -> str:
    """Return a sentence explaining the points of a review."""
    text = (
        "Points are what the best play gains on the other players by the end of the round, on "
        "average over deals that fit what was known then."
    )
    return say(text)


def review_sentences(review: RoundReview, names: tuple[str, ...], *, own: bool) -> Iterator[str]:
    """Yield sentences on a round: the summary, the moves that cannot be judged, and the moments.

    The sentences say `you` if the moves are the reader's `own`, else `they`.
    """
    count = len(review.choices)
    best = sum(not each.cost for each in review.choices)
    choices = say_count("1 choice", "{count} choices", count)
    text = "Best, or about as good (~0): {best} of {choices}."
    if review.cost:
        text = (
            "Best, or about as good (~0): {best} of {choices}; the others cost {points} in all, as "
            "far as luck does not explain it."
        )
    elif not count:
        text = "There was no move in it with a real choice."
    yield say(text, best=best, choices=choices, points=points_text(review.cost))
    if review.unknown:
        yield say_count(
            "1 move cannot be judged: the record never shows the hand held then.",
            "{count} moves cannot be judged: the record never shows the hands held then.",
            review.unknown,
        )
    for each in review.moments:
        yield moment_sentence(each, names, own=own)
