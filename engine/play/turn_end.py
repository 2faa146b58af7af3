"""The end of a turn: markers by choice, calls, and the end of the opening or the round.

`finish_turn` takes the table after the last lay, draw or pass of a turn, and gives the turn to the
next seat or ends the round. [docs/rules.md §2.1, §3.5, §6.4, §7]
"""

from msgspec.structs import replace

from engine.play.reach import own_trains
from engine.rules.switches import DutyOrder, RoundEnd
from engine.table import events as ev
from engine.table.table import Ending, Outcome, Owed, PlayOver, Table
from engine.table.trains import SEATS, Seat, Train, TrainId
from engine.table.turn import FRESH, InPlay, LastTurns


def finish_turn(
    table: Table, events: list[ev.Event], *, failed: bool = False, out: bool = False
) -> Table:
    """Return the table after this turn, and append the events to the list.

    Either it is the next seat's turn, or the round is over. `failed` is True if the seat could not
    lay the tile that was due; `out` is True if it has laid its last tile.
    """
    rules = table.spec.rules
    seat = table.to_move
    if table.owed:
        # a duty passes over a seat that starts its train only in this turn [§3.4]
        passed_over = table.turn.started and rules.own_train_first.passes_duty
        if failed or passed_over:
            first, *others = table.owed
            table = replace(table, owed=(replace(first, left=first.left | 1 << seat), *others))
    if rules.partners.is_yes or rules.last_tile.is_caught or rules.marker_voluntary.is_yes:
        table = _remember(table, events, failed=failed)
    if rules.opening.is_chain and table.turns < table.spec.seats:
        return _after_first_turn(table, events, failed=failed, out=out)
    if out and table.memory.bullet is None:
        return end_round(table, events, Ending.OUT, seat)
    return _pass_on(table, events, failed=failed)


def _after_first_turn(table: Table, events: list[ev.Event], *, failed: bool, out: bool) -> Table:
    """Pass on the turn in a chain opening; a seat that ran out waits until all have opened. [§3.5]

    After the last first turn, end the round if a seat ran out; else doubles at chain ends are owed.
    """
    memory = table.memory
    first_out = table.to_move if out and memory.out is None else memory.out
    table = replace(table, memory=replace(memory, out=first_out))
    # in a simultaneous opening, `apply` ends the opening when every seat is done
    last = table.turns + 1 == table.spec.seats and not table.turn.at_once
    if memory.bullet is None and last:
        if first_out is not None:
            return end_round(table, events, Ending.OUT, first_out)
        table = owe_opened(table, events)
    return _pass_on(table, events, failed=failed)


def owe_opened(table: Table, events: list[ev.Event]) -> Table:
    """Make the doubles at the ends of opening chains owed, in the order laid. [§3.5]

    Leave out doubles that are covered or dead already. The others come before doubles already owed,
    and reset the passes made so far. Append the events to the list.
    """
    owed: list[Owed] = []
    for train_id, on in table.memory.opened:
        train = table.train(train_id)
        lay = train.lays[on]
        if not train.is_bare(on):
            continue
        if table.is_dead(lay.end):
            events.append(ev.DoubleDead(train_id, lay.tile))
        else:
            owed.append(_owed(table, train_id, on, events))
    memory = replace(table.memory, opened=())
    # earlier passes did not deny covers for these doubles
    passed = 0 if owed else table.passed
    return replace(table, owed=(*owed, *table.owed), passed=passed, memory=memory)


def with_owed(table: Table, train: TrainId, on: int, events: list[ev.Event]) -> Table:
    """Return the table with one more owed double, before or after the others. [§5.9]

    The switch `duty-order` decides which. Append the event to the list.
    """
    new = _owed(table, train, on, events)
    first = table.rules.duty_order is DutyOrder.LAST_PLAYED
    return replace(table, owed=(new, *table.owed) if first else (*table.owed, new))


def _owed(table: Table, train: TrainId, on: int, events: list[ev.Event]) -> Owed:
    """Return an owed double that needs as many tiles as the rules require. [docs/rules.md §5.7]

    It needs fewer if fewer fitting tiles are left. Append the event to the list.
    """
    lay = table.train(train).lays[on]
    events.append(ev.DoubleOwed(train, lay.tile, lay.seat))
    need = min(1 + table.rules.branching.more_covers, table.fitting(lay.end))
    return Owed(train, on, lay.tile, need)


def _pass_on(table: Table, events: list[ev.Event], *, failed: bool) -> Table:
    """Give the turn to the next present seat, or end the round; append the events to the list.

    A seat that kept silent about its last tile can be caught only until its next turn comes.
    """
    rules = table.spec.rules
    memory = table.memory
    turn = table.turn
    to_move = SEATS[(table.to_move + rules.direction.step) % table.spec.seats]
    if memory.bullet is not None and to_move == memory.bullet:
        # all the others have laid what they could after the bullet train [§7.10]
        return end_round(table, events, Ending.OUT, memory.bullet)
    if not table.boneyard or rules.draw.is_never:
        if _has_last_plays(table):
            last = _last_turns(table, events, to_move)
            if last is None:
                return end_round(table, events, Ending.BLOCKED, None)
            memory = replace(memory, last=last)
        elif failed and _is_blocked(table):
            return end_round(table, events, Ending.BLOCKED, None)
    gone = table.game.gone
    if not gone >> to_move & 1:
        events.append(ev.TurnBegan(to_move))
    # in a simultaneous opening turns do not come round: a silent seat can be caught after it
    if memory.silent >> to_move & 1 and not turn.at_once:
        bit = 1 << to_move
        memory = replace(memory, silent=memory.silent & ~bit, tapped=memory.tapped | bit)
    after = replace(
        table, to_move=to_move, turns=table.turns + 1, drawn=False, turn=FRESH, memory=memory
    )
    return pass_gone(after, events) if gone else after


