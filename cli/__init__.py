"""The terminal: everything a person sees and types. No package below knows that it exists.

    commands -> session -> render -> (input | wording) -> scene

`scene` is the table as one seat sees it. `input` turns a line into a move, `wording` holds every
sentence, `render` turns both into lines, `session` is the loop, and `commands` has one module per
command.
"""
