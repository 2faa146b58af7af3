"""How a person comes to a table: who they are, their screen, the table they mean, its code."""
