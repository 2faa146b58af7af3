"""The laboratory's commands: `arena`, `bench`, `fuzz` and `simulate`, each in its module."""
