/* The vote of protocol.md 4.7: one step k of a table of N seats, in Promela for Spin.
 *
 * Every seat has one entry to write in k. An honest seat has signed it (one that reaches nobody is as
 * good as none), takes what reaches it, says in BALLOTS ballots who is missing, and closes k with
 * all entries or without a set S. Anything signed may reach anybody at any time, in any order, or
 * never. A seat of BYZ signs its one entry and any votes, up to BYZ_SETS different ones, and shows
 * each to whom it likes.
 *
 * Property: of two honest seats that have closed k otherwise, one has given the other up, or gone on
 * without its say; with PARTS also: not each the other, so that no two parts of a table both go on.
 */
#ifndef N
#define N 3
#endif
#ifndef BALLOTS
#define BALLOTS 2
#endif
#ifndef BYZ
#define BYZ 0           /* mask of the seats that lie */
#endif
#ifndef BYZ_SETS
#define BYZ_SETS 2      /* different votes that a lying seat signs */
#endif
#ifndef SETS
#define SETS 2          /* votes of an honest seat, in each ballot */
#endif
#ifndef NAMEABLE
#define NAMEABLE ((1 << N) - 1) /* seats that anybody names */
#endif
#ifndef CAUTIOUS
#define CAUTIOUS (BALLOTS > 1)  /* rule: an entry of whom we named in an earlier ballot, where we take
                                   all entries now, only once all others have said the same */
#endif
#ifndef LOCK
#define LOCK 1          /* rule: no vote of an earlier ballot than our own is taken */
#endif
#ifndef VOUCH
#define VOUCH 1         /* rule: an entry of a seat we named only from who has gone on past k with it */
#endif
#ifndef FAR
#define FAR 1           /* rule: who vouches, once we are past the first ballot, was named in none */
#endif
#ifndef HEARD
#define HEARD 1         /* rule: nobody is named in a ballot who has been heard in it; stricter than
                           the text, which forbids it only of who has said there what we have */
#endif
#ifndef TAKEN
#define TAKEN 1         /* rule: no vote is taken of a seat whose own entry is lacking */
#endif
#ifndef NESTED
#define NESTED 1        /* rule: who votes again in a ballot names whom it has named in it, and more */
#endif
#ifndef WHOLE
#define WHOLE 1         /* votes to take all entries */
#endif
#ifndef BYZ_VOUCHES
#define BYZ_VOUCHES 0   /* a lying seat says that it has gone on past k, too, when it likes */
#endif
#ifndef PARTS
#define PARTS 0         /* the second half of the property, too */
#endif

#define ALL    ((1 << N) - 1)
#define OPEN   255
#define NONE   255
#define BIT(m, at) (((m) >> (at)) & 1)
#define HONEST(at) (!BIT(BYZ, at))

/* The sets that may be named are single seats: fewer than half of three or four. */
#define M N
#define SET(s) (1 << (s))
#define K(i, b, s) ((i * BALLOTS + b) * M + s)

byte has[N];                    /* whose entries of k count for a seat */
byte knows[N * BALLOTS * M];    /* of each set in each ballot: who has said so, as far as a seat knows */
byte whole[N * BALLOTS * M];    /* likewise, who has said that all entries are taken without its say */
byte heard[N * BALLOTS];        /* whose votes of a ballot a seat knows */
byte named[N * BALLOTS];        /* all seats that a seat has named in a ballot */
byte ballot[N] = NONE;          /* the highest ballot in which a seat has said anything */
byte said[N * BALLOTS];         /* how often an honest seat has voted in a ballot; a lying one: in 0 */
byte takes[N];                  /* ballots in which a seat has said that it takes all entries */
short lied[BALLOTS * 2];        /* which votes of a lying seat exist: without, whole; by N * seat + set */
byte closed[N] = OPEN;          /* the set without which a seat has closed k, and in which ballot */
byte at_ballot[N];
byte without[N];                /* whose say it took none of when it closed k */
byte after[N];                  /* whom those have gone on without who vouched */

#define MINE(i) (named[i * BALLOTS] | (BALLOTS > 1 -> named[i * BALLOTS + BALLOTS - 1] : 0))
#define AT(i) (ballot[i] == NONE -> 0 : ballot[i])
#define NOW(i) (named[i * BALLOTS + AT(i)])
#define TAKES_ALL(i) (BIT(takes[i], AT(i)))

