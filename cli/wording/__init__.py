"""Sentences for players, such as events, refusals, hints, reviews and verdicts."""
