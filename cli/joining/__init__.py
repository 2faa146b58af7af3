"""A person's way to a table: who they are, their screen, the table they mean, its code."""
