"""Mutation testing: small wrongs planted in the program one by one, and the tests that notice."""
