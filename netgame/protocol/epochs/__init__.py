"""The seats that have a say at a table, and how they decide who goes on: theory of operation.

What it does. Within an epoch every step is closed by all its authors. When a seat has vanished or
leaves, the seats make one decision together: *nobody goes*, and play resumes, or *these seats go*,
and the log stops at this head. That decision is a poll, made by single-decree Paxos (Lamport,
"Paxos Made Simple", 2001) among the company of the epoch. A ballot has one owner. Seats *promise*
it: they will take part in no lower ballot. The owner *proposes* what the promises allow, and seats
*accept* it. What a quorum has accepted is decided, even before anybody knows it.

Two things are not in the textbook. A seat that leaves for good signs a *parting*, which promises
every ballot to come. A quorum of ballot b is therefore a set M of seats with a set L of partings:
no seat is in both, no parting of L has promised a ballot above b, and M are more than half of the
company outside L. And a promise says where the seat's log ends, so that a decision cannot take back
any step before the last that the seat has signed; a decided value stops a log as in "Stoppable
Paxos" (Malkhi, Lamport, Zhou, 2008).

The value of a proposal follows from the statements it counts. If a promise *or a parting* among
them names something accepted, the value is forced: it is the value of the highest ballot named.
Otherwise it is fresh: the log stops at the furthest step counted, and the seats that go are L and
those that all of M name. Nobody goes if that step is final, because a coin has fallen or the game
is over. A fresh value therefore never stops the log before the `last` of any seat counted, and
every forced value goes back to a fresh one.

Why two decisions of a poll are the same. Let the accepts of M1 and the partings of L1 decide ballot
b1, even if those partings come much later. Let the promises of M2 and the partings of L2 allow a
proposal in b2, a higher ballot. A seat in L1 had promised nothing above b1 when it parted, and
promises nothing since, so it is not in M2. (Without that rule: A accepts in b1; B and C decide
otherwise in b2, and part; with their partings A alone would decide b1.) If a seat of M1 is in L2,
its parting names what it had accepted. (Without that: A, B and C accept in b1, B and C part; D and
E, two of the three left, decide otherwise in b2.) If none is, M1 and M2 are both outside L1 and L2,
and each is more than half of the seats outside; they share a seat, and its promise names what it
had accepted. Either way b2 sees a value accepted in b1 or higher, and below b2. (A parting may name
the proposal of b2 itself; by then its owner has made its one proposal.) By induction on ballots,
every proposal above b1 has the value of b1: the lowest such proposal can only be forced by b1, and
a later one by b1 or by another such proposal.

Seats that came late have no vote until others give them one. They are in no M, and are not part of
the company. Such a *guest* may part, which lets it go with the next decision: in the argument above
it only adds to L outside the company, where no share is counted. Its log does not count either: it
may end before a step that all voters have signed, and no decision goes back to such a step.

Any L will do, so a judge takes all the partings it holds: one more only makes M a larger share. If
both of a liar's two proposals of the highest ballot are named, the statements allow no value. Two
certificates that differ always contain a pair that convicts somebody (`pairs`).

Why a closed step of all seats is a wall. A seat that has signed step k says so in `last`, and the
log of a promise never ends before its `last`. A seat that promised before it signed k does not sign
k any more in this poll. So once all have signed k, no decision can make a step before k void. Step
k itself can still be made void, unless all have received all of its entries.

A parting is for good, so it also counts in later polls and epochs. There it has promised nothing
and accepted nothing, because those are other decisions; its log counts while the epoch is the same.

What is ugly. A proposal is judged by what it counts, that by what it has accepted, and so on down
to a fresh value: all of it must be at hand. Otherwise a liar could name a proposal that nobody can
look at. A lying seat can still split the table if it is the only seat shared by two quorums; it has
then signed a pair that convicts it (`pairs`). The head of a proposal is checked against the log
only if the value is fresh and follows from it: a later reader of the decision no longer has the log
that it made void.
"""
