"""A recorded game written as people would: from a log of signed entries to notation."""
