"""The tasks around one core: `node` feeds it, `executor` carries out its effects, in order."""
