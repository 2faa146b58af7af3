"""Who has a say at a table, and how its seats decide who goes on: theory of operation.

What it does. Within an epoch all its authors close a step. When somebody has vanished, or leaves,
the seats decide once, together: *nobody goes*, and play resumes, or *these go*, and the log stops
at this head. That decision is a poll, made by single-decree Paxos (Lamport, "Paxos Made Simple",
2001) among the company of the epoch. A ballot has one owner. Seats *promise* it: nothing below it
from me. The owner *proposes* what the promises allow, seats *accept*, and what a quorum has
accepted is decided, whether anybody knows it yet or not.

Two things are not in the textbook. A seat that leaves for good says a *parting*, a promise of every
ballot to come. So a quorum of ballot b is a set M of seats with a set L of partings: nobody is in
both, no parting of L has promised a ballot above b, and M are more than half of the company outside
L. And a promise says where the seat's log ends, so that a decision cannot take back what it has
signed; that is how a decided value stops a log, as in "Stoppable Paxos" (Malkhi, Lamport, Zhou,
2008).

The value of a proposal follows from what it counts. If a promise *or a parting* among that names
something accepted, the value is forced: that of the highest ballot named. Where none does, it
is fresh: the log stops at the furthest step counted; L go, and whom all of M name. So a fresh value
never stops the log before the `last` of anybody counted, and a forced one goes back to a fresh one.

Why two decisions of a poll are the same. Let the accepts of M1 and the partings of L1 decide ballot
b1, be it long after, and the promises of M2 and the partings of L2 allow a proposal in b2, a higher
ballot. Whoever is in L1 had promised nothing above b1 when it parted, and promises nothing since,
so it is not in M2. (Without that rule: A accepts in b1; B and C decide otherwise in b2, and part;
with their partings A alone would decide b1.) If somebody of M1 is in L2, its parting names what it
had accepted. (Without that: A, B and C accept in b1, B and C part; D and E, two of the three left,
decide otherwise in b2.) If not, M1 and M2 both lie outside L1 and L2, and are more than half of
those who do; so they share a seat, and its promise names what it had accepted. Either way b2 sees
an accepted value of b1 or higher, and below b2. (A parting may name the proposal of b2 itself; its
owner has made its one proposal then.) By induction every proposal above b1 has the value of b1:
what the lowest names at or above b1 is of b1, what a later one names, of b1 or of such a proposal.

Any L will do, so whoever judges takes all partings it holds: one more only makes M a larger share.
Where a liar's two proposals of the highest ballot are both named, these statements allow no value.
Two certificates that differ always hold a pair that convicts somebody (`pairs`).

Why a closed step of all seats is a wall. A seat that has signed step k says so in `last`, and the
log of a promise never ends before its `last`. Whoever promised before it signed k signs it no more
in this poll. So once all have signed k, no decision makes a step before k void; k itself still can
be, where not all have received what all have signed.

A parting holds for good, so it counts in later polls and epochs too. There it has promised nothing
and accepted nothing, as those are other decisions; its log counts while the epoch is the same.

What is ugly. A proposal is judged by what it counts, and that by what it has accepted, and so on
down to a fresh value: all of it must be at hand. Without that, a liar names a proposal that nobody
can look at. A seat that lies can still part the table where it alone is shared by two quorums; it
then has signed a pair that convicts it (`pairs`). Heads are held to the log only where the value is
fresh and follows from them: who reads later what was decided has no log of what it made void.
"""
