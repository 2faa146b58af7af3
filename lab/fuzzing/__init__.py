"""Fuzzing: valid inputs, mutated from a seed, for every reader of untrusted data."""
