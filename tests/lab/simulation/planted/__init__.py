"""Bugs planted into the product, one at a time: how many seeds does the simulator need for each?

    python -m tests.lab.simulation.planted [NAME ...] [--seeds 300]

A simulator that misses these bugs would miss others too. Each bug is a few lines that replace the
right ones within a `with` block. The modules are named after the broken part: `disk`, `links`,
`restart`, `log`, `polls`, `deal`, `seats`, `talk`, `convicted`, `verdicts`. `catalogue` plants the
bugs, and `swaps` refuses a bug whose patch does not fit.
"""
