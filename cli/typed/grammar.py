"""A typed line -> what it asks for; and the one table of what can be typed at the table.

Parser, completion, `help` and the documentation all read the table; nothing else lists commands.
"""

from collections.abc import Container
from typing import Final

from cli.guess import did_you_mean
from cli.language import either, say
from cli.typed import intent, needs, offers, readers
from cli.typed.intent import Topic, UsageError
from cli.typed.readers import Command, Where, says
from cli.typed.spanish import SPANISH, spanish_of
from cli.visible import folded as unaccented
from engine.table import moves

# ---- the table ------------------------------------------------------------------------------


def read_why(words: readers.Words) -> readers.Read:
    """Read the move that is asked about, with or without its command's word."""
    if not words:
        return intent.Why(None)
    first = words[0]
    if readers.begins_tile(first):
        found: readers.Read = readers.read_move(words)
    else:
        command = find_command(first)
        if not isinstance(command, Command) or not command.makes:
            return UsageError(say("{word} is not a move; ask such as: why 9-4 ben", word=first))
        found = command.read(words[1:], first)
    return intent.Why(found) if isinstance(found, intent.MoveIntent) else found


def _offer_help(_scene: object, before: readers.Words, _typing: str) -> readers.Offers:
    return [] if before else [(each.word, say(each.sentence)) for each in COMMANDS]


