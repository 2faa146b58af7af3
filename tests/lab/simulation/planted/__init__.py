"""Bugs planted into the product, one at a time: how many seeds does the simulator need for each?

    python -m tests.lab.simulation.planted [NAME ...] [--seeds 300]

A simulator that finds none of these would find nothing else either. Each bug is a few lines put
in the place of the right ones for as long as a `with` block lasts. Bugs stand by what they break:
`disk`, `links`, `restart`, `log`, `deal`, `seats`, `verdicts`; `catalogue` plants them, and `swaps`
refuses a bug whose patch does not fit.
"""
