"""Two partners cheat: one sees tiles before all have given their shares; the other then leaves.

The looker withholds its shares until all others have given theirs, shows them to its partner alone,
and says farewell if the partner gets a bad hand or tile: the deal or draw is then void. Nobody can
prove it, because a seat that loses a link at that moment does the same. The looker comes back at
the next round. But the look must have a price: in the round that the looker left, it gets the
points of the heaviest tiles, as many as it held.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

from engine.table.table import RoundPhase, Table
from engine.table.trains import Position
from engine.tiles import Tile, full_set, tiles_in
from lab.simulation.cheats.bent import Bent
from lab.simulation.cheats.cheat import Aftermath, At, Cheat, How, cheat, due_body, signed_truly
from lab.simulation.computers.clock import Script
from lab.simulation.computers.process import Process
from lab.simulation.computers.records import judged
from lab.simulation.computers.small_tables import small
from lab.simulation.computers.world import World
from lab.simulation.mishaps.faults import quiet_world
from netgame.crypto.audit import open_points
from netgame.protocol.log.entry import read_entry
from netgame.protocol.peer.effects import Effect
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.peer.secrets.keyring import PendingPayload
from netgame.protocol.state.deal import tiles_by_point
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.session import complete_step, due
from netgame.protocol.state.state import State
from netgame.wire.messages import Payload, Settings, Shares

_LOOKER: Final = 1
_PARTNER: Final = 2
_LIMIT_S: Final = 600.0
_GOING_S: Final = 0.01
"""The delay between farewell and the end of the program: a round takes a fraction of a second here.
"""
_PAUSE_S: Final = 0.001
"""The pause between two checks whether it is time: less than a frame takes."""


class SecondLook(NamedTuple):
    """A kind of second look: its phase, its table, and what is bad for the partner."""

    phase: Phase
    played: RoundPhase
    settings: Settings
    is_bad: Callable[[State, Process], bool]
    """Judges the partner's tiles in the state with all shares."""


@dataclass(slots=True)
class LookingPlan:
    """The plan that the two partners share; it is kept when their processes restart."""

    kind: SecondLook
    kept: Shares | None = None
    """The shares that the looker withholds while it waits for all others'."""
    price: int = 0
    """The points that the looker must pay."""
    left_at: int = -1
    """The step in which the looker has left; below 0 before."""
    round_number: int = 0
    waits: set[int] = field(default_factory=set)
    """The numbers of the processes that write nothing while a round is dealt."""
    is_through: bool = False
    """True once the partners have done everything they agreed on."""


class _Confederate(Bent):
    """One of the two partners: its `number` is `_LOOKER` or `_PARTNER`."""

    def __init__(self, plan: LookingPlan, number: int, *arguments: Any) -> None:  # noqa: ANN401 - of a core
        self.plan = plan
        self.number = number
        super().__init__(*arguments)

    def write(self, payload: Payload | PendingPayload) -> None:
        """Write honestly, except in two cases.

        The looker withholds its shares while it may look, and a process in `waits` writes nothing
        in a deal.
        """
        plan, state = self.plan, self.state
        if self.number in plan.waits and state.phase is Phase.DEAL:
            return
        may_look = self.number == _LOOKER and plan.left_at < 0
        place = state.phase, None if state.table is None else state.table.phase
        if may_look and place == plan.kind[:2] and isinstance(payload, Shares):
            plan.kept = payload
            self.parts.entry_signer.begun = state.log_id, state.step
            return
        super().write(payload)

    def give(self, shares: Shares) -> tuple[Effect, ...]:
        """Give the withheld shares after all."""
        super().write(shares)
        return self.flush()


def _seen(state: State, process: Process, positions: tuple[Position, ...]) -> list[Tile]:
    """Return a hand's tiles at these positions, opened with the others' shares in `state`."""
    assert state.round is not None
    deck, core = state.round.deck, process.core
    x = core.author.round_secret(state, deck).x
    points = open_points([deck.residuals[at] for at in positions], (x,))
    named = tiles_by_point(state.round.table)
    return [named[point] for point in points if point is not None]


def _is_heavy(state: State, process: Process) -> bool:
    """Return True if the dealt hand is heavier than hands are on average."""
    table, seat = state.table, state.seat_of(process.key)
    assert table is not None
    assert seat is not None
    tiles = _seen(state, process, table.hands[seat])
    unseen = tiles_in(table.unseen)
    return sum(t.pips for t in tiles) * len(unseen) > sum(t.pips for t in unseen) * len(tiles)


