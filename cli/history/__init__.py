"""Past games: which there are and how they are named, what each record tells, what all add up to.

How one is watched again, written down or drawn as a sheet stands in rooms of their own.
"""
