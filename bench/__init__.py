"""The measurements of `boneyard bench PART`: a module for each part, with references.

A module whose name begins with `_` is a tool that several of them share.
"""
