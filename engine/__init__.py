"""The rulebook of Mexican Train: pure values in, pure values out.

A `Table` is everything the seats can see; a `Move` is what one seat wants to do. `why_illegal`
judges a move, `apply` carries it out, and the same two serve the network game, the referee of games
written down by hand, and the bots. The engine knows tables and moves. It does not know people,
bytes, clocks, chance, proofs or sentences.

    tiles <- rules <- table <- scoring <- play <- knowledge <- view, audit <- notation | bots
"""