/* Every set that i has said in its ballot to be without its say, and whether one is agreed. */
#define FULL1(i, s) (BIT(whole[K(i, AT(i), s)], i) && (whole[K(i, AT(i), s)] | SET(s)) == ALL)
#if N == 3
#define FULL(i) (FULL1(i, 0) || FULL1(i, 1) || FULL1(i, 2))
#else
#define FULL(i) (FULL1(i, 0) || FULL1(i, 1) || FULL1(i, 2) || FULL1(i, 3))
#endif

#define BOUND(i, j) (ballot[i] != NONE && \
    (TAKES_ALL(i) -> CAUTIOUS && !FULL(i) && BIT(MINE(i), j) : BIT(NOW(i), j)))
#define BOUND_VOTE(i, j, b) (ballot[i] != NONE && \
    ((LOCK && b < ballot[i]) || BIT(named[i * BALLOTS + b], j)))

/* Sets are single seats: those we named together with j are j itself. */
#define PAST(i, j, p) (p < N && p != i && \
    !BIT((ballot[i] == 0 || !FAR -> SET(j) & MINE(i) : MINE(i)), p) && \
    (HONEST(p) -> closed[p] != OPEN && !BIT(closed[p], j) : BYZ_VOUCHES))
#define PASTV(i, j, p, b, s) (p < N && p != i && \
    !BIT((ballot[i] == 0 || !FAR -> SET(j) & MINE(i) : MINE(i)), p) && \
    (HONEST(p) -> closed[p] == SET(s) && at_ballot[p] == b : BYZ_VOUCHES))

#define OTHERWISE(a, b) (closed[a] != OPEN && closed[b] != OPEN && \
    (closed[a] != closed[b] || (closed[a] != 0 && at_ballot[a] != at_ballot[b])))
#if PARTS
#define PARTED(a, b) (OTHERWISE(a, b) && BIT(without[a], b) == BIT(without[b], a))
#else
#define PARTED(a, b) (OTHERWISE(a, b) && !BIT(without[a], b) && !BIT(without[b], a))
#endif

inline close(set, in, but) {
    closed[i] = set; at_ballot[i] = in; without[i] = but
}

inline settle() {
    d_step {
        if
        :: closed[i] == OPEN ->
            x = BALLOTS * M;
            do
            :: x > 0 -> /* the highest ballot first */
                x--;
                if
                :: closed[i] == OPEN && (knows[K(i, (x / M), (x % M))] | SET((x % M))) == ALL && \
                   (has[i] | SET((x % M))) == ALL ->
                    close(SET((x % M)), x / M, SET((x % M)) | after[i])
                :: else
                fi
            :: else -> break
            od;
            if
            :: closed[i] == OPEN && has[i] == ALL ->
                close(0, 0, after[i]);
                x = 0;
                do
                :: x < M ->
                    if
                    :: ballot[i] != NONE && FULL1(i, x) -> without[i] = without[i] | SET(x)
                    :: else
                    fi;
                    x++
                :: else -> break
                od
            :: else
            fi
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
    :: atomic { closed[i] == OPEN && j < N && i != j && !BIT(has[i], j) && \
        (!VOUCH || !BOUND(i, j)) -> has[i] = has[i] | (1 << j); settle() } \
    VOUCHED(j, 0) VOUCHED(j, 1) VOUCHED(j, 2) VOUCHED3(j)
#define VOUCHED(j, p) \
    :: atomic { closed[i] == OPEN && j < N && i != j && !BIT(has[i], j) && BOUND(i, j) && \
        PAST(i, j, p) -> has[i] = has[i] | (1 << j); after[i] = after[i] | without[p]; settle() }
#if N > 3
#define VOUCHED3(j) VOUCHED(j, 3)
#else
#define VOUCHED3(j)
#endif

#define EXISTS(j, b, s) (HONEST(j) -> BIT(knows[K(j, b, s)], j) : \
    BIT(lied[b], j * M + s) || said[j * BALLOTS] < BYZ_SETS)
#define EXISTSW(j, b, s) (HONEST(j) -> BIT(whole[K(j, b, s)], j) : \
    BIT(lied[BALLOTS + b], j * M + s) || said[j * BALLOTS] < BYZ_SETS)
#define LIE(j, b, s) \
    if :: !HONEST(j) && !BIT(lied[b], j * M + s) -> \
        lied[b] = lied[b] | (1 << (j * M + s)); said[j * BALLOTS]++ :: else fi

