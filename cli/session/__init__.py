"""One seat at a table: its loop, what it hears, and the two front ends."""
