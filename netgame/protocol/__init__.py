"""The table protocol as pure decisions: messages and time in, effects out.

    log | epochs <- state <- ledger <- peer

`log` defines what is signed, `epochs` says who signs and how the seats decide who goes on, `state`
makes the table of it, `ledger` judges what may be added and what proves a cheat, and `peer` decides
what one program owes, says and hears.
"""
