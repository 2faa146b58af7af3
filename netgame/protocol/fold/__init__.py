"""From entries to a table: for each phase who writes, what is checked, and what follows.

Everything here is a function of the log alone, the same for every peer and for `verify`. A `check_`
function returns a `Finding` if the entry is wrong, a `PendingProof` for proofs that are still to be
run, or None if it is good; it raises `Malformed` for octets that do not decode. A `complete_`
function takes all entries of a step and returns the next state with its notices.
"""
