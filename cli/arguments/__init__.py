"""The command line: what each command is for, and which arguments it takes.

`boneyard --help` needs the names of the commands alone, so the arguments of one, and the tables of
rules that some of them name, are imported once that command is typed.
"""