#define HEAR(j, b, s) \
    :: atomic { closed[i] == OPEN && j < N && b < BALLOTS && s < M && i != j && s != j && \
        (!TAKEN || BIT(has[i], j)) && !BIT(knows[K(i, b, s)], j) && EXISTS(j, b, s) && \
        (!VOUCH || !BOUND_VOTE(i, j, b) || \
         PASTV(i, j, 0, b, s) || PASTV(i, j, 1, b, s) || PASTV(i, j, 2, b, s) || \
         (N > 3 && PASTV(i, j, (N - 1), b, s))) -> \
        LIE(j, b, s); \
        knows[K(i, b, s)] = knows[K(i, b, s)] | (1 << j); \
        heard[i * BALLOTS + b] = heard[i * BALLOTS + b] | (1 << j); settle() }

#define HEARW(j, b, s) \
    :: atomic { WHOLE && closed[i] == OPEN && j < N && b < BALLOTS && s < M && i != j && s != j && \
        !BIT(whole[K(i, b, s)], j) && EXISTSW(j, b, s) && !BOUND_VOTE(i, j, b) -> \
        LIE(j, (BALLOTS + b), s); \
        whole[K(i, b, s)] = whole[K(i, b, s)] | (1 << j); \
        heard[i * BALLOTS + b] = heard[i * BALLOTS + b] | (1 << j); settle() }

#define SAY(b, s) \
    :: atomic { closed[i] == OPEN && b < BALLOTS && s < M && BIT(NAMEABLE, s) && s != i && \
        (ballot[i] == NONE || b >= ballot[i]) && said[i * BALLOTS + b] < SETS && \
        !BIT(takes[i], b) && !BIT(knows[K(i, b, s)], i) && !BIT(has[i], s) && \
        (!HEARD || !BIT(heard[i * BALLOTS + b], s)) && \
        (!NESTED || (named[i * BALLOTS + b] & ~SET(s)) == 0) -> \
        knows[K(i, b, s)] = knows[K(i, b, s)] | (1 << i); say(b, s); settle() }

/* Who has closed k with all entries says so, in any ballot; who has not, in no lower than its own. */
#define SAYW(b, s) \
    :: atomic { WHOLE && b < BALLOTS && s < M && BIT(NAMEABLE, s) && s != i && \
        !BIT(whole[K(i, b, s)], i) && \
        (closed[i] == 0 || (closed[i] == OPEN && ballot[i] != NONE && b >= ballot[i] && \
         said[i * BALLOTS + b] < SETS && (BIT(takes[i], b) || named[i * BALLOTS + b] == 0))) -> \
        whole[K(i, b, s)] = whole[K(i, b, s)] | (1 << i); \
        if :: closed[i] == OPEN -> takes[i] = takes[i] | (1 << b); say(b, s) :: else fi; settle() }

inline say(in, set) {
    said[i * BALLOTS + in]++;
    named[i * BALLOTS + in] = named[i * BALLOTS + in] | SET(set);
    ballot[i] = in
}

#define ABOUT(b, s) SAY(b, s) HEAR(0, b, s) HEAR(1, b, s) HEAR(2, b, s) HEAR3(b, s)
#define ABOUTW(b, s) SAYW(b, s) HEARW(0, b, s) HEARW(1, b, s) HEARW(2, b, s) HEARW3(b, s)
#if N > 3
#define HEAR3(b, s) HEAR(3, b, s)
#define HEARW3(b, s) HEARW(3, b, s)
#else
#define HEAR3(b, s)
#define HEARW3(b, s)
#endif

proctype seat(byte i) {
    byte x = 0;
    do
    TAKE(0)
    TAKE(1)
    TAKE(2)
#if N > 3
    TAKE(3)
#endif
    ABOUT(0, 0)
    ABOUT(0, 1)
    ABOUT(0, 2)
#if N > 3
    ABOUT(0, 3)
#endif
#if BALLOTS > 1
    ABOUT(1, 0)
    ABOUT(1, 1)
    ABOUT(1, 2)
#if N > 3
    ABOUT(1, 3)
#endif
    ABOUTW(1, 0)
    ABOUTW(1, 1)
    ABOUTW(1, 2)
#if N > 3
    ABOUTW(1, 3)
#endif
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
