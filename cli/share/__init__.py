"""Sharing the program on a network without internet: its own wheels, and one line to type.

| module | |
| --- | --- |
| `installed` | this program and its libraries as wheels, rebuilt from what is installed |
| `gathered` | wheels for other computers, fetched while there is internet |
| `bundle` | all of that as a small web site, with a fingerprint |
| `guest` | the script that the other computer runs; it needs nothing but Python |
"""
