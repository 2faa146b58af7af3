"""Entries and statements from others: judging them, keeping them for later, asking for them."""
