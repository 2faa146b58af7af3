"""The rulebook of Mexican Train: pure values in, pure values out.

A `Table` is everything the seats can see; a `Move` is what one seat wants to do. `why_illegal`
judges a move and `apply` carries it out; the network game, the referee of games written down by
hand and the bots all use these two. The engine knows tables and moves. It does not know people,
bytes, clocks, proofs or sentences, and it makes no random numbers of its own.

    tiles <- rules <- table <- scoring <- play <- knowledge <- view, audit <- notation | bots
"""
