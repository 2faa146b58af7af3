"""How the company of a table changes: one decision at a time, between two epochs of the log."""
