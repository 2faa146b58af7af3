"""The built page of Boneyard, in the folder `page/` beside this file; `boneyard host` serves it."""
