"""One highlight for each player of a finished game, from facts that its record proves."""

from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from cli.results.stats import rules_of
from cli.results.summary import Summary


class Feat(Enum):
    """The kinds of highlight, the most telling first."""

    OUT = "out"
    BEST = "best"
    COVERED = "covered"
    DREW = "drew"
    MARKED = "marked"
    DOUBLES = "doubles"


class Highlight(Struct, frozen=True):
    """A feat of one seat, and how often the seat did it."""

    feat: Feat
    count: int
    """How often the seat did it; for a best round, its points."""
    round: int = 0
    """The number of the seat's best round, from 1; 0 for every other feat."""
    is_most: bool = False
    """True if the seat beats all others in this feat."""


def highlights(told: Summary) -> tuple[Highlight | None, ...]:
    """Return a highlight for each seat; None for a seat that left, or that has none of the feats.

    A seat gets the first feat in which it beats all others. Otherwise it gets the feat that the
    fewest seats have been given so far; among equals, the one in which the fewest did better. A
    seat's only round does not count as its best.
    """
    seats, sat = range(len(told.players)), len(told.longest[-1]) if told.longest else 0
    here = [at for at in seats[:sat] if told.places[at] is not None and told.rounds_of(at)]
    ranked = {feat: [_ranked(told, feat, seat) for seat in here] for feat in Feat}
    chosen: dict[int, Highlight] = {}
    for own in ranked.values():
        ranks = [rank for rank, _ in own]
        if ranks.count(max(ranks, default=0)) == 1 < len(here):
            at = ranks.index(max(ranks))
            if (found := own[at][1]) is not None:
                chosen.setdefault(here[at], replace(found, is_most=True))
    for at, seat in enumerate(here):
        taken = [each.feat for each in chosen.values()]
        usual = [
            (
                # best rounds are much alike, so one of them is enough
                taken.count(feat) * (1 + (feat is Feat.BEST)),
                sum(rank > own[at][0] for rank, _ in own),  # the seats that did better
                number,
                found,
            )
            for number, (feat, own) in enumerate(ranked.items())
            if (found := own[at][1]) is not None
        ]
        if usual:
            chosen.setdefault(seat, min(usual)[-1])
    return tuple(map(chosen.get, seats))


def _ranked(told: Summary, feat: Feat, seat: int) -> tuple[int, Highlight | None]:
    """Return a number by which to rank a seat, the higher the better, and the highlight itself.

    The highlight is None for a feat that the seat has not done, and for the best of a single round.
    """
    if feat is not Feat.BEST:
        count = getattr(told.deeds[seat], feat.value)
        return count, Highlight(feat, count) if count else None
    standing = rules_of(told).standing
    rounds = [(told.scores[number][seat], number + 1) for number in told.rounds_of(seat)]
    points, number = min(rounds, key=lambda each: standing(each[0]))
    return -standing(points), Highlight(feat, points, number) if len(rounds) > 1 else None


def longest_trains(told: Summary) -> tuple[int, tuple[int, ...]]:
    """Return the length of the game's longest own train in tiles, and the seats that built one.

    The seats are in order. Return 0 and no seats if nobody built a train of their own, as in rules
    where all play on the arms of the hub, or if no length is known.
    """
    tiles = max((length for row in told.longest for length in row), default=0)
    built = {at for row in told.longest for at, length in enumerate(row) if length == tiles > 0}
    return tiles, tuple(sorted(built))
