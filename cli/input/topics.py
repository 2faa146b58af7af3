"""The topics of questions at a table, and the words of such questions in English and Spanish.

A keyword is a word, or several in a row, without accents and signs. Its weight says how
strongly it points to the topic: 3 is enough by itself, and 1 is a word of many questions.
`cli.input.asking` adds up the weights.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final


def word_set(text: str) -> frozenset[str]:
    """Return the set of the words in a text."""
    return frozenset(text.split())


class Topic(Enum):
    """A topic that a line may ask about."""

    NOW = auto()
    HINT = auto()
    WHY = auto()
    SCORE = auto()
    SINCE = auto()
    COUNT = auto()
    GOAL = auto()
    COUNTING = auto()
    LEARN = auto()
    TRAINS = auto()
    FAIR = auto()
    ODDS = auto()
    HAND = auto()
    SIGNS = auto()
    COVER = auto()
    RULES = auto()
    CHANGE = auto()
    COMPANY = auto()
    WITHOUT = auto()
    REVIEW = auto()
    TAKE_BACK = auto()
    AGAIN = auto()
    UNABLE = auto()
    FIRST = auto()
    AUTO = auto()
    LEAVE = auto()
    CHAT = auto()
    NAMING = auto()
    COMMANDS = auto()
    TALK = auto()
    """Not a question to the program."""


KEYWORDS: Final[Mapping[Topic, Mapping[int, str]]] = {
    Topic.NOW: {
        5: "now what, what now",
        3: "see any move, do something, need to do, whose move, my go, draw now, have to draw, "
        "should i draw, do i draw, matches, can i do anything, nothing to play, am i up, is it "
        "me, nothing happening, from me, what are my moves, is next, what next, what do i do, "
        "what to do, whose turn, who turn, my turn, whose go, next turn, goes next, plays next, "
        "up next, who next, who is next, stuck, am lost, not understand, not get it, confused, "
        "confusing, no idea, not know what, supposed to do, nothing fits, waiting for, going "
        "on, can not go, can not move, can not play, i can play, can i play, can i do, can we "
        "do, fits, have no NUMBER, my moves, my options, moves, options, legal, choices, ok, "
        "okay, ready, continue, next round, begin, start, started, empieza, empezamos, empezar, "
        "vale, ahora que, que ahora, que hago, hago ahora, toca, turno, mi turno, no puedo "
        "jugar, puedo jugar, puedo hacer, puedo poner, perdido, perdida, atascado, no entiendo, "
        "nada encaja, ayudame, opciones, sigue, esperamos, listo, lista",
        2: "stuck here, not play, not go, anything, now, turn, next, up, go, wait, help, ahora, "
        "luego, can play, choose, pick, happens, have to, draw or pass, type, escribo, encaja, "
        "hacer",
        1: "what, which, who, when, how, can, que, cual, quien, cuando, como, should, stand, play, "
        "fit, nothing, have no, can not",
    },
    Topic.HINT: {
        3: "why did you suggest, you suggest, why that move, why this move, why this one, why that "
        "one, why that tile, why this tile, por que esa, por que esta, smartest, clever, "
        "cleverest, sensible, strategy, elegir, good idea, which tile should, should i play, "
        "should i do, should i put, would you play, would you do, best move, best tile, best "
        "play, good move, good play, advice, advise, recommend, suggest, suggestion, hint, "
        "hints, tip, tips, any ideas, help me choose, help me pick, pista, consejo, aconsejas, "
        "aconseja, recomiendas, sugieres, mejor jugada, mejor ficha, debo jugar, deberia jugar, "
        "que juego, one should",
        2: "good, choose, elijo, best, better, should, expert, recommended, mejor, debo, deberia, "
        "would",
        1: "which, what, move, tile, where, play, que, cual, jugada, ficha",
    },
    Topic.WHY: {
        3: "rule did i break, let me, problem with, did it say no, why no, not it work, not it "
        "let, am i not, is it not, why am i not, can not play there, not take, rejected, esta "
        "mal, not it let me, why not, do it wrong, did wrong, do wrong, did i do wrong, wrong "
        "with, not work, not let, not allowed, is wrong, was wrong, was refused, is refused, "
        "refused, put it, play it there, should fit, should be allowed, mal, no me deja, no se "
        "puede, porque no, por que no, rechazado, rechaza",
        2: "why, wrong, allowed, por que, porque, how come",
        1: "can not, not, no puedo, it, that, there, eso",
    },
    Topic.SCORE: {
        3: "doing best, doing worst, llevo, cuanto llevo, are points, points right now, am i "
        "doing, are we doing, in lead, who is in lead, in first, tied, tie, even, points does "
        "NAME have, how many points does NAME have, how far, came second, came last, everyones "
        "total, did NAME win, leading, va ganando, lleva menos, lleva mas, score, scores, "
        "scored, winning, leads, lead, losing, ahead, behind, standings, standing, rank, "
        "ranking, ranked, beating, am doing, who won, did i win, did i lose, have i won, have i "
        "lost, first place, last place, final score, is winning, ganando, perdiendo, ganado, "
        "quien gana, quien gano, gane, gano, perdi, puntuacion, marcador, como vamos, como va, "
        "como voy, clasificacion, mis puntos",
        2: "won, win, lose, lost, points, winner, totals, total, place, points do i have, first, "
        "last, puntos, ganador, primero, ultimo, my points, far, va, voy",
        1: "who, am i, did i, i, quien, cuantos, how much, final, still, my",
    },
    Topic.SINCE: {
        3: "everyone play, everybody play, han jugado, jugado otros, was drawn, was laid, were "
        "played, miss turn, put down, what did NAME, what has NAME, show last, que hizo NAME, "
        "que ha hecho, ha hecho NAME, jugado NAME, happened, happening here, did i get, did i "
        "draw, did i miss, i miss, last move, last moves, last play, last tile, was played, was "
        "that move, did i pass, did NAME do, did NAME play, did NAME pass, did NAME draw, NAME "
        "do, they do, they play, history, recap, repeat, say again, since my turn, while i was, "
        "new one, is it over, over already, paso, ha pasado, jugo, jugaron, robe, perdi algo, "
        "me perdi, historial, que hizo, last round",
        2: "missed, played, drew, away, since, repite, ultima jugada, what did, robo, over, did",
        1: "what, last, que, just, who, NAME",
    },
    Topic.COUNT: {
        3: "big is boneyard, size of boneyard, tile left, points would i get, how many NUMBER has, "
        "everyone got, everybody got, remain, remaining, heavy, does NAME hold, NAME holds, how "
        "many does NAME have, how many does NAME hold, cuantas tiene, how many NAME, how many "
        "tiles do i have, how many tiles, how many bones, how many dominoes, least tiles, "
        "fewest tiles, most tiles, tiles left, bones left, tiles are left, left in, many are "
        "left, i holding, do i hold, boneyard empty, pile, points in hand, my tiles worth, my "
        "hand worth, hand worth, points are my tiles, everybody have left, everybody hold, "
        "everyone hold, points are in, points do i hold, going out, go out, pip count, cuantas "
        "fichas, fichas quedan, me quedan, valen mis, quedan en, pozo",
        2: "how many, how much, fewest, least, left, worth, holding, hold, boneyard, empty, "
        "cuantas, quedan, vale, valen, NAME have, NAME hold, stock",
        1: "tiles, bones, points, hand, count, fichas, mano, have, many",
    },
    Topic.GOAL: {
        3: "do we finish, score high, score low, como gano, do to win, round finish, game finish, "
        "is over when, low score good, many points, good to have, one win, de que va, para "
        "ganar que, idea of game, what is it about, how do i win, how do you win, how do we "
        "win, how to win, how can i win, goal, aim, objective, purpose, object, does it end, "
        "game end, round end, round over, game over, end of round, how to play, do you play, do "
        "we play, do i play this, how long, does scoring work, is it scored, how many rounds, "
        "lowest, highest wins, low or high, como se gana, gano yo, como se juega, objetivo, "
        "ganar, puntua, termina, acaba, cuanto dura",
        2: "win, ends, end, scoring, this game work, game work, this work, point of, low, high, "
        "para ganar, funciona, juega, counts",
        1: "how, when, game, rounds, como, cuando, juego, you",
    },
    Topic.COUNTING: {
        3: "double blank worth, blanks worth, blank worth, blank count, blanks count, cost, costs, "
        "blanca doble, doble blanca",
        2: "worth, blank, blanks, counts, cuesta, blancas, blanca",
        1: "double, doble, vale",
    },
    Topic.LEARN: {
        3: "no idea what this is, does one play, know what this is, what is mexican train, lesson, "
        "lessons, lesson start, tutorial, teach, learn, never played, beginner, newbie, new to, "
        "new here, how do i play, not know how to play, what is this, leccion, ensename, "
        "ensena, aprender, aprendo, nunca he jugado, nunca jugue, principiante, no se jugar, "
        "que es esto, como juego, first time, primera vez",
        2: "explain, never, explica, nunca",
        1: "play, game, this, juego, jugar, how",
    },
    Topic.TRAINS: {
        3: "mexican train open, marker come down, tren mexicano abierto, allowed on, close my "
        "train, which train, anyone play on mine, play on mine, whose marker, on mine, marker, "
        "markers, is my train, which trains, whose train, whose trains, trains are, train open, "
        "trains open, train up, train closed, train private, mine private, mine open, why not "
        "NAME, play on, play there, put on, where can i play, where may i play, NAME train, "
        "tren abierto, trenes abiertos, trenes estan, tren de, marcador, elses train, others "
        "train",
        2: "private, train, trains, tren, trenes, open, public, abierto, abiertos, up, where",
        1: "on, can, which, whose, donde, my, NAME, mine",
    },
    Topic.FAIR: {
        3: "peek at, see what i, see my hand, see my tiles, see my cards, NAME see my, others see "
        "my, they see my, somebody see, anybody see, is fixed, not fixed, fixed, crooked, de "
        "fiar, tampered, fair, unfair, cheat, cheats, cheating, cheated, cheater, rigged, "
        "honest, random, shuffle, shuffled, shuffles, mixed, mixes, you see my, see his, see "
        "her, see their, see NAME, sees my, look at my, peek, see others, see other, trust, "
        "manipulated, justo, justa, trampa, trampas, tramposo, limpio, barajado, baraja, "
        "barajo, ven mis, ve mis, ven fichas, ver fichas, azar, amanado, fiarme",
        2: "see, know, proof, deal, deck, ver, prueba, verified, checked",
        1: "bots, bot, hands, tiles, NAME, mano, fichas, who, can",
    },
    Topic.ODDS: {
        3: "who could have, who has NUMBER, gone already, not been played, have been played, been "
        "played, could NAME be, could NAME have, NUMBER are out, odds, chance, chances, "
        "probability, likely, what is out, is out, still out, are out, NAME holding, might "
        "have, could have, does NAME have NUMBER, NUMBER are left, NUMBERS are left, "
        "probabilidad, probabilidades, faltan, han salido, que tiene NAME",
        2: "out, NUMBER left, salido, could NAME, can NAME, probable",
        1: "know, which, tiles, many, left, play, hold",
    },
    Topic.HAND: {
        3: "i see my tiles, want to see my hand, want to see my tiles, i see my hand, show my "
        "tiles, in my hand, my tiles, tiles do i have, do i have in hand, mis fichas, mi mano, "
        "fichas tengo, what do i hold, tiles do i hold, what do i have",
        2: "my hand, hand, mano",
        1: "show, what, which, tiles, fichas, que, muestra",
    },
    Topic.SIGNS: {
        3: "signs, symbols, symbol, icons, letters mean, signs mean, abbreviations, legend, "
        "signos, simbolos, simbolo, leyenda",
        2: "mean, significan",
        1: "what, que",
    },
    Topic.COVER: {
        3: "cover it, cover double, cover that, cover this, have to cover, must i cover, covered, "
        "cubrir, cubro, cubrirlo, cover",
        2: "double, doubles, doble, too, owed",
        1: "have to, must, do i, tengo que, hay que",
    },
    Topic.RULES: {
        3: "standard rules, which house rules, what game is this table, in rules, set do we, which "
        "set, que reglas, do we use, rules, rule, ruleset, settings, variant, first turn, start "
        "mexican train, play NUMBER, only get, do i get, are we playing, will we play, reglas, "
        "regla, variante, jugamos con, begin mexican train, more than NUMBER",
        2: "allowed, tiles on, get NUMBER, playing",
        1: "what, which, show, can i, why, que, con, where",
    },
    Topic.CHANGE: {
        3: "change, more rounds, fewer rounds, less rounds, house rules, other rules, different "
        "rules, NUMBER rounds instead, instead, customize, cambiar, cambio, otras reglas, mas "
        "rondas, menos rondas",
        2: "rounds, seats, rules, set, bots, rondas, asientos",
        1: "can i, can we, how do i, how, puedo, podemos, different",
    },
    Topic.COMPANY: {
        3: "NAME joined, people join, joined yet, is everybody here, everybody here, everyone "
        "here, brother get, quien esta, do others get, who is here, who else, who is playing, "
        "who is in, who are they, who are we waiting for, waiting for NAME, wait for NAME, how "
        "long do we wait, is NAME gone, is NAME here, is NAME there, is NAME away, is NAME "
        "back, is NAME offline, has NAME left, has NAME gone, did NAME leave, did NAME quit, "
        "did NAME go, NAME left, happened to NAME, where is NAME, where is everybody, where is "
        "everyone, everybody gone, everyone gone, is away, code, join code, invite, friend "
        "join, play with, play together, play against, con amigos, con mis amigos, tables, "
        "table, mesas, mesa, friends join, others join, get in, get here, quien juega, quienes, "
        "donde esta NAME, codigo, invitar, unirse, se une, se fue",
        2: "gone, away, here, everybody, everyone, join, friend, friends, amigo, amigos, "
        "connected, offline, NAME, happened",
        1: "who, where, how, quien, donde",
    },
    Topic.WITHOUT: {
        3: "skip NAME, without NAME, kick NAME, get rid of NAME, sin NAME",
        2: "skip, kick",
        1: "can we, how",
    },
    Topic.REVIEW: {
        3: "mistake, mistakes, my mistakes, done better, played better, do better, go wrong, "
        "review, errores, error, repaso, hacer mejor",
        2: "better, wrong, mejor",
        1: "where, what, my, have, could",
    },
    Topic.TAKE_BACK: {
        3: "my tile back, tile back, reversed, reverse, revert, take back, take it back, take that "
        "back, undo, unplay, take move back, undo that, deshacer, deshago, deshacerlo, retirar, "
        "volver atras, mistyped, oops, wrong tile",
        2: "back, misclick",
        1: "can i, want to, it, that",
    },
    Topic.AGAIN: {
        3: "one more round, play another, new round, again, another game, another round, another "
        "one, one more, rematch, otra partida, otra vez, otra ronda, revancha, play again",
        2: "another, more, otra",
        1: "can we, game, partida",
    },
    Topic.LEAVE: {
        3: "let me out, take me out, dejo, dejar, dejar partida, get out of, i get out, wrong "
        "thing, log out, close program, close app, quit, leave, exit, stop, end game, finish, "
        "pause, not want this, not want to play, go back, get out, get me out, want out, go "
        "home, menu, main menu, back to, give up, resign, have to go, save, saved, new game, "
        "start over, start again, restart, begin again, wrong game, finish tomorrow, until "
        "tomorrow, continue tomorrow, close this, close it, salir, salgo, irme, me voy, "
        "dejarlo, parar, terminar, volver, pausa, guardar, mi casa, empezar de nuevo, seguir "
        "manana, no quiero",
        2: "cancel, abort, out of here, back, abandon",
        1: "how, want, i, now, como, quiero, here, can i, can we",
    },
    Topic.UNABLE: {
        6: "if i can not, if you can not, if we can not, if i am not able to, if nothing fits, "
        "if i have nothing, si no puedo, si no puedes, si nada encaja",
        1: "what, happens, que, pasa",
    },
    Topic.FIRST: {
        5: "who went first, who goes first, who go first, who played first, who play first, who "
        "plays first, who began, who started, who start, who begin, who had first turn, quien "
        "empezo, quien empieza, quien comenzo, quien comienza, quien jugo primero, quien juega "
        "primero, quien fue primero",
        1: "round, game, ronda, partida",
    },
    Topic.AUTO: {
        5: "play for me, plays for me, play by itself, play by yourself, play instead of me, "
        "juega por mi, jugar por mi",
        3: "auto, autoplay, automatic, automatically, autopilot, automatico, piloto automatico",
        1: "turn on, can, how, you",
    },
    Topic.CHAT: {
        3: "talk to, chat, send message, message, write to, speak to, hablar, hablo, chatear, "
        "mensaje",
        2: "talk, tell, speak",
        1: "how, can i, como, others, NAME, everybody, demas",
    },
    Topic.NAMING: {
        3: "different name, another name, my name, change name, rename, otro nombre, mi nombre, "
        "cambiar nombre",
        2: "name, nombre, called",
        1: "can i, how, change",
    },
    Topic.COMMANDS: {
        3: "words do you, what words, can i ask things, do you understand, commands, command, can "
        "i type, can i ask, can i say, what to type, do i type, list of, keys, keyboard, "
        "shortcuts, use this, can i do here, comandos, teclas, puedo escribir, controls",
        2: "type, press, key, escribir",
        1: "what, which, how, que",
    },
    Topic.TALK: {
        3: "how is your, how are, hi, hello, hey, hola, gg, good game, good luck, nice one, nice "
        "move, lol, haha, jaja, jajaja, sorry, thank, thanks, congratulations, congrats, "
        "welcome, hurry, shut up, brb, afk, wow, yay, dinner, lunch, coffee, cafe, beer, break, "
        "cheers, good night, bravo, knock, see you, see ya, come on, felicidades, enhorabuena, "
        "suerte, perdon, buena jugada, bien jugado, buenas, nos vemos, how are you, how was, "
        "old, como estas",
        2: "time is it, cat, dog, kids, children, news, weather, rain, raining, cousin, sister, "
        "brother, often, pass me, hear, tomorrow, manana, you, your, yours, good, nice, lucky, "
        "luck, mean, love, hate, like, let, us, minute, moment, second, time, phone, everybody, "
        "all, late, morning, evening, today, yesterday, week, work, home, mother, birthday, "
        "eres, estas, tu, bueno, buena, quiere, fun, friend",
        1: "we, anyone, my, NAME, and, always, luego, ahora vuelvo, really, going",
    },
}

CONTRACTIONS: Final = {
    "whats": "what is",
    "whatre": "what are",
    "wats": "what is",
    "whos": "who is",
    "wheres": "where is",
    "hows": "how is",
    "whens": "when is",
    "whys": "why is",
    "thats": "that is",
    "its": "it is",
    "im": "i am",
    "ive": "i have",
    "id": "i would",
    "ill": "i will",
    "dont": "do not",
    "doesnt": "does not",
    "didnt": "did not",
    "isnt": "is not",
    "arent": "are not",
    "wasnt": "was not",
    "cant": "can not",
    "cannot": "can not",
    "couldnt": "could not",
    "shouldnt": "should not",
    "wont": "will not",
    "wouldnt": "would not",
    "lets": "let us",
    "wat": "what",
    "wut": "what",
    "wot": "what",
    "u": "you",
    "r": "are",
    "ur": "your",
    "loose": "lose",
    "k": "ok",
}
"""Contractions as people write them without an apostrophe, and other spellings."""

ASKING: Final = word_set(
    "esta estan what which who whose when where why how can could may should do does did is are "
    "am was i show help explain tell give que cual quien cuando donde como por puedo hay es son "
    "quiero dame cuantas cuantos no"
)
"""Words that begin a question or a plea."""

WISHING: Final = word_set("i show help tell give quiero dame no")
"""The words of `ASKING` that may wish for a command."""

GRAMMAR: Final = word_set(
    "i you he she it we they me him her us them my your his our their this that these those is "
    "are am was were be been do does did has have had can could may might must will would shall "
    "should not no yes if in on of to for from with by at as or and but than there here what "
    "which who whose when where why how get got any some one only still already also too very "
    "much many que cual quien cuando donde como por para con sin de del al en y o si se te le "
    "lo mi mis tu tus su sus es son soy esta este esto esa ese eso hay ha han tengo tiene "
    "tienen ser estar yo somos muy mas want wants think tile tiles domino train game round play "
    "plays playing played ficha fichas tren juego partida ronda jugar"
)
"""Known words that say nothing about the topic by themselves."""

LEFT_OUT: Final = word_set(
    "the a an el la los las un una please pls plz just so then well um uh ah oh hmm actually ok "
    "okay vale exactly"
)
"""Filler words that have no meaning here."""
