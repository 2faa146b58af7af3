"""The certificate of a poll: enough to show its decision to a reader who has nothing else."""

from netgame.protocol.epochs.cut import Cut
from netgame.wire.statements import NOTHING, Accept, Ballot, Parting, Promise, Proposal, bit
from tests.netgame.protocol.epochs.small import Chain, Table, head

ID, ANN, BEN, CY, DEE = bytes(64), 0, 1, 2, 3
LOW, HIGH = Ballot(1, ANN), Ballot(2, BEN)


def name(text):
    """Return a statement's name of 64 octets, made from this text."""
    return text.encode().ljust(64)


def promise(seat, ballot, accepted=NOTHING):
    """Return a promise of a ballot, at the first step, that names Dee."""
    return Promise(ID, 0, seat, ballot, 1, head(1), 0, bit(DEE), accepted)


def test_a_certificate_holds_what_those_who_have_parted_had_accepted():
    """A certificate includes the proposals that its partings had accepted.

    Without them a reader cannot count the partings, and finds nothing decided.
    """
    first = Proposal(ID, 0, LOW, bit(DEE), 1, head(1), (name("a1"), name("b1"), name("c1")))
    again = Proposal(ID, 0, HIGH, bit(DEE), 1, head(1), (name("a2"), name("b2"), name("c2")))
    said = {
        name("a1"): promise(ANN, LOW),
        name("b1"): promise(BEN, LOW),
        name("c1"): promise(CY, LOW),
        name("p1"): first,
        name("cy accepts"): Accept(ID, 0, CY, name("p1")),
        name("a2"): promise(ANN, HIGH),
        name("b2"): promise(BEN, HIGH),
        name("c2"): promise(CY, HIGH, name("p1")),
        name("p2"): again,
        name("cy parts"): Parting(ID, 0, CY, HIGH, 1, head(1), 0, name("p1")),
        name("ann accepts"): Accept(ID, 0, ANN, name("p2")),
        name("ben accepts"): Accept(ID, 0, BEN, name("p2")),
    }
    cut = Cut(0b1111, Chain(Table(4, (LOW, HIGH))))
    for each, statement in said.items():
        cut.add(each, statement)
    assert cut.decided() == again
    certificate = cut.certificate(again)
    alone = Cut(0b1111, cut.log)
    for each in certificate:
        alone.add(each, said[each])
    assert alone.decided() == again
    assert certificate.index(name("p1")) < certificate.index(name("cy parts"))
    assert name("cy accepts") not in certificate


def test_a_chain_of_ones_own_pushes_out_nothing_that_others_go_back_to():
    """However many ballots of its own a seat adds, no promise that others refer to is forgotten.

    Otherwise a liar could have its own promise forgotten, though a decision counts it.
    """
    cut = Cut(0b1111, Chain(Table(4, (LOW, HIGH))))
    cut.add(name("counted"), promise(DEE, LOW))
    cut.add(name("p1"), Proposal(ID, 0, LOW, 0, 1, head(1), (name("counted"),)))
    cut.add(name("ann accepts"), Accept(ID, 0, ANN, name("p1")))
    accepted = NOTHING
    for counter in range(2, 6):
        ballot, own, made = Ballot(counter, DEE), name(f"own {counter}"), name(f"made {counter}")
        cut.add(own, promise(DEE, ballot, accepted))
        cut.add(made, Proposal(ID, 0, ballot, 0, 1, head(1), (own,)))
        accepted = made
    cut.add(name("last"), promise(DEE, Ballot(6, DEE), accepted))
    forgotten = []
    while len(cut.statements) > 3:
        forgotten.append(cut.least(DEE))
        cut.forget(forgotten[-1])
    assert name("own 2") in forgotten
    assert name("counted") not in forgotten
