"""Past games: which there are, how they are named and listed, drawn as a sheet, watched again.

What one of them tells, and what all add up to, is in `cli.results`.
"""
