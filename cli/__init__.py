"""The terminal: everything a person sees and types. `engine` and `netgame` do not import it.

    commands -> session -> render -> (input | wording) -> scene

`scene` is the table as one seat sees it. `input` turns a line into a move, `wording` has the
sentences about a table, `render` draws lines, `session` is the loop, and `commands` has a module
for each command, and a single one for the commands about tables.
"""
