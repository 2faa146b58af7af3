"""Fuzzing: valid inputs, mutated from a seed, for everything that reads what others have made."""
