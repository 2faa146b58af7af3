/* The vote of protocol.md 4.7: one step k of a table of N seats, in Promela for Spin.
 *
 * Every seat has one entry to write in k. An honest seat has signed it (one that reaches nobody is as
 * good as none), takes what reaches it, says who is missing, and closes k with all entries or
 * without a set S. Anything signed may reach anybody at
 * any time, in any order, or never. A seat of BYZ signs its one entry and any votes, up to
 * BYZ_SETS different sets, and shows each to whom it likes.
 *
 * Property: of two honest seats that have closed k otherwise, one has given the other up; with PARTS
 * also: not each the other, so that no two parts of a table both go on.
 */
#ifndef N
#define N 3
#endif
#ifndef BYZ
#define BYZ 0           /* mask of the seats that lie */
#endif
#ifndef BYZ_SETS
#define BYZ_SETS 2      /* different sets that a lying seat signs */
#endif
#ifndef SETS
#define SETS 2          /* different sets that an honest seat says */
#endif
#ifndef VOUCH
#define VOUCH 1         /* rule: an entry of a seat we named only from who has gone on past k with it */
#endif
#ifndef HEARD
#define HEARD 1         /* rule: nobody is named of whom we have heard who is missing */
#endif
#ifndef TAKEN
#define TAKEN 1         /* rule: no vote is taken of a seat whose own entry is lacking */
#endif
#ifndef NESTED
#define NESTED 0        /* a rule there is not: who votes again names whom it has named before, and more */
#endif
#ifndef MAJORITY
#define MAJORITY 1      /* rule: fewer than half are named */
#endif
#ifndef BYZ_VOUCHES
#define BYZ_VOUCHES 0   /* a lying seat says that it has gone on past k, too, when it likes */
#endif

#ifndef PARTS
#define PARTS 0         /* the second half of the property, too */
#endif

#define ALL    ((1 << N) - 1)
#define OPEN   255
#define BIT(m, at) (((m) >> (at)) & 1)
#define HONEST(at) (!BIT(BYZ, at))

/* The sets that may be named, by number: single seats first, then, where allowed, pairs. */
#if N == 3
#if MAJORITY
#define M 3
#else
#define M 6
#endif
#define SET(s) (s < 3 -> 1 << s : (s == 3 -> 3 : (s == 4 -> 5 : 6)))
#elif N == 4
#if MAJORITY
#define M 4
#else
#define M 10
#endif
#define SET(s) (s < 4 -> 1 << s : (s == 4 -> 3 : (s == 5 -> 5 : (s == 6 -> 9 : \
    (s == 7 -> 6 : (s == 8 -> 10 : 12))))))
#else
#ifndef M
#define M 15
#endif
#define SET(s) (s < 5 -> 1 << s : (s == 5 -> 3 : (s == 6 -> 24 : (s == 7 -> 5 : (s == 8 -> 9 : \
    (s == 9 -> 17 : (s == 10 -> 6 : (s == 11 -> 10 : (s == 12 -> 18 : (s == 13 -> 12 : 20))))))))))
#endif

byte has[N];            /* whose entries of k a seat holds */
byte knows[N * M];      /* of each set: who has said so, as far as a seat knows */
byte heard[N];          /* whose votes a seat knows */
byte named[N * N];      /* all seats named together with this one, by a seat */
byte mine[N];           /* all seats that a seat has named */
byte said[N];           /* how many sets a seat has said */
short signed_by[N];     /* which sets a lying seat has signed */
byte closed[N] = OPEN;  /* the set without which a seat has closed k */

#define PAST(i, j, p) (p < N && p != i && !BIT(named[i * N + j], p) && \
    (HONEST(p) -> closed[p] != OPEN && !BIT(closed[p], j) : BYZ_VOUCHES))
#define VOUCHED(i, j) (PAST(i, j, 0) || PAST(i, j, 1) || PAST(i, j, 2) || PAST3(i, j) || PAST4(i, j))
#if N > 3
#define PAST3(i, j) PAST(i, j, 3)
#else
#define PAST3(i, j) 0
#endif
#if N > 4
#define PAST4(i, j) PAST(i, j, 4)
#else
#define PAST4(i, j) 0
#endif
#define TAKES(i, j) (!VOUCH || named[i * N + j] == 0 || VOUCHED(i, j))

