"""Logs that end in something wrong, for each numbered check and each cheat that a log shows.

A case is a log so far, what is offered next, and the outcome of each offer. The simulator's
cheaters carry out the cheats at a table of real peers, with the real group and real signatures.
"""

from collections import Counter
from functools import partial
from itertools import takewhile
from types import SimpleNamespace

from msgspec import structs

from lab.simulation import exposure
from lab.simulation.cheats.catalogue import CATALOGUE
from lab.simulation.cheats.cheat import How
from netgame.limits import ENTRY_BYTES_MAX
from netgame.protocol.log.entry import ENTRY_DOMAIN, read_entry, sign_entry
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import decode
from tests.netgame.simtable import full_table
from tests.vectors.bad_polls import poll_cases
from tests.vectors.by_hand import ByHand
from tests.vectors.log_cases import Replay, frames_of, signed_in, tag_of
from tests.vectors.writing import changed

UNLOGGED = How.KICKED, How.LOOKS, How.CROWD
"""Ways to cheat that leave nothing in a log by which the cheat could be found."""

SETTINGS = wire.Settings("standard", (), 6, 3, 1, 2)


def case(name, so_far, offered, **more):
    """Return a case: the entries and statements so far, those offered next, and `more` facts."""
    return {"name": name, "so_far": list(so_far), "offer": list(offered), **more}


def cases(so_far, offered, says=""):
    """Yield a case for each offer in `offered`, which maps names to offers.

    An offer is one entry or statement, or a list of them. The case's name is `says` followed by the
    name of the offer.
    """
    for name, each in offered.items():
        yield case(says + name, so_far, each if isinstance(each, list | tuple) else [each])


def table_of(signed):
    """Return the id of a log's table, as the body of its first item states it."""
    return decode(signed[0].body, wire.Body).id


# ---- cheats -----------------------------------------------------------------------------------


SEEDS_FEW, SEEDS_MANY = 5, 400
"""The number of games in which a cheat is tried, and the number for cheats too rare for that."""
LATER = "the log had gone on"
"""The one trouble allowed: others may go on before somebody notices, because real cryptography
takes time."""


def _done(cheat):
    """Return the row and the table of a game in which a cheat causes no trouble but `LATER`.

    Raise AssertionError if no such game is found.
    """
    kept = {}
    row_of, most = exposure.row_of, exposure.SEEDS_MOST

    def kept_row(table, seed, *, real):
        kept[seed] = table
        return row_of(table, seed, real=real)

    exposure.row_of = kept_row
    try:
        for exposure.SEEDS_MOST in (SEEDS_FEW, SEEDS_MANY):
            try:
                row = exposure.first_row(cheat._replace(first_seed=0), real=True)
            except AssertionError:
                continue  # too few games for this cheat
            if all(each.startswith(LATER) for each in row.trouble):
                return row, kept[row.seed]
    finally:
        exposure.row_of, exposure.SEEDS_MOST = row_of, most
    raise AssertionError(f"{cheat.name}: no game goes as it must")


def _cut(name, entries, offered, **more):
    """Return the case of a log cut before its first bad entry, which is then offered.

    If all `entries` are good, `offered` is offered after them.
    """
    whole = [*entries, *offered]
    replay = Replay(table_of(whole))
    for at, signed in enumerate(entries):
        if replay.offer(signed) is not None:
            return case(name, whole[:at], [signed], **more)
    return case(name, entries, offered, **more)


def _branch_case(cheat):
    """Return the case of a lie that begins a second branch: the log before it, and the lie."""
    shown = (cheat.play(seed, cheat) for seed in range(SEEDS_MANY))
    branch = next(each for each in shown if each is not None)
    return case(cheat.name, branch.before, [branch.lie.signed])


def _parted_case(cheat):
    """Return the case of the evidence that is found when the halves of a divided table meet."""
    shown = (cheat.play(seed, cheat) for seed in range(SEEDS_MANY))
    shown = next(each for each in shown if not each.trouble)
    return _convicting(cheat, frames_of(shown.files[0]))


def _case_of(cheat):
    if cheat.how is How.PARTED:
        return _parted_case(cheat)
    if cheat.play is not None:
        return _branch_case(cheat)
    row, table = _done(cheat)
    honest = table.honest[0]
    if cheat.is_silence:
        return _given_up(cheat.name, _record(honest), row.found[1])
    if cheat.how is How.IDLE:
        before = _record(honest, row.done[1])
        if table.deed.told:
            return case(cheat.name, before, table.deed.told)
        more = _unlogged(cheat, before, table.deed.lie, table.cheater.core.context.signer)
        return case(cheat.name, before, [table.deed.lie], **more)
    files = [
        frames
        for process in table.honest
        for frames in map(frames_of, process.records.evidence.values())
        if frames[-1].check == row.check
    ]
    if not files:  # octets that nobody can keep as evidence
        return case(cheat.name, _record(honest, row.done[1]), [table.deed.lie])
    cases = (_convicting(cheat, frames) for frames in files)
    return next(each for each in cases if _shows(each))


