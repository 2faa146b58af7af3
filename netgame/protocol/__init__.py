"""The table protocol as pure decisions: messages and time in, effects out.

    log <- fold <- ledger <- peer

`log` is what is signed, `fold` the table that it makes, `ledger` what may be added to it and what
shows that somebody cheated, `peer` what one program owes, says and hears.
"""
