"""The commands of `boneyard`, a module each, with what they ask of a person first."""
