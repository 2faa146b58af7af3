"""Drawings: board, hand, score sheet, rules and status line, as lines of coloured cells."""
