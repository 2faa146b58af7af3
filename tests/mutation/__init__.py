"""Mutation testing: small wrongs planted in the program one by one, which the tests must notice."""
