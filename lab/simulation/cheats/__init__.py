"""The catalogue of ways to cheat: what a cheat says, what convicts it, and how it is found out."""
