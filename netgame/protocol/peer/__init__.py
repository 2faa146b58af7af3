"""One peer: what it owes, says and hears; its secrets, links, patience and journal.

A peer is made of parts. Each owns its state, takes by name the parts that it needs, and leaves
effects in one outbox; none knows `core`. An arrow reads "uses", and none goes back:

    core -> inbox, duties -> parts -> every part below

    receipt (judge, settle)  -> done_votes -> ballots, quiet, stay, news
            |                -> pulls (ask, hold), faults -> stay
            v
    pen (may this seat sign) -> journal, quiet, stay
            ^
    writer, patience, deck_work, lobby_host       what is written
    joiner -> mesh, news, stay                    a wish for a seat
    greeter -> joiner, watchers                   the first words on a link
    applicants, watchers, presence, deputy, heads who sits, looks on, and is told

    all -> place (key, log, clock, links, outbox) -> sync, effects

`core` has the inputs, `beginnings` makes one, `inbox` says which part hears which message, `duties`
what follows every input. A shell carries out the effects.
"""
