"""Mutation testing: small faults are planted in the program one by one; tests must notice them."""
