"""The command line: the purpose of each command, and its arguments."""
