"""The catalogue of ways to cheat: what each cheat says, what convicts it, and who finds it."""
