"""The tasks around one core: `node` feeds it, `executor` carries out what it decides, in order."""
