"""The log of one peer: entries and polls judged in order, evidence, records verified."""