def _does_not_fit(state: State, process: Process) -> bool:
    """Return True if the tile that this seat has just drawn fits no end."""
    table, seat = state.table, state.seat_of(process.key)
    assert table is not None
    assert seat is not None
    if table.to_move != seat:
        return False
    (tile,) = _seen(state, process, table.hands[seat][-1:])
    return not any(tile.has(end.pip) for train in table.trains for end in train.ends)


def _begins_not(state: State, process: Process) -> bool:
    """Return True if another seat has turned up the highest tile, so this one does not begin."""
    assert state.table is not None
    return state.table.game.lead != state.seat_of(process.key)


def _shown(looker: _Confederate) -> State | None:
    """Return the state with all shares, or None while any are missing."""
    plan, state, ledger = looker.plan, looker.state, looker.ledger
    seat = looker.context.seat
    if plan.kept is None or seat is None or set(due(state).authors) - {seat} - set(ledger.slots):
        return None
    own = read_entry(signed_truly(looker, due_body(ledger, seat, plan.kept)))
    entries = sorted((*ledger.slots.values(), own), key=lambda each: each.seat)
    return complete_step(state, tuple(entries))[0]


def _heaviest(table: Table, seat: int) -> int:
    """Return the price of leaving: the points of the heaviest unlaid tiles, as many as are held.

    While seats turn up tiles for the first turn, the count is that of the next deal.
    """
    in_hub = {table.hub, table.game.own if table.rules.engine.is_set_aside else None}
    laid = {each.tile for train in table.trains for each in train.lays}
    unseen = (tile.pips for tile in full_set(6) if tile not in in_hub | laid)
    count = len(table.hands[seat]) if any(table.hands) else table.spec.hand
    return sum(sorted(unseen, reverse=True)[:count])


# ---- games ------------------------------------------------------------------------------------


def _open(seed: int, kind: SecondLook) -> tuple[World, LookingPlan]:
    world = quiet_world(seed, kind.settings)
    plan = LookingPlan(kind)
    makers = {n: partial(_Confederate, plan, n) for n in (_LOOKER, _PARTNER)}
    world.open_table(makers)
    return world, plan


def _look_and_leave(world: World, plan: LookingPlan, *waits: int) -> Script:
    """Wait for all others' shares, look, and leave if the tiles are bad; else give the shares.

    Repeat that until the looker has left. Then the processes of `waits`, if any, hold up the next
    deal, and the looker comes back.
    """
    looker, partner = world.processes[_LOOKER], world.processes[_PARTNER]
    while plan.left_at < 0:
        yield _PAUSE_S
        core = looker.core
        assert isinstance(core, _Confederate)
        after, shares = _shown(core), plan.kept
        if after is None or shares is None:
            continue
        plan.kept = None
        if plan.kind.is_bad(after, partner):
            table, seat = core.state.table, core.context.seat
            assert table is not None
            assert seat is not None
            plan.price = _heaviest(table, seat)
            plan.round_number = table.round_number
            plan.left_at = core.state.step
            plan.waits = set(waits)
            plan.is_through = not waits
            yield from _leave(looker)
        else:
            looker.take(partial(core.give, shares))
    looker.come_back()


def _leave(process: Process) -> Script:
    """Say farewell, and end the program once that is sent."""
    process.act(leave_for_good)
    yield _GOING_S
    process.die(quits=True)


def look_again(seed: int, _: Cheat, kind: SecondLook) -> Aftermath | None:
    """Play a game with a second look. Return None if the looker had no reason to leave."""
    world, plan = _open(seed, kind)
    world.follow(_look_and_leave(world, plan))
    return _played(world, plan)


def _played(world: World, plan: LookingPlan) -> Aftermath | None:
    looker = world.processes[_LOOKER]
    honest = [each for each in world.processes if each.number not in (_LOOKER, _PARTNER)]
    world.run(lambda: all(each.is_finished for each in honest), _LIMIT_S)
    if not plan.is_through:
        return None
    trouble = tuple(wrong for each in honest for wrong in _unpaid(each, looker, plan))
    return Aftermath(looker.name, At("shares", plan.left_at), trouble)


