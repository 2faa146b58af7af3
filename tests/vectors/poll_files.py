"""Files about polls: evidence that statements give, and records in which they convict nobody."""

from msgspec.structs import replace

from netgame.wire import messages as wire
from netgame.wire.statements import bit
from tests.vectors.by_hand import PLAIN, ByHand
from tests.vectors.log_cases import frame_of, record


def promise(log, seat, counter, without=0):
    """Return a promise of a seat in a ballot that seat 0 owns."""
    return log.promise(seat, (counter, 0), without)


def poll_files(files):
    """Add files about polls to `files`, most with evidence, and cases that change each of them."""
    log = ByHand("poll", replace(PLAIN, seats=3)).sit().form()
    key = log.state.seats[1].key
    pair = promise(log, 1, 1), promise(log, 1, 1, without=bit(2))
    files.keep("evidence-cut-pair.bin", "two promises of one ballot", key, log.signed, "cut", *pair)
    files.closed("the same, the other first", "cut", *pair[::-1], accused=key)
    third = promise(log, 0, 1)
    files.closed("with the promise of another seat besides", "cut", *pair, third)
    files.closed("one of them", "cut", pair[0])
    files.closed("the same one twice", "cut", pair[0], pair[0])
    files.closed("of two seats", "cut", third, pair[0])
    entry = log.entry(1, wire.KeyCommit(0, bytes(64)))
    files.closed("with an entry besides", "cut", entry, *pair)

    bound = promise(log, 1, 1)
    files.keep(
        "evidence-cut-entry.bin",
        "an entry after the last step that was promised",
        key,
        log.signed,
        "cut",
        entry,
        bound,
    )
    files.closed("beside the promise of another seat", "cut", entry, third)
    files.closed("with a second promise besides", "cut", entry, bound, third)
    files.closed("the entry alone", "cut", entry)
    both = [*log.signed, entry, bound]
    files.keep("ruled-out.bin", "an entry, and a promise that rules it out", None, both)
    swapped = record([*log.signed, bound, entry])
    files.name = ""
    files.case("the promise, and the entry that it rules out", more=swapped)
    files.case("two promises of one ballot", more=record([*log.signed, *pair]))
    _parted(files, log)
    _accepted(files, log)
    twice = log.parting(1), log.parting(1, (1, 0))
    title = "two partings of one seat"
    files.keep("two-partings.bin", title, key, log.signed, "cut", *twice)
    stand = b"".join(map(frame_of, twice))
    files.closed("both in the record, and no evidence", behind=stand)
    files.closed(
        "the second alone beside the record that has the first",
        "cut",
        twice[1],
        behind=frame_of(twice[0]),
    )
    promises = [promise(log, 1, number) for number in range(1, 66)]
    most = [*log.signed, *promises[:64]]
    files.keep("crowded-poll.bin", "64 statements of one seat in a poll", None, most)
    files.case("with one of them once more", more=frame_of(promises[0]))
    files.case("with one of another seat", more=frame_of(third))
    files.case("with a 65th", more=frame_of(promises[64]))
    partings = [log.parting(1, (number, 0)) for number in range(1, 66)]
    most = [*log.signed, *partings[:64]]
    files.keep("crowded-partings.bin", "64 partings of one seat in a poll", None, most)
    files.case("with a 65th", more=frame_of(partings[64]))


def _parted(files, log):
    """Keep the record of a seat that has parted, but later helps to decide a poll.

    The others did not know of its parting then.
    """
    others = log.fork()
    parting = log.parting(1)
    first = others.decided(voters=[0, 2])
    others.put(*first)
    second = others.decided(bit(2), voters=[0, 1])
    others.put(*second)
    begun = len(others.signed)
    others.commit()
    whole = [*log.signed, parting, *first, *second, *others.signed[begun:]]
    title = "a parting in one poll, a promise of its author in the next, and what they decide"
    files.keep("parted-and-back.bin", title, None, whole)
    files.name = ""
    files.case("the same, the parting last", more=record([*log.signed, *first, *second, parting]))
    lacks = [*log.signed, parting, *first, *second[:-1], *others.signed[begun:]]
    files.case("the same without an accept", more=record(lacks))


def _accepted(files, log):
    """Keep evidence for which a proposal is needed.

    One file shows an accept that a later promise hides, the other a false proposal.
    """
    *promises, proposal, accept, _ = log.decided()
    hidden = promise(log, 0, 2)
    first = log.state.seats[0].key
    shown = accept, hidden, proposal
    files.keep(
        "evidence-cut-accept.bin",
        "an accept that a later promise hides, and the proposal",
        first,
        log.signed,
        "cut",
        *shown,
    )
    files.closed("without the proposal", "cut", accept, hidden)
    files.closed("with what the proposal counts", "cut", *shown, *promises)
    false = log.proposal((1, 0), bit(2), promises)
    whole = *promises, false
    files.keep(
        "evidence-cut-value.bin",
        "a proposal that does not follow, behind what it counts",
        first,
        log.signed,
        "cut",
        *whole,
    )
    files.closed("what it counts in another order", "cut", *promises[::-1], false, accused=first)
    files.closed("not as the last", "cut", false, *promises)
    files.closed("without one that it counts", "cut", *promises[1:], false)
    stranger = promise(log, 1, 7)
    files.closed("with a promise that it does not count", "cut", stranger, *whole)
