"""One file for each figure of `boneyard bench`, each with its reference."""
