"""The log as one peer holds it: entries and polls judged in order, evidence, records verified."""
