"""The table protocol as pure decisions: messages and time in, effects out.

    log <- fold <- ledger <- peer

`log` defines what is signed, `fold` makes the table of it, `ledger` judges what may be added and
what proves a cheat, and `peer` decides what one program owes, says and hears.
"""
