"""The measurements of `boneyard bench PART`: a module for each part.

`figure`, and the modules whose names begin with `_`, are tools that several parts share.
"""
