"""How this process stands at the table: whether it may sign, has left, or was told of a fault."""
