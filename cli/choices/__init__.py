"""Choices: how a typed or kept word is read, and every choice that a table has."""
