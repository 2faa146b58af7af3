"""Fuzzing: every reader of untrusted data reads valid inputs that were changed at random."""