def evidence_of(name):
    """Carry out the cheat of this name, and return the frames of the evidence that a peer keeps."""
    row, table = _done(next(each for each in CATALOGUE if each.name == name))
    kept = (octets for each in table.honest for octets in each.records.evidence.values())
    return next(frames for frames in map(frames_of, kept) if frames[-1].check == row.check)


def _faults(before, offered):
    """Return how many of the offers it takes to convict somebody, or 0 if they convict nobody.

    The culprit need not have signed the last of these offers.
    """
    replay = Replay(table_of([*before, *offered]))
    results = [replay.offer(signed) for signed in (*before, *offered)][len(before) :]
    faults = (at for at, each in enumerate(results, 1) if each and each["outcome"] == "fault")
    return next(faults, 0)


def _last(each):
    """Return the outcome of a case's last offer, or None if it counts and convicts nobody."""
    replay = Replay(table_of([*each["so_far"], *each["offer"]]))
    return [replay.offer(signed) for signed in (*each["so_far"], *each["offer"])][-1]


def _shows(each):
    """Return True unless a reader of this log ignores the last offer."""
    last = _last(each)
    return last is None or last["outcome"] != "ignore"


def _convicts(each):
    """Return True if a reader of this log convicts somebody at the last offer."""
    last = _last(each)
    return last is not None and last["outcome"] == "fault"


def _convicting(cheat, frames):
    """Return the case of an evidence file: its record, then the items in its closing frame.

    Of the two entries of a fork, none, one or both may already be in the record.
    """
    *before, closing = frames
    entries = [signed_in(frame) for frame in before]
    if closing.statements:
        return _cut_case(cheat.name, entries, closing)
    standing = [each for each in closing.entries if each in entries]
    if standing and len(closing.entries) == 1:  # it is in the log, and a later entry shows it
        return _cut(cheat.name, entries, ())
    return _cut(cheat.name, entries, sorted(closing.entries, key=lambda e: e not in entries))


def _unlogged(cheat, before, lie, signer):
    """Return, under `unlogged`, how many messages of each tag a cheat sends besides its entry.

    They are sent to every peer, but no log contains them. Return {} if there are none.
    """
    if not cheat.kinds:
        return {}
    replay, sent = Replay(table_of(before)), Counter()
    for signed in before:
        assert replay.offer(signed) is None
    ledger = replay.ledger
    links = SimpleNamespace(tell_all=lambda message: sent.update([tag_of(message)]))
    about = {"table_id": ledger.state.table_id, "name": cheat.name}
    context = SimpleNamespace(links=links, signer=signer, **about)
    teller = SimpleNamespace(ledger=ledger, state=ledger.state, context=context)
    cheat.bend(teller, read_entry(lie).payload)
    return {"unlogged": dict(sorted(sent.items()))} if sent else {}


def _cut_case(name, before, closing):
    """Return the case of statements that convict, in an order in which the last offer convicts.

    If there is no such order, the offers after the one that convicts are left out. The entry
    offered with the statements may be in the log already.
    """
    pair, named = closing.statements[:2], closing.statements[2:]
    orders = [(*named, *pair), closing.statements]
    whole = [(*order, *closing.entries) for order in orders]
    whole += [(*closing.entries, *order) for order in orders]
    cases = [case(name, before, order) for order in whole]
    last = next(filter(_convicts, cases), None)
    return last or next(
        case(name, before, order[:at]) for order in whole if (at := _faults(before, order))
    )


def _record(process, until=None):
    """Return the entries and statements that a process has on disk, as after a crash.

    If `until` is given, stop before the first entry of that step or a later one.
    """
    process.records.disk.process_died()
    signed = map(signed_in, frames_of(process.records.disk.octets))
    return list(takewhile(lambda each: until is None or not _is_of(each, until), signed))


def _is_of(signed, step):
    return isinstance(signed, wire.SignedEntry) and read_entry(signed).step >= step


def _given_up(name, record, step):
    """Return the case of a log up to the decision that a seat leaves at this step.

    The statements that decide it are offered. Raise AssertionError if there is no such decision.
    """
    replay = Replay(table_of(record))
    before, offered = [], []
    for signed in record:
        is_statement = isinstance(signed, wire.SignedStatement)
        offered = [*offered, signed] if is_statement else []
        before = before if is_statement else [*before, signed]
        decided = len(replay.ledger.decisions)
        assert replay.offer(signed) is None
        decisions = replay.ledger.decisions
        if len(decisions) > decided and decisions[-1].goes and decisions[-1].step == step:
            return case(name, before, offered)
        if len(decisions) > decided:
            before, offered = [*before, *offered], []
    raise AssertionError(name)


