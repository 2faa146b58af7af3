"""One seat at a table: its loop, what it hears, and what a line may mean."""