COMMANDS: Final[tuple[Command, ...]] = (
    Command(
        "play TILE [TRAIN]",
        "Play a tile; leave the train out if only one fits. You may type a whole train in one "
        "line: what this turn cannot play is kept as your plan.",
        readers.read_move,
        "which tile? Write it as 9-4, 9|4, 94 or 9 4, then the train: 9-4 ben",
        ("p",),
        (
            *("play 9-4 ben", "p 94 ben", "9 4 b", "9|4 2", "9-4 m", "9-4", "1"),
            *("play 9-7 7-5 5-5", "play 9-9 hub"),
        ),
        makes=(moves.LayTile, moves.LayChain),
        offers=offers.plays,
    ),
    says(moves.DrawTile, "Draw a tile; done for you when nothing else is possible.", short=("d",)),
    says(
        moves.Pass,
        "End a turn in which you can play nothing; done for you when nothing else is possible.",
    ),
    says(moves.Done, "End a turn in which you may play more, but need not.", needs.ENDS_BY_WORD),
    says(moves.Tap, "Say that you have one tile left, or are about to.", needs.TAPS, ("choo",)),
    Command(
        "catch [NAME]",
        "Catch a player who has one tile left and did not tap.",
        lambda words: intent.CatchSeat(readers.read_name(words)),
        short=("c", "catches"),
        examples=("catch ben", "catch"),
        makes=(moves.Catch,),
        needs=needs.CATCHES,
        offers=offers.caught,
    ),
    Command(
        "bullet [TILES]",
        "Play your whole hand on your own train; the program finds the order if you name none.",
        readers.read_bullet,
        examples=("bullet", "bullet 9-7 7-5"),
        makes=(moves.LayChain,),
        needs=needs.BULLET,
    ),
    Command(
        "open",
        "Leave your marker up when this turn ends; say it before the turn's last tile.",
        intent.SetMarker(up=True),
        short=("o",),
        makes=(moves.Mark,),
        needs=needs.MARKS,
    ),
    Command(
        "close",
        "Take down a marker that you left up, when this turn ends.",
        intent.SetMarker(up=False),
        makes=(moves.Mark,),
        needs=needs.MARKS,
    ),
    Command(
        "hub [TILE]",
        "Play the double that is asked for in the hub.",
        readers.read_hub,
        short=("engine",),
        examples=("hub 9-9", "engine 9-9", "hub"),
        makes=(moves.LayHub, moves.Declare),
        needs=needs.SEEKS,
        offers=offers.doubles,
    ),
    Command(
        "declare [TILE]",
        "Declare a double of yours and play it in the hub.",
        readers.read_hub,
        short=("declares",),
        examples=("declare 9-9", "declare"),
        makes=(moves.Declare, moves.LayHub),
        needs=needs.DECLARES,
        offers=offers.doubles,
    ),
    says(
        moves.NoDouble,
        "Say that you do not hold the double that is asked for; it is proved.",
        needs.SEEKS,
    ),
    says(moves.Silent, "Declare nothing, whatever you hold.", needs.DECLARES),
    Command(
        "look",
        "Look at the next tile of the boneyard, or turn it up.",
        intent.Look(),
        short=("turn", "turns"),
        makes=(moves.TurnUp,),
        needs=needs.TURNS_UP,
    ),
    Command(
        "discard TILE",
        "Put a tile of yours back into the boneyard.",
        readers.read_discard,
        "which tile? Name it, such as: discard 9-4",
        short=("discards",),
        examples=("discard 9-4",),
        makes=(moves.Discard,),
        needs=needs.DECLARES,
        offers=offers.held,
    ),
    Command(
        "pull [NUMBER]",
        "Pull a tile unseen out of the hand that you may pull from.",
        readers.read_pull,
        short=("pulls",),
        examples=("pull 3", "pull"),
        makes=(moves.PullBack,),
        needs=needs.DECLARES,
        offers=offers.pulls,
    ),
    Command(
        "why [MOVE]",
        "Say which rule a move would break, or the last one refused; nothing is played.",
        read_why,
        short=("w",),
        examples=("why", "why 9-4 ben", "why pass", "why tap"),
    ),
    Command(
        "board [TRAIN]",
        "Print the board again, or one train from the hub to its end.",
        lambda words: intent.Show(Topic.BOARD, readers.read_name(words)),
        short=("b",),
        examples=("board", "board ben", "board m"),
        offers=offers.trains,
    ),
    Command(
        "hand [ORDER]",
        "Print your tiles, or have them lie by number, value or train, what is playable first, in "
        "the next order (sort), or in groups of your own.",
        readers.read_hand,
        short=("h",),
        examples=("hand", "hand train", "hand sort", "hand 9-4 > 4-8 | 3-3"),
        offers=offers.orders,
    ),
    Command(
        "plan [TILES]",
        "Plan tiles for the turns to come: Enter plays the next one. Without tiles it is the "
        "longest train you hold; plan none drops it.",
        readers.read_plan,
        examples=("plan", "plan 9-7 7-5 5-5", "plan 9-7 7-5 ben", "plan none"),
    ),
    Command(
        "hint [train]",
        "Say what an expert would play here, and why; `train` lays out the longest train you hold.",
        readers.read_hint,
        examples=("hint", "hint train"),
        offers=offers.longest,
    ),
    Command(
        "odds",
        "Say how likely each player holds a tile for each open end, by what you may know, and what "
        "the next tile of the boneyard is good for.",
        intent.Show(Topic.ODDS),
    ),
    Command(
        "review [ROUND]",
        "Go through your moves of the last round that was scored, or of that one: what was best, "
        "by what you knew then, and what it cost.",
        readers.read_review,
        examples=("review", "review 2"),
        offers=offers.rounds,
    ),
    Command(
        "score",
        "Print the score sheet: every round so far, and the totals.",
        intent.Show(Topic.SCORE),
        short=("s",),
    ),
    Command(
        "say TEXT",
        "Talk to the table. Chat is not recorded.",
        lambda words: intent.SayText(" ".join(words)),
        "say what?",
        short=("t",),
        examples=("say well played",),
        where=Where.ALWAYS,
    ),
    Command(
        "who",
        "List who is seated and who watches, with the fingerprint of each key.",
        intent.Show(Topic.WHO),
        where=Where.ALWAYS,
    ),
    Command(
        "without NAME …",
        "Vote to go on without players who are away; more than half of the players must agree.",
        lambda words: intent.GoOnWithout(tuple(words)),
        examples=("without ben", "without ben, cy"),
        offers=offers.away,
    ),
    Command(
        "sit",
        "Ask for a seat if you only watch; once the game has begun, you get it at the next round.",
        intent.ChangePlace(sits=True),
        where=Where.ALWAYS,
    ),
    Command("watch", "Wait for a seat no longer, and just watch.", intent.ChangePlace(sits=False)),
    Command(
        "rules [TOPIC]",
        "Print the rules of this table, or explain one switch, such as cover.",
        lambda words: intent.Show(Topic.RULES, readers.read_topic(words)),
        short=("r",),
        examples=("rules", "rules cover"),
        offers=offers.topics,
        where=Where.ALWAYS,
    ),
    Command(
        "start [NAME]",
        "Begin with those seated now; only the host can. If the rules have first=chosen-rotate, "
        "you may name who plays first.",
        readers.read_start,
        where=Where.HOST,
    ),
    Command(
        "kick NAME",
        "Take somebody's seat back before the game, or send a bot away; only the host can.",
        lambda words: intent.Kick(" ".join(words)),
        "whom? Name somebody, such as: kick ben",
        examples=("kick ben",),
        where=Where.HOST,
    ),
    Command(
        "allow NAME",
        "Let somebody join again whom you have kicked; only the host can.",
        lambda words: intent.Allow(" ".join(words)),
        "whom? Name somebody you have kicked, such as: allow ben",
        examples=("allow ben",),
        where=Where.HOST,
    ),
    Command(
        "bots NUMBER|LEVEL …",
        "Have just these bots at your table, before the game.",
        lambda words: intent.SeatBots(tuple(words)),
        "how many, or of which levels? Such as: bots 2, bots easy,hard, bots 0",
        examples=("bots 2", "bots easy,hard", "bots 0"),
        offers=offers.levels,
        where=Where.HOST,
    ),
    Command(
        "change NAME VALUE",
        "Play by other rules, before the game: a rule set, a switch, set, seats, rounds, tiles, "
        "draws, audit, leaver, patience, latecomers or newcomers; change rounds none takes the "
        "usual number.",
        lambda words: intent.ChangeTable(tuple(words)),
        "what? Such as: change walnut, change set 9, change blanks=25-50",
        examples=("change walnut", "change set 9", "change blanks=25-50"),
        offers=offers.changes,
        where=Where.HOST,
    ),
    Command(
        "name NAME",
        "Take another name, before the game.",
        lambda words: intent.Rename(" ".join(words)),
        "which name? Such as: name Ann",
        examples=("name Ann",),
        where=Where.LOBBY,
    ),
    Command(
        "again",
        "When the game is over: play another with the same company, in seats drawn anew.",
        intent.Again(),
    ),
    Command(
        "risk my hand",
        "Play on though the journal of your seat is damaged; the others may see your hand.",
        readers.read_risk,
        examples=("risk my hand",),
        where=Where.DOUBT,
    ),
    Command(
        "help [WORD]",
        "List what you can type, or explain one word.",
        lambda words: intent.Show(Topic.HELP, readers.read_topic(words)),
        short=("?",),
        examples=("help", "help play"),
        where=Where.ALWAYS,
        offers=_offer_help,
    ),
    Command(
        "quit",
        "Leave; in mid-game the others wait, and boneyard resume brings you back.",
        intent.Quit(),
        short=("q", "exit"),
        where=Where.ALWAYS,
    ),
    Command(
        "leave",
        "Leave for good: the others go on without you.",
        intent.Quit(for_good=True),
        where=Where.ALWAYS,
    ),
)


