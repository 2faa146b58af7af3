"""Quick heuristic play on a world: what rollouts are made of.

Each seat plans a train once, and again when the plan no longer holds. It takes its own marker down,
lays what the plan does not need before what it does, heaviest first, and leaves no double open that
it cannot cover if it has anything else to lay.
"""

from typing import Final

from engine.bots.numbered import NO_JOIN, Numbered
from engine.bots.world import CHAIN, MAY, START, FastWorld

NO_PLAN: Final = -1
"""Where a plan begins that has to be made anew."""

NOTHING: Final = (-1, -1)
"""No tile, on no train."""


def planned(numbers: Numbered, hand: int, end: int) -> list[int]:
    """A long train of this hand from this end, by number, next tile last.

    Each double goes where it first can; of other tiles that one whose far end has most to follow.
    """
    fits, train, number = numbers.fits, [], NO_JOIN
    while rest := hand & fits[end]:
        double = rest & numbers.double[end]
        if double:
            number = double.bit_length() - 1
        elif rest & (rest - 1):
            far, most = numbers.far[end], -1
            while rest:
                tile = rest.bit_length() - 1
                rest ^= 1 << tile
                follow = (hand & fits[far[tile]]).bit_count()
                if follow > most:
                    number, most = tile, follow
        else:
            number = rest.bit_length() - 1
        train.append(number)
        hand ^= 1 << number
        end = numbers.far[end][number]
    train.reverse()
    return train


def plan_anew(world: FastWorld, seat: int) -> list[int]:
    """Plan the train of a seat from where it now ends."""
    end = world.ends[seat]
    plan = world.plans[seat] = planned(world.rules.set, world.hands[seat], end)
    bits = 0
    for number in plan:
        bits |= 1 << number
    world.plan_bits[seat] = bits
    world.plan_from[seat] = end
    return plan


def play(world: FastWorld) -> None:
    """Play to the end of the round."""
    while world.outcome is None:
        step(world)


def step(world: FastWorld) -> None:
    """The policy's move of the seat in turn, carried out."""
    number, at = chosen(world)
    if number >= 0:
        lay(world, number, at)
    else:
        without_lay(world)


def without_lay(world: FastWorld) -> None:
    """What the seat in turn does that lays nothing: it is done, or draws, or passes."""
    if world.stage in (CHAIN, MAY):
        world.done()
    elif world.draw_due:
        world.draw()
        world.plan_from[world.seat] = NO_PLAN
    else:
        world.skip()


def lay(world: FastWorld, number: int, at: int, end: int = NO_JOIN) -> None:
    """Lay a tile for the seat in turn, and keep its plan up to date; `end` is open then."""
    seat, before = world.seat, world.ends[at]
    if end < 0:
        end = world.rules.set.far[before][number]
    plan = world.plans[seat]
    if at == seat:
        if plan and plan[-1] == number and world.plan_from[seat] == before:
            plan.pop()
            world.plan_bits[seat] ^= 1 << number
            world.plan_from[seat] = end
        else:
            world.plan_from[seat] = NO_PLAN
    elif world.plan_bits[seat] >> number & 1:
        world.plan_from[seat] = NO_PLAN
    world.lay(number, at, end)


def chosen(world: FastWorld) -> tuple[int, int]:  # noqa: C901 - inlined, as it is most of a rollout
    """The policy's tile and train for the seat in turn; the tile is -1 where it lays none."""
    seat, ends, fits = world.seat, world.ends, world.rules.set.fits
    hand, own = world.hands[seat], ends[seat]
    if world.plan_from[seat] != own:
        plan_anew(world, seat)
    plan, stage = world.plans[seat], world.stage
    if stage == START and not world.owed and world.turns >= world.seats:
        public = world.public
        wanted = 0
        if world.rules.mexican_own_started:
            others = [at for at in world.places()[0] if at != seat]
        else:
            others = [at for at, is_open in enumerate(public) if is_open and at != seat]
        for at in others:
            wanted |= fits[ends[at]]
        if plan and public[seat] and _is_sound(world, plan, hand):
            return plan[-1], seat
        wanted &= hand
        spare = wanted & ~world.plan_bits[seat]
        doubles = world.rules.set.doubles
        best = spare & ~doubles
        if not best and spare:
            best = _coverable(world, spare, hand)
        if not best:
            if plan and (_is_sound(world, plan, hand) or not wanted):
                return plan[-1], seat
            best = wanted & ~doubles or wanted
            if not best:
                return (plan[-1], seat) if plan else NOTHING
        number = best.bit_length() - 1
        bit = 1 << number
        for at in others:
            if fits[ends[at]] & bit:
                return number, at
    return _chosen_elsewhere(world, plan, hand)


def _is_sound(world: FastWorld, plan: list[int], hand: int) -> bool:
    """Whether the next tile of the plan leaves no double open that the hand cannot cover."""
    bit = 1 << plan[-1]
    return not world.rules.set.doubles & bit or len(plan) > 1 or hand == bit


def _coverable(world: FastWorld, doubles: int, hand: int) -> int:
    """Of these doubles of the hand, those that its other tiles cover or nothing has to."""
    numbers, found, unseen = world.rules.set, 0, world.unseen
    while doubles:
        bit = 1 << (doubles.bit_length() - 1)
        doubles ^= bit
        fits = numbers.fits[numbers.tiles[bit.bit_length() - 1].high] & ~bit
        if hand & fits or not unseen & fits or hand == bit:
            found |= bit
    return found


def _chosen_elsewhere(world: FastWorld, plan: list[int], hand: int) -> tuple[int, int]:
    """The choice in a first turn, and where a double matters."""
    plain, doubles = world.places()
    fitting = world.fitting()
    if not fitting:
        return NOTHING
    seat = world.seat
    own = seat in plain or seat in doubles
    if plan and own and fitting >> plan[-1] & 1:
        is_double = world.rules.set.doubles >> plan[-1] & 1
        if seat in (doubles if is_double else plain):
            return plan[-1], seat
    if world.stage == CHAIN:
        return NOTHING
    of_plan = world.plan_bits[seat]
    singles = fitting & ~world.rules.set.doubles
    best = singles & ~of_plan or _coverable(world, fitting & ~singles, hand) or singles or fitting
    number = best.bit_length() - 1
    places = doubles if world.rules.set.doubles >> number & 1 else plain
    fits, ends = world.rules.set.fits, world.ends
    return number, next(at for at in places if fits[ends[at]] >> number & 1)
