"""The laboratory's commands: `arena`, `bench`, `fuzz` and `simulate`, a module for each."""
