"""The messages and their encoding; nothing here knows the rules or does any cryptography."""