#define OTHERWISE(a, b) (closed[a] != OPEN && closed[b] != OPEN && closed[a] != closed[b])
#if PARTS
#define PARTED(a, b) (OTHERWISE(a, b) && BIT(closed[a], b) == BIT(closed[b], a))
#else
#define PARTED(a, b) (OTHERWISE(a, b) && !BIT(closed[a], b) && !BIT(closed[b], a))
#endif

inline settle() {
    d_step {
        x = M;
        do
        :: x > 0 -> /* the largest first: pairs have the higher numbers */
            x--;
            if
            :: closed[i] == OPEN && (knows[i * M + x] | SET(x)) == ALL && (has[i] | SET(x)) == ALL ->
                closed[i] = SET(x)
            :: else
            fi
        :: else -> break
        od;
        if
        :: closed[i] == OPEN && has[i] == ALL -> closed[i] = 0
        :: else
        fi;
        x = 0;
        do
        :: x < N ->
            assert(!(HONEST(x) && x != i && PARTED(i, x)));
            x++
        :: else -> break
        od;
        x = 0
    }
}

#define TAKE(j) \
    :: atomic { closed[i] == OPEN && i != j && !BIT(has[i], j) && (HONEST(j) -> BIT(has[j], j) : 1) && \
        TAKES(i, j) -> has[i] = has[i] | (1 << j); settle() }

#define HEAR(j, s) \
    :: atomic { closed[i] == OPEN && i != j && j < N && s < M && !BIT(SET(s), j) && \
        (!TAKEN || BIT(has[i], j)) && \
        !BIT(knows[i * M + s], j) && \
        (HONEST(j) -> BIT(knows[j * M + s], j) : BIT(signed_by[j], s) || said[j] < BYZ_SETS) && \
        TAKES(i, j) -> \
        if :: !HONEST(j) && !BIT(signed_by[j], s) -> \
            signed_by[j] = signed_by[j] | (1 << s); said[j]++ :: else fi; \
        knows[i * M + s] = knows[i * M + s] | (1 << j); heard[i] = heard[i] | (1 << j); settle() }

#define SAY(s) \
    :: atomic { closed[i] == OPEN && said[i] < SETS && s < M && \
        !BIT(SET(s), i) && !BIT(knows[i * M + s], i) && (SET(s) & ~has[i]) != 0 && \
        (!HEARD || (SET(s) & heard[i]) == 0) && (!NESTED || (mine[i] & ~SET(s)) == 0) -> \
        mine[i] = mine[i] | SET(s); \
        knows[i * M + s] = knows[i * M + s] | (1 << i); said[i]++; name(s); settle() }

/* What seat i does with set number s: say it, or hear it of another. */
#if N == 3
#define ABOUT(s) SAY(s) HEAR(0, s) HEAR(1, s) HEAR(2, s)
#elif N == 4
#define ABOUT(s) SAY(s) HEAR(0, s) HEAR(1, s) HEAR(2, s) HEAR(3, s)
#else
#define ABOUT(s) SAY(s) HEAR(0, s) HEAR(1, s) HEAR(2, s) HEAR(3, s) HEAR(4, s)
#endif

inline name(set) {
    d_step {
        x = 0;
        do
        :: x < N ->
            if
            :: BIT(SET(set), x) -> named[i * N + x] = named[i * N + x] | SET(set)
            :: else
            fi;
            x++
        :: else -> break
        od;
        x = 0
    }
}

proctype seat(byte i) {
    byte x = 0;
    do
    TAKE(0)
    TAKE(1)
    TAKE(2)
#if N > 3
    TAKE(3)
#endif
#if N > 4
    TAKE(4)
#endif
    ABOUT(0)
    ABOUT(1)
    ABOUT(2)
#if M > 3
    ABOUT(3)
#endif
#if M > 4
    ABOUT(4)
    ABOUT(5)
#endif
#if M > 6
    ABOUT(6)
    ABOUT(7)
    ABOUT(8)
    ABOUT(9)
#endif
#if M > 10
    ABOUT(10)
    ABOUT(11)
    ABOUT(12)
    ABOUT(13)
    ABOUT(14)
#endif
    od
}

init {
    byte at = 0;
    atomic {
        do
        :: at < N ->
            if
            :: HONEST(at) -> has[at] = 1 << at; run seat(at)
            :: else
            fi;
            at++
        :: else -> break
        od
    }
}
