r"""One peer: the messages it sends and hears, its secrets, links, timeouts and journal.

A peer is made of parts. Each part owns its state, is given the other parts that it needs, and puts
its effects into one shared outbox; none knows `core`. An arrow means "uses", and none points back:

    core -> inbox -> parts -> every package below

    entries    the entries of this seat: may it sign, what it owes, its lobby
       |
    people     links, absence, names, talk, watchers, granting seats and votes, a stand-in host
       |
    sync       data from others: judge it, keep it, ask for it; decide polls; tell heads
       |   \
    status    secrets    may it sign at all, has it left, notices; keys, hand, decks
       |
    context    key, log, clock, links and the one outbox, which every part receives

`core` has the inputs and the duties that follow each one; `inbox` hands each message to its part;
`polls` is the part that decides when this seat signs in a poll on who goes on. `Core.act` carries
out a player's wish. A shell carries out the effects.
"""
