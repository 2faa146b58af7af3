"""One peer: what it owes, says and hears; its secrets, links, patience and journal.

A peer is made of parts. Each owns its state, takes by name the parts that it needs, and leaves
effects in one outbox; none knows `core`. An arrow reads "uses", and none goes back:

    core -> inbox -> parts -> every room below

    entries    what this seat writes: may it sign, what it owes, its lobby, its votes on who is away
       |
    people     who is linked, looks on, asks for a seat, stands in for a host
       |
    receipt    what others send: judged, kept, asked for; votes that part a table; heads
       |   \
    standing  secrets    may it sign at all, has it left, what it is told; keys, hand, decks
       |
    place      key, log, clock, links and the one outbox, which every part is given

`core` has the inputs and a table of the duties that follow each, `inbox` says which part hears
which message. What a person wishes goes to its part by `Core.act`. A shell carries out the effects.
"""
