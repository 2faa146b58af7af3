"""One peer: what it owes, says and hears; its secrets, links, patience and journal.

`core` wires the parts together; a shell carries out the effects that it returns.
"""