def cheats():
    """Return a case for each cheat of the catalogue that a log shows."""
    return [_case_of(cheat) for cheat in CATALOGUE if cheat.how not in UNLOGGED]


# ---- checks -----------------------------------------------------------------------------------


SEED = bytes([11]) * 32
NO_TRAIN = -7


def _followed(octets, phase, kind):
    """Return a log that ends before the first entry of a kind in a phase, and that entry."""

    def is_it(state, entry):
        return state.phase is phase and isinstance(entry.payload, kind)

    log = ByHand.following(octets, SEED, is_it)
    return log, read_entry(log.rest[0])


def _with_long_step(log, signed):
    """Return an entry whose step is encoded longer than necessary, with a valid signature."""
    entry, at = read_entry(signed), 1 + 66  # the array, then 64 octets of bin 8
    assert signed.body[at] == entry.step < 128
    body = signed.body[:at] + b"\xcc" + signed.body[at:]
    return wire.SignedEntry(body, log.signer(entry.seat).sign(ENTRY_DOMAIN, body))


def checks():
    """Yield at least one case for each check from 7.1 to 7.12, and then those of `bad_polls`."""
    table = full_table(("Ann", "Ben", "Cy"), SETTINGS, seed=SEED)
    table.run_game()
    octets = table.sitters[0].record_octets
    log, lay = _followed(octets, Phase.PLAY, wire.Lay)
    sharing, share = _followed(octets, Phase.SHARES, wire.Shares)
    seat, turn, good, before = lay.seat, lay.payload, lay.signed, log.signed
    other = (seat + 1) % 3
    mine = (e for e in reversed(before) if isinstance(e, wire.SignedEntry))
    done = next(each for each in mine if read_entry(each).seat == seat)
    entry, turn_with = partial(log.entry, seat), partial(structs.replace, turn)
    made = {
        "7.1 size": wire.SignedEntry(bytes(ENTRY_BYTES_MAX + 1), bytes(64)),
        "7.2 canonical: an integer too long": _with_long_step(log, good),
        "7.2 canonical: one octet more": wire.SignedEntry(good.body + b"\0", good.signature),
        "7.3 table: an epoch may come that nobody knows yet": entry(turn, id=bytes(64)),
        "7.3 table: none that nobody knows has been": _rewritten(log, done, id=bytes(64)),
        "7.3 table: the id of before the coin": entry(turn, id=log.state.table_id),
        "7.4 author": log.entry(9, turn, by=seat),
        "7.4 author: the host, after the lobby": log.entry(255, turn, by=seat),
        "7.5 signature": wire.SignedEntry(good.body, bytes(64)),
        "7.5 signature: another seat's": entry(turn, by=other),
        "7.6 fork": _rewritten(log, done),
        "7.6 fork: both offered": (good, entry(wire.Pass(b""))),
        "7.6 before 7.7: another second entry, after another history": _rewritten(
            log, done, prev=bytes(64)
        ),
        "the same body under another good signature is no fork": done,
        "7.7 link": entry(turn, prev=bytes(64)),
        "a later step is held, whoever signed it": entry(turn, step=lay.step + 1, by=other),
        "7.8 turn": log.entry(other, wire.Pass(b"")),
        "7.9 kind": entry(wire.Checked(0)),
        "7.9 kind: a call where a move is due": entry(wire.Quiet()),
        "7.10 shape: a token of no point": entry(turn_with(token=bytes(33))),
        "7.11 rules": entry(turn_with(train=NO_TRAIN)),
        "7.11 before the shape of a token": entry(turn_with(train=NO_TRAIN, token=bytes(33))),
        "7.12 proof: another proof": entry(turn_with(proof=changed(turn.proof, -1))),
        "a later poll is held": entry(turn, poll=1),
        "a good entry counts": good,
        "an entry that stands already is ignored": before[-1],
    }
    shares_with = partial(structs.replace, share.payload)
    given = {
        "7.10 shape: a share too few": shares_with(tokens=share.payload.tokens[:-33]),
        "7.12 proof: shares of another proof": shares_with(proof=changed(share.payload.proof, -1)),
    }
    made_sharing = {name: sharing.entry(share.seat, each) for name, each in given.items()}
    yield from cases(before, made)
    yield from cases(sharing.signed, made_sharing)
    yield from poll_cases(log, lay)


def _rewritten(log, signed, **changes):
    """Return an entry for the slot of `signed` with a different payload and these changes."""
    body = decode(signed.body, wire.Body)
    body = structs.replace(body, **{"payload": wire.Checked(7), **changes})
    return sign_entry(log.signer(body.seat, body.step), body)
