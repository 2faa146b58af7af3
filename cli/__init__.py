"""The terminal: everything a person sees and types. No package below knows that it exists.

    commands -> session -> render -> (input | wording) -> scene

`scene` is the table as one seat sees it. `input` turns a line into a move, `wording` holds every
sentence, `render` makes lines of both, `session` is the loop, `commands` has one module a command.
"""
