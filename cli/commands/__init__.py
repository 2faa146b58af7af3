"""The commands of `boneyard`, and the menu that it shows without one."""
