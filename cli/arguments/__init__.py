"""The command line: each command's purpose and arguments, imported once that command is typed."""
