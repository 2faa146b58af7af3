"""The table protocol as pure decisions: messages and time in, effects out."""
