"""The built page of Boneyard: `page/` beside this file, which `boneyard host` serves."""