def _is_blocked(table: Table) -> bool:
    """Return True if the pass of every present seat counts, so nobody can go on. [§7.2]

    Return False after a bullet train.
    """
    everybody = (1 << table.spec.seats) - 1
    return table.memory.bullet is None and table.passed | table.game.gone == everybody


def pass_gone(table: Table, events: list[ev.Event]) -> Table:
    """Skip the turns of seats that have left, beginning with the seat to move. [§7.11]

    Such a turn has no draw and puts no marker up, but it may end the round. Return the table
    unchanged if the seat to move is present.
    """
    if isinstance(table.now, InPlay) and table.game.gone >> table.to_move & 1:
        return finish_turn(table, events, failed=True)
    return table


def _has_last_plays(table: Table) -> bool:
    memory = table.memory
    if not memory.stocked or memory.bullet is not None or table.turn.at_once:
        return False
    # if the boneyard runs out in the opening, all still have their first turns before last plays
    opened = table.turns + 1 >= table.spec.seats
    return opened and table.rules.round_end is RoundEnd.LAST_PLAYS


def begin_last_plays(table: Table, events: list[ev.Event]) -> Table:
    """Return the table after a simultaneous opening; last plays begin if the boneyard is empty.

    Return the table unchanged if its boneyard has tiles, if it had none right after the deal, or if
    the rules have no last plays.
    """
    if table.boneyard or not _has_last_plays(table):
        return table
    last = _last_turns(table, events, table.to_move)
    return replace(table, memory=replace(table.memory, last=last))


def _last_turns(table: Table, events: list[ev.Event], following: Seat) -> LastTurns | None:
    """Return how many turns are left once the boneyard is empty, or None if none are. [§7.8]

    Append an event to the list when the last plays begin.
    """
    last = table.memory.last
    owed = bool(table.owed)
    # a double that is open when the boneyard runs out gets its own lap before the last plays
    if last is None or (last.closing and not owed):
        if not owed:
            events.append(ev.LastPlays(following))
        return LastTurns(closing=owed, left=table.spec.seats)
    return replace(last, left=last.left - 1) if last.left > 1 else None


def end_round(table: Table, events: list[ev.Event], ending: Ending, seat: Seat | None) -> Table:
    """Return the table at the end of play, with nothing owed; the hands are opened next.

    Append the event to the list.
    """
    events.append(ev.RoundEnded(ending, seat))
    return replace(
        table,
        now=PlayOver(Outcome(ending, seat)),
        turns=table.turns + 1,
        drawn=False,
        owed=(),
        turn=FRESH,
        memory=replace(table.memory, last=None, bullet=None),
    )


def _remember(table: Table, events: list[ev.Event], *, failed: bool) -> Table:
    """Note a failure and a missing call at the end of a turn, then set the marker as chosen.

    Append an event if the marker changes.
    """
    rules = table.rules
    last_tile = rules.last_tile
    memory = table.memory
    seat = table.to_move
    bit = 1 << seat
    if rules.partners.is_yes:
        memory = replace(memory, failed=memory.failed | bit if failed else memory.failed & ~bit)
    if last_tile.is_caught:
        one = len(table.hands[seat]) == 1
        told = bool(memory.tapped & bit) or table.turn.tapped
        # nobody can announce before a simultaneous play, so nobody is caught for silence there
        askable = last_tile.is_told_after or not table.turn.at_once
        silent = one and not told and table.turn.laid and askable
        memory = replace(
            memory,
            tapped=memory.tapped | bit if one and told else memory.tapped & ~bit,
            silent=memory.silent | bit if silent else memory.silent & ~bit,
        )
    table = replace(table, memory=memory)
    return _marked_as_said(table, events, failed=failed)


def _marked_as_said(table: Table, events: list[ev.Event], *, failed: bool) -> Table:
    """Put the marker of the seat to move up or down, as it chose in this turn. [docs/rules.md §6.4]

    The choice counts only if the seat laid a tile from its hand and did not fail. The seat can take
    down only a marker that is up by choice. A marker that is down, or that went up because the seat
    failed, is not up by choice any more.
    """
    turn = table.turn
    memory = table.memory
    seat = table.to_move
    bit = 1 << seat
    up = table.trains[seat].marker
    voluntary = memory.voluntary & ~bit if failed or not up else memory.voluntary
    chosen = turn.mark if turn.from_hand and not failed else None
    may = chosen or voluntary & bit  # down only if it is up by choice
    if chosen is not None and chosen != up and may:
        voluntary ^= bit
        table = with_marker(table, events, seat, up=chosen)
    return replace(table, memory=replace(memory, voluntary=voluntary))


def with_marker(table: Table, events: list[ev.Event], seat: int, *, up: bool) -> Table:
    """Return the table with the markers of the seat's own trains up or down. [rules.md §2.5, §6]

    Append an event for each marker that changes. A marker that goes up opens a place to seats that
    passed before, so it resets their passes, unless an owed double shuts the place. [§7.2]
    """
    trains: list[Train] = list(table.trains)
    passed = table.passed
    for own in own_trains(table, seat):
        if trains[own].marker != up:
            trains[own] = replace(trains[own], marker=up)
            events.append(ev.MarkerUp(own) if up else ev.MarkerDown(own))
            passed = 0 if up and not table.owed else passed
    return replace(table, trains=tuple(trains), passed=passed)
