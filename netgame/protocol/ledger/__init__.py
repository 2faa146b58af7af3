"""The log as one peer holds it: entries judged in order, votes, evidence, and records verified."""
