"""The commands of `boneyard`, one module each, with the questions they ask first."""
