"""From entries to a table: for each phase who writes, what is checked, and what follows.

Everything here is a function of the log alone, the same for every peer and for `verify`. A `check_`
function returns a `Finding` if the entry is wrong, a `PendingProof` for proofs that are still to be
run, or None if it is good; it raises `Malformed` for octets that do not decode. A `complete_`
function takes all entries of a step and returns the next state with its notices.

Lookups here need no check of their own. `residuals`, `masked` and `keys` have every position and
seat that the table names, since the table names only positions that came out of a chain and went
through its shares. `by_point[point]` finds its tile because chains are proved. `next(...)` without
a default finds the giver of a `hand-over` among those due, and a first player among those who are
present. A strict `zip` joins lists that were decoded to one length. Authors are below 256, and
masks have 32 octets.
"""
