"""The longest train that a hand makes from one pip: exact, for hands of any size, in steps.

A hand is a map: pips are places and tiles are roads between them. A train is a walk that takes each
road once at most, so tiles make one train where they hang together and at most two places have an
odd number of roads. What is searched for is therefore not the train but the tiles that are *left
out*, which are few: `parity` finds the cheapest that leave no other pips odd, `search` sees to it
that the rest hangs together, and `walk` lays it.
"""

from engine.longest_train.lengths import HandTrains
from engine.longest_train.search import Aim, TrainSearch, longest_train
from engine.longest_train.walk import joints

__all__ = ["Aim", "HandTrains", "TrainSearch", "joints", "longest_train"]
