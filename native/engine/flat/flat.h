/* A round in play, with every tile known, as one flat value that is changed in place.

   It is what `engine.table` says about a round in play, in integers and bit sets, so that a bot can
   play rounds out by the thousand: a move allocates nothing, and to copy a round is to copy nine
   kilobytes.
   No rule is declared here. What the rules of a table come to arrives as facts (FACTS below), each
   of which `engine.bots.facts` reads off the switch that says it; what this code makes of them is
   held to `engine.play` by a program that carries every step out in both
   (`tests.engine.bots.lockstep`).

   What is rare stays with the rulebook in Python, and the caller is told to ask it: for lists
   with pairs, with chains that must go on, with calls or markers by choice; for the policy's
   choice where the whole hand decides. Drives, bullet trains and openings of all at once are not
   known at all. What is ugly: a rule that changes what a move does is written twice. A rule may
   be written in Python alone, as long as `engine.bots.flat.is_flat` keeps its tables away from
   here.

       reach.c    which ends take tiles, and which tiles are denied: engine.play.reach, places,
                  playable, denial, claim, legal_moves
       steps.c    what a move changes: engine.play.lay, draw_or_pass, turn_end, calls
       policy.c   the quick policy that plays for all seats: engine.bots.policy
       module.c   the two Python types

   Tiles are numbered by weight, as in `engine.bots.numbered`: the highest bit is the heaviest. */

#ifndef BONEYARD_FLAT_H
#define BONEYARD_FLAT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    TILES = 190,    /* of the largest set */
    PIPS = 19,
    SEATS = 14,
    TRAINS = 64,    /* a seat's own, and one for each tile that joins a hub which is not wild */
    ENDS = 92,      /* of all trains together, when a round is taken */
    ROOM = 192,     /* for those and what comes later: two a double, one a train */
    DOUBLES = 64,   /* in a row: those of a turn, and those that are owed */
    GIVEN = 24,     /* of them when a round is taken; each later one is another tile */
    PLACES = ROOM + DOUBLES,
    MOVES = 4096,   /* that are listed; where there are more, the rulebook lists them */
    CHAIN = TILES,  /* tiles of one plan */
    CAME = 256,     /* between two tiles that come to a hand, so that others fit between them */
    HUB = -1,
    NONE = -1,
};

#define FACTS(fact) \
    fact(seats) fact(pip_max) fact(arms) fact(many_mexican) fact(partners) fact(passes_duty) \
    fact(shuts_others) fact(needs_own) fact(first_turns) fact(elsewhere) fact(branching) \
    fact(more_covers) fact(others_may) fact(chain) fact(may_wait) fact(chain_double_refused) \
    fact(leaves_duty) fact(brings_extra) fact(ends_turn) fact(free_to_layer) fact(shared) \
    fact(one_double) fact(held_pair) fact(marker_frees) fact(down_by_open_double) \
    fact(down_by_anybody) fact(last_refused) fact(last_asks_cover) fact(miss_draws) \
    fact(layer_draw_only) fact(until_playable) fact(continuous) fact(draws_again) \
    fact(double_public) fact(last_played_first) fact(last_plays) fact(caught) fact(voluntary) \
    fact(pass_without_marker) fact(marks_always) fact(taps) fact(bullet) fact(speaks)
/* The facts of a table's rules, by the names by which `engine.bots.facts` gives them. */

enum { NO_BRANCHES, CHICKEN_FOOT, THREE_REQUIRED, SPUR };  /* by the fact `branching` */
enum { NO_TAPS, TAP_AT_ONE, TAP_BEFORE };                   /* by the fact `taps` */

typedef struct { uint64_t w[3]; } Bits;

typedef struct {
#define FIELD(name) int name;
    FACTS(FIELD)
#undef FIELD
    int tiles;                       /* of this set */
    uint32_t faces[PIPS];            /* by pip of an end: the pips that join it */
    uint8_t low[TILES], high[TILES]; /* by number */
    uint8_t rank[TILES];             /* by number: its place in canonical order */
    int8_t far[PIPS][TILES];         /* by pip of an end, by number; NONE where it does not join */
    Bits fits[PIPS];                 /* by pip of an end: the tiles that join it */
    Bits of_pip[PIPS];               /* by pip: its double */
    Bits doubles, set;
} Rules;

/* Stages of a turn, as `engine.table.turn` has them. */
typedef enum { START, EXTRA, HELD, LOST, MUST_COVER, MAY_COVER, IN_CHAIN } Stage;

typedef struct {
    uint8_t tile, joined, seat, train;
    int16_t on;      /* index in its train, or HUB */
    uint8_t index;   /* its own index in its train */
    uint8_t hung;    /* how many tiles hang on it */
    int8_t end;      /* the pip that it leaves open */
} Lay;

typedef struct {
    int8_t train;    /* index in the table's trains: seats first, then the Mexican trains */
    int8_t pip;
    int16_t on;      /* index in its train, or HUB */
    int16_t lay;     /* index in the round's lays, or HUB */
} End;

typedef struct {
    uint8_t lays, ends;
    bool marker;
    int16_t end;     /* the first of its open ends; others follow by `next` */
} Train;

typedef struct {
    End at;
    uint8_t need;
    bool begun;
    uint16_t left;
} Owed;

