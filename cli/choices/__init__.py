"""Choices: how a typed or stored word is read, and every choice that a table has."""
