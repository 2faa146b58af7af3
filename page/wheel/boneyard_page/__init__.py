"""The page of Boneyard as it was built: `page/` beside this file, which `boneyard host` serves."""