typedef struct {
    Stage stage;
    int16_t chain;             /* the last lay of a chain */
    Bits drawn;                /* tiles drawn in this turn */
    End doubles[DOUBLES];
    uint8_t doubles_count;
    bool laid, from_hand, started, tapped;
    int8_t mark;               /* 1 up, 0 down, NONE */
} Turn;

typedef struct {
    const Rules *rules;
    /* the round: whether it is over, and how */
    bool over, blocked;
    int8_t out_seat;
    uint8_t to_move, hub_pip;
    int turns;
    bool drawn;
    uint16_t passed, gone;
    Bits seen;
    /* trains */
    uint8_t trains_count;
    Train trains[TRAINS];
    int16_t lays_count;
    Lay lays[TILES];
    int16_t ends_count;
    struct { int16_t on, lay, next; int8_t pip; } ends[ROOM];
    /* hands and boneyard; `came` orders the tiles of a hand as they came to it */
    Bits hands[SEATS];
    uint8_t held[SEATS];
    uint16_t came[TILES], came_next;
    uint8_t boneyard[TILES];
    int16_t boneyard_at, boneyard_count;
    /* what is owed, the turn, and what the round remembers */
    uint8_t owed_count;
    Owed owed[DOUBLES];
    Turn turn;
    bool stocked, closing;
    uint8_t last_left;         /* last turns left; 0 where none have begun */
    int8_t first_out;
    uint16_t tapped, silent, failed, voluntary;
    uint8_t opened_count;
    End opened[2 * SEATS];
    /* the quick policy: planned trains, next tile last */
    uint8_t plan[SEATS][CHAIN];
    uint8_t plan_count[SEATS];
    Bits plan_bits[SEATS];
    int8_t plan_from[SEATS];
} Round;

/* Where the seat in turn may lay: `engine.play.places.OpenEnds`. */
typedef struct {
    End plain[PLACES], doubles[PLACES];
    int plain_count, doubles_count;
    bool paired, led, needs_start, has_duty;
    End duty;
    uint64_t unbound;          /* bit set of trains */
} Places;

typedef enum { LAY, DRAW, PASS, DONE } Kind;

typedef struct {
    Kind kind;
    uint8_t tile, joined;
    int8_t train;
    int16_t on;
} Move;

/* ---- bit sets ------------------------------------------------------------------------------- */

static inline Bits none(void) { return (Bits){{0, 0, 0}}; }
static inline Bits bit_of(int at) { Bits b = none(); b.w[at >> 6] = 1ull << (at & 63); return b; }
static inline bool has(Bits b, int at) { return b.w[at >> 6] >> (at & 63) & 1; }
static inline Bits both(Bits a, Bits b) {
    return (Bits){{a.w[0] & b.w[0], a.w[1] & b.w[1], a.w[2] & b.w[2]}};
}
static inline Bits either(Bits a, Bits b) {
    return (Bits){{a.w[0] | b.w[0], a.w[1] | b.w[1], a.w[2] | b.w[2]}};
}
static inline Bits without(Bits a, Bits b) {
    return (Bits){{a.w[0] & ~b.w[0], a.w[1] & ~b.w[1], a.w[2] & ~b.w[2]}};
}
static inline bool any(Bits b) { return (b.w[0] | b.w[1] | b.w[2]) != 0; }
static inline int count(Bits b) {
    return __builtin_popcountll(b.w[0]) + __builtin_popcountll(b.w[1])
        + __builtin_popcountll(b.w[2]);
}
static inline void add(Bits *b, int at) { b->w[at >> 6] |= 1ull << (at & 63); }
static inline void drop(Bits *b, int at) { b->w[at >> 6] &= ~(1ull << (at & 63)); }
static inline int highest(Bits b) {  /* of a set that is not empty */
    int word = b.w[2] ? 2 : b.w[1] ? 1 : 0;
    return word * 64 + 63 - __builtin_clzll(b.w[word]);
}

/* ---- reach.c -------------------------------------------------------------------------------- */

static inline Bits unseen_tiles(const Round *r) { return without(r->rules->set, r->seen); }
static inline bool is_double(const Rules *u, int tile) { return u->low[tile] == u->high[tile]; }
static inline bool is_dead(const Round *r, int pip) {
    return !any(both(r->rules->fits[pip], unseen_tiles(r)));
}
static inline bool same_place(End a, End b) { return a.train == b.train && a.on == b.on; }

int partner_of(const Rules *rules, int seat);
bool is_own(const Round *round, int seat, int train);
bool has_started(const Round *round, int seat);
bool chains_now(const Round *round);
bool is_free_on(const Round *round, int train);
bool owed_before(const Round *round, End *found);
bool by_choice(const Rules *rules);
bool is_for_drawn(const Round *round);
bool shuts_doubles(const Round *round);
bool draw_due(const Round *round);
bool is_due(const Round *round);
bool denies_all(const Round *round);
void places(const Round *round, Places *found);
/* Of the seat in turn, whose places these are; NONE where the rulebook must be asked. */
int legal_moves(const Round *round, const Places *places, Move *found);
int is_legal(const Round *round, const Places *places, Move move);

/* ---- steps.c -------------------------------------------------------------------------------- */

void carry_out(Round *round, Move move);
void tap_where_due(Round *round);

/* ---- policy.c ------------------------------------------------------------------------------- */

void plan_anew(Round *round, int seat);
void make(Round *round, Move move);
bool choose(Round *round, Move *found);            /* false where the rulebook must be asked */

#endif
