"""The longest train that a hand makes from one pip: exact, for any hand, found in steps.

A hand is a map: pips are places and tiles are roads between them. A train is a walk that takes each
road at most once, so tiles make one train if they are connected and at most two places have an odd
number of roads. The search therefore looks for the few tiles that are *left out*, and not for the
train. `parity` finds the cheapest ones that leave no other pips odd, `search` makes sure that the
rest is connected, and `walk` lays it.
"""

from engine.longest_train.lengths import HandTrains
from engine.longest_train.search import Aim, TrainSearch, longest_train
from engine.longest_train.walk import joints

__all__ = ["Aim", "HandTrains", "TrainSearch", "joints", "longest_train"]
