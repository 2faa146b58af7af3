"""No example of a property has to be quick: how long one takes says how busy the computer is."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
