"""The catalogue of ways to cheat: what is said, what it binds, and how it is found out."""
