"""The tasks around one core.

`node` feeds it, `executor` carries out what it decides, in order: `live_links`, `workers` in
threads, an `alarm`, and the disk's keeper. `question` is what a person or a bot asks of it.
"""
