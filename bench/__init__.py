"""One file for each figure of `boneyard bench PART`, each with its reference.

A module whose name begins with `_` is what several of them measure with.
"""
