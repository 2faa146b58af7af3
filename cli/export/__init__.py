"""A recorded game as people would write it down: from a log of signed entries to notation."""
