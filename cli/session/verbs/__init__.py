"""What is typed at the table: each verb in one place, from its words to its answer."""
