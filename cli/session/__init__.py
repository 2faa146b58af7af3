"""One seat at a table: its loop, the notices it hears, and the meaning of a line."""