WORDS: Final = frozenset(command.word for command in COMMANDS)
"""The word of every command."""

LEAVING: Final = tuple(
    word
    for command in COMMANDS
    if isinstance(command.means, intent.Quit)
    for word in (command.word, *command.short, *spanish_of(command.word))
)
"""What leaves a table, and a question or a menu too."""


# ---- reading a line -------------------------------------------------------------------------


def find_command(word: str) -> Command | tuple[Command, ...]:
    """Return the command of this word, short form or unambiguous start; else all it may start."""
    folded = SPANISH.get(unaccented(word), word.casefold())
    for command in COMMANDS:
        if folded in (command.word, *command.short):
            return command
    starts = tuple(command for command in COMMANDS if command.word.startswith(folded))
    return starts[0] if len(starts) == 1 else starts


def parse(line: str, usable: Container[str] = WORDS) -> readers.Read | None:
    """Read one line; None if it is empty. Only `usable` words are suggested for an unknown one.

    A line that begins with a digit or `[` is a play, all others a command. It never fails.
    """
    words = line.lstrip("\ufeff").split()
    if not words:
        return None
    first = words[0]
    if readers.begins_tile(first):
        return readers.read_move(words)
    found = find_command(first)
    if isinstance(found, Command):
        return found.read(words[1:], first)
    return _unknown(words, found, usable)


def _unknown(
    words: readers.Words, starts: tuple[Command, ...], usable: Container[str]
) -> UsageError:
    """Say what it may have been; never a word that leaves the table, nor one of no use now."""
    word = words[0]
    if starts:
        choices = either([command.word for command in starts])
        return UsageError(say("{word} could be {choices}", word=word, choices=choices))
    harmless = [each.word for each in COMMANDS if not isinstance(each.means, intent.Quit)]
    hint = did_you_mean(word.lower(), [word for word in harmless if word in usable])
    if not hint:
        text = "type help for what can be typed"
        if len(words) > 1 and readers.begins_tile(words[1]):
            text = "type the tile first, then the train: {tile} {word}"
        hint = say(text, tile=" ".join(words[1:2]), word=word)
    return UsageError(say("I do not know {word}: {hint}", word=word, hint=hint))
