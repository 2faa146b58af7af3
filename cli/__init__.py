"""The terminal: everything a person sees and types. No package below knows that it exists.

    commands -> seat -> drawn -> (typed | said) -> scene

`scene` is the table as one seat sees it. `typed` turns a line into a move, `said` holds every
sentence, `drawn` makes lines of both, `seat` is the loop, `commands` has one module a command.
"""
