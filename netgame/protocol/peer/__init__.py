r"""One peer: what it owes, says and hears; its secrets, links, patience and journal.

A peer is made of parts. Each owns its state, is given by name the parts that it needs, and leaves
effects in one outbox; none knows `core`. An arrow reads "uses", and none goes back:

    core -> inbox -> parts -> every room below

    entries    what this seat writes: may it sign, what it owes, its lobby
       |
    people     links, absence, names, talk, watchers, seats and votes given, a stand-in for a host
       |
    sync       what others send: judged, kept, asked for; polls decided; heads
       |   \
    status    secrets    may it sign at all, has it left, notices; keys, hand, decks
       |
    context    key, log, clock, links and the one outbox, which every part is given

`core` has the inputs and the duties that follow each; `inbox` gives each message to its part, and
`polls` is the part that says when seats decide who goes on. A player's wish goes to its part by
`Core.act`. A shell carries out the effects.
"""
