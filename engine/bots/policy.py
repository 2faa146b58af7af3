"""Quick heuristic play on a world: what rollouts are made of.

Each seat plans its longest train, and plans again when that no longer holds. Where others' trains
are open it lays doubles that the plan does not need, takes its own marker down, and lays the
heaviest of the other tiles that the plan does not need; then it lays on its own train.
"""

from typing import Final

from engine.bots.numbered import NO_JOIN, Numbered
from engine.bots.world import CHAIN, MAY, START, FastWorld

NO_PLAN: Final = -1
"""Where a plan begins that has to be made anew."""

NODES: Final = 60
"""Tiles tried for a plan where several fit: of fifteen tiles it is then 0.02 short on average."""

NOTHING: Final = (-1, -1)
"""No tile, on no train."""


def planned(  # noqa: C901 - inlined, as it is half of a rollout
    numbers: Numbered, hand: int, end: int, nodes: int = NODES
) -> list[int]:
    """The longest train of this hand from this end, by number, next tile last.

    Each double goes where it first can. Of other tiles those are tried first whose far end has most
    to follow; after so many `nodes` the longest train so far is taken, which is nearly always it.
    """
    fits, fars, doubles = numbers.fits, numbers.far, numbers.double
    best: list[int] = []
    chain: list[int] = []
    left = nodes

    def extend(hand: int, end: int) -> None:
        nonlocal best, left
        mark = len(chain)
        while rest := hand & fits[end]:
            double = rest & doubles[end]
            if double:
                chain.append(double.bit_length() - 1)
                hand ^= double
            elif rest & (rest - 1):
                far, options = fars[end], []
                while rest:
                    number = rest.bit_length() - 1
                    rest ^= 1 << number
                    options.append(((hand & fits[far[number]]).bit_count(), number))
                options.sort(reverse=True)
                for _, number in options:
                    if left <= 0 or len(chain) + hand.bit_count() <= len(best):
                        break
                    left -= 1
                    chain.append(number)
                    extend(hand ^ 1 << number, far[number])
                    chain.pop()
                break
            else:
                number = rest.bit_length() - 1
                chain.append(number)
                hand ^= rest
                end = fars[end][number]
        if len(chain) >= len(best) and (len(chain) > len(best) or sum(chain) > sum(best)):
            best = chain[:]
        del chain[mark:]

    extend(hand, end)
    best.reverse()
    return best


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


def chosen(world: FastWorld) -> tuple[int, int]:  # noqa: C901 - inlined, as all rollouts pass here
    """The policy's tile and train for the seat in turn; the tile is -1 where it lays none."""
    seat, ends, fits = world.seat, world.ends, world.rules.set.fits
    hand, own = world.hands[seat], ends[seat]
    if world.plan_from[seat] != own:
        plan_anew(world, seat)
    plan = world.plans[seat]
    if world.stage != START or world.owed or world.turns < world.seats:
        return _chosen_elsewhere(world, plan)
    rules = world.rules
    shut = rules.mexican_own_started or rules.own_first
    others = world.places()[0] if shut else range(len(ends))
    public, wanted = world.public, 0
    for at in others:
        if public[at] and at != seat:
            wanted |= fits[ends[at]]
    wanted &= hand
    spare = wanted & ~world.plan_bits[seat]
    best = spare & world.rules.set.doubles
    if not best:
        if plan and public[seat]:
            return plan[-1], seat
        best = spare or (_spared(world, plan, wanted, hand) if plan and wanted else wanted)
        if not best:
            return (plan[-1], seat) if plan else NOTHING
    number = best.bit_length() - 1
    bit = 1 << number
    for at in reversed(others):
        if public[at] and at != seat and fits[ends[at]] & bit:
            break
    return number, at


def _spared(world: FastWorld, plan: list[int], wanted: int, hand: int) -> int:
    """The heaviest of these tiles of the plan, if another one that is as long does without it."""
    if hand.bit_count() == len(plan):
        return 0
    bit = 1 << wanted.bit_length() - 1
    other = planned(world.rules.set, hand ^ bit, world.ends[world.seat])
    return bit if len(other) >= len(plan) else 0


def _chosen_elsewhere(world: FastWorld, plan: list[int]) -> tuple[int, int]:
    """The choice in a first turn, and where a double matters."""
    plain, doubles = world.places()
    fitting, all_doubles = world.fitting(), world.rules.set.doubles
    if not fitting:
        return NOTHING
    seat = world.seat
    if (
        plan
        and fitting >> plan[-1] & 1
        and seat in (doubles if all_doubles >> plan[-1] & 1 else plain)
    ):
        return plan[-1], seat
    if world.stage == CHAIN:
        return NOTHING
    spare = fitting & ~world.plan_bits[seat]
    best = spare & all_doubles or spare or fitting
    number = best.bit_length() - 1
    places = doubles if all_doubles >> number & 1 else plain
    fits, ends = world.rules.set.fits, world.ends
    return number, next(at for at in reversed(places) if fits[ends[at]] >> number & 1)
