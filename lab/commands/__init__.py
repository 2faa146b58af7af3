"""The laboratory's commands: `boneyard bench`, `fuzz` and `simulate`, a module for each."""
