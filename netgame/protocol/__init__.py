"""The table protocol as pure decisions: messages and time in, effects out.

    log | epochs <- state <- ledger <- peer

`log` defines what is signed. `epochs` says who signs, and how the seats decide who goes on. `state`
turns entries into a table. `ledger` judges what may be added and what proves a cheat. `peer`
decides what one program owes, says and hears.
"""