def _unpaid(honest: Process, looker: Process, plan: LookingPlan) -> Iterator[str]:
    """Yield, in words, what is wrong at an honest seat after the game.

    Possible faults: the looker paid too little, the seat accuses somebody, or its record is bad or
    does not say that the looker left.
    """
    state, verdict = honest.state, judged(honest.records.left_behind())
    seat = state.seat_of(looker.key)
    assert state.table is not None
    assert seat is not None
    paid = state.table.past[plan.round_number][seat]
    if paid < plan.price:
        yield f"{looker.name} has paid {paid} of {plan.price} points"
    if honest.core.fault is not None:
        yield f"{honest.name} accuses somebody of what is no fault"
    if not (verdict.ok and verdict.finished):
        yield f"{honest.name} has no good record: {verdict.sentence}"
    went = [each for each in verdict.departures if each.step == plan.left_at]
    if [(each.key, each.phase, each.owing) for each in went] != [
        (looker.key, plan.kind.phase, True)
    ]:
        yield f"the record of {honest.name} does not say that {looker.name} went"


def wipe_off(seed: int, _: Cheat, kind: SecondLook) -> Aftermath | None:
    """Play a game in which the partners leave one after the other, and return its outcome.

    When the partner leaves, the looker can come back in the same round. In the round's next deal
    the looker leaves once more, when there is nothing to pay. Return None if the partners did not
    get that far.
    """
    world, plan = _open(seed, kind)
    world.follow(_leave_in_turn(world, plan))
    return _played(world, plan)


def _leave_in_turn(world: World, plan: LookingPlan) -> Script:
    """Look, leave, come back when the partner leaves in the deal, and leave in the next deal."""
    looker, partner = world.processes[_LOOKER], world.processes[_PARTNER]
    host = world.processes[0]
    yield from _look_and_leave(world, plan, _PARTNER)
    for one, other in ((partner, looker), (looker, partner)):
        while not (_is_dealt(host, one) and _is_dealt(one, one) and _asks(host, other)):
            yield _PAUSE_S
        plan.waits = {other.number}
        yield from _leave(one)
        one.come_back()
    plan.waits = set()
    plan.is_through = True


def _is_dealt(reader: Process, one: Process) -> bool:
    """Return True if a round is being dealt to this seat, in the log of the `reader`."""
    state = reader.state
    return state.phase is Phase.DEAL and state.seat_of(one.key) in state.present


def _asks(host: Process, other: Process) -> bool:
    """Return True if the host's program will give this process a seat with the next scores."""
    return other.name in host.core.parts.applicants.coming()


_DEALT: Final = SecondLook(
    Phase.SHARES, RoundPhase.PLAY, small(4, 4, "patience=vote", rounds=3), _is_heavy
)
_LED: Final = SecondLook(
    Phase.DRAWN,
    RoundPhase.HIGH_DRAW,
    small(4, 4, "first=high-draw", "patience=vote", rounds=3),
    _begins_not,
)
_DRAWN: Final = SecondLook(
    Phase.DRAWN,
    RoundPhase.PLAY,
    small(4, 4, "leaver=rebuild", "patience=vote", rounds=3),
    _does_not_fit,
)
_AGAINST_ONE: Final = SecondLook(
    Phase.SHARES, RoundPhase.PLAY, small(3, 4, "patience=vote", rounds=3), _is_heavy
)


def _looks(
    name: str, kind: SecondLook, play: Callable[..., Aftermath | None] = look_again, *, about: str
) -> Cheat:
    return cheat(name, how=How.LOOKS, play=partial(play, kind=kind), about=about)


SECOND_LOOKS: Final = (
    _looks(
        "a second look at the hands that are dealt",
        _DEALT,
        about=(
            "the partner's first hand; dealt again; the leaver has the points of the "
            "heaviest tiles, as many as it held"
        ),
    ),
    _looks(
        "a second look at who begins",
        _LED,
        about=(
            "the tiles turned up for the first turn; it pays as if it held the hand that was due"
        ),
    ),
    _looks(
        "a second look at a tile that is drawn",
        _DRAWN,
        about="drawn again from a rebuilt boneyard; the leaver pays as before",
    ),
    _looks(
        "a second look for which nothing is paid",
        _AGAINST_ONE,
        wipe_off,
        about=(
            "the two are alone with one other and leave in turn, so that the first is back "
            "in the same round and leaves in its deal, where there is nothing to pay; each "
            "price is added up"
        ),
    ),
)
"""In the order of the game; last, how to get rid of the price."""
