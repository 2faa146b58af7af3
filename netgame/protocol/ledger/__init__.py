"""The log of one peer: judging entries and statements, proving faults, verifying records."""
