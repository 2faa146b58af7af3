"""Games within the game: partners, the swan drive, bullet trains, wild blanks."""

from engine.rules.switches.switch import Switch, about


@about(
    "partners",
    "Whether opposite seats are partners with one train of two ends and one score.",
    "the first text, Partnerships",
)
class Partners(Switch):
    """Whether opposite seats share a train and a score. [§2.5]"""

    NO = ("no", "Everybody plays alone.", "the first text")
    YES = (
        "yes",
        "Opposite players are partners: one train with two ends, one score; 4, 6 or 8 play.",
        "the first text, Partnerships",
    )


@about(
    "swan-drive",
    "Whether a play on the own train may be followed by one tile on each further public train.",
    "the first text, Swan drive",
)
class SwanDrive(Switch):
    """Whether a lay on the own train may go on along the public trains. [§2.6]"""

    NO = ("no", "A turn does not go on along the public trains.", "the first text")
    YES = (
        "yes",
        "After a tile on your own train you may play one on the next public train clockwise, then "
        "on the one after it, and so on.",
        "the first text, Swan drive",
    )


@about(
    "bullet",
    "Whether a seat that can play its whole hand on its own train may end the round so.",
    "the first text, Bullet Train",
)
class Bullet(Switch):
    """Whether a seat may lay its whole hand on its own train and end the round. [§7.10]"""

    NO = ("no", "Nobody plays a whole hand at once.", "the first text")
    YES = (
        "yes",
        "If your whole hand makes one train you may play it all on your own train (bullet); the "
        "others play what they can on theirs, and the round is over.",
        "the first text, Bullet Train",
    )


@about(
    "wild-blanks",
    "Whether a blank half fits any end, and an open blank takes any half.",
    "the first text, Blanks",
)
class WildBlanks(Switch):
    """Whether blanks join everything. [§2.7]"""

    NO = ("no", "A blank joins a blank only.", "the first text")
    YES = (
        "yes",
        "Blanks are wild: a blank half fits any end, and an open blank takes any half.",
        "the first text, Blanks; University Games 2015",
    )
