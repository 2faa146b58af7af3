/* The quick policy that plays for all seats when rounds are tried out: engine.bots.policy. */

#include "flat.h"

enum { NODES = 60, GOES_ON = 2 };

/* ---- plans ---------------------------------------------------------------------------------- */

typedef struct {
    const Rules *rules;
    uint8_t chain[CHAIN], best[CHAIN];
    int chain_count, chain_sum, best_count, best_sum, left;
} Planning;

static void push(Planning *p, int tile) {
    p->chain[p->chain_count++] = (uint8_t)tile;
    p->chain_sum += tile;
}

static void cut_to(Planning *p, int count) {
    while (p->chain_count > count) p->chain_sum -= p->chain[--p->chain_count];
}

static void keep_best(Planning *p) {
    if (p->chain_count < p->best_count) return;
    if (p->chain_count == p->best_count && p->chain_sum <= p->best_sum) return;
    memcpy(p->best, p->chain, p->chain_count);
    p->best_count = p->chain_count;
    p->best_sum = p->chain_sum;
}

static void extend(Planning *p, Bits hand, int end) {
    const Rules *u = p->rules;
    int mark = p->chain_count;
    for (;;) {
        Bits rest = both(hand, u->fits[end]);
        if (!any(rest)) break;
        Bits own = both(rest, u->of_pip[end]);
        if (any(own)) {
            int tile = highest(own);
            push(p, tile);
            drop(&hand, tile);
            continue;
        }
        int options[TILES], size = 0;
        while (any(rest)) {
            int tile = highest(rest);
            drop(&rest, tile);
            int option = count(both(hand, u->fits[u->far[end][tile]])) << 8 | tile, at = size++;
            for (; at && options[at - 1] < option; at--) options[at] = options[at - 1];
            options[at] = option;
        }
        if (size == 1) {
            int tile = options[0] & 255;
            push(p, tile);
            drop(&hand, tile);
            end = u->far[end][tile];
            continue;
        }
        int most = p->chain_count + count(hand);
        for (int at = 0; at < size && p->left > 0 && most > p->best_count; at++) {
            int tile = options[at] & 255, before = p->chain_count;
            p->left--;
            push(p, tile);
            if (options[at] >> 8 >= GOES_ON) {
                Bits others = hand;
                drop(&others, tile);
                extend(p, others, u->far[end][tile]);
            } else {
                keep_best(p);
            }
            cut_to(p, before);
        }
        break;
    }
    keep_best(p);
    cut_to(p, mark);
}

/* Plans the longest train of a hand from an end; its length, and the tiles, next one last. */
static int planned(const Rules *rules, Bits hand, int end, uint8_t *plan) {
    Planning p;
    p.rules = rules;
    p.chain_count = p.chain_sum = p.best_count = p.best_sum = 0;
    p.left = NODES;
    extend(&p, hand, end);
    for (int at = 0; plan && at < p.best_count; at++) plan[at] = p.best[p.best_count - 1 - at];
    return p.best_count;
}

static int own_pip(const Round *r, int seat) { return r->ends[r->trains[seat].end].pip; }

void plan_anew(Round *r, int seat) {
    int end = own_pip(r, seat), size = 0;
    if (!r->rules->arms) size = planned(r->rules, r->hands[seat], end, r->plan[seat]);
    r->plan_count[seat] = (uint8_t)size;
    r->plan_bits[seat] = none();
    for (int at = 0; at < size; at++) add(&r->plan_bits[seat], r->plan[seat][at]);
    r->plan_from[seat] = (int8_t)end;
}

void make(Round *r, Move move) {
    int seat = r->to_move, tile = move.tile;
    if (move.kind == DRAW) {
        r->plan_from[seat] = NONE;
    } else if (move.kind == LAY && move.train == seat) {
        int end = own_pip(r, seat), left = r->plan_count[seat];
        bool follows = left && r->plan[seat][left - 1] == tile && r->plan_from[seat] == end;
        r->plan_from[seat] = NONE;
        if (follows && move.on == r->ends[r->trains[seat].end].on) {
            drop(&r->plan_bits[seat], tile);
            r->plan_count[seat] = (uint8_t)--left;
            if (left) r->plan_from[seat] = r->rules->far[end][tile];
        }
    } else if (move.kind == LAY && has(r->plan_bits[seat], tile)) {
        r->plan_from[seat] = NONE;
    }
    carry_out(r, move);
    tap_where_due(r);
}

/* ---- choosing ------------------------------------------------------------------------------- */

typedef struct { int tile; End at; } Choice;

static bool same_end(End a, End b) { return same_place(a, b) && a.pip == b.pip; }

static Choice last_fitting(const Rules *u, const End *ends, int size, int tile) {
    for (int at = size - 1; at > 0; at--)
        if (has(u->fits[ends[at].pip], tile)) return (Choice){tile, ends[at]};
    return (Choice){tile, ends[0]};
}

/* In a turn in which no double matters: first what the own train can spare. */
static bool beside_plan(const Round *r, const Places *p, End own, Choice *found) {
    const Rules *u = r->rules;
    int seat = r->to_move, size = 0, left = r->plan_count[seat];
    End others[PLACES];
    Bits wanted = none(), hand = r->hands[seat];
    for (int at = 0; at < p->plain_count; at++)
        if (!same_end(p->plain[at], own)) {
            others[size++] = p->plain[at];
            wanted = either(wanted, u->fits[p->plain[at].pip]);
        }
    wanted = both(wanted, hand);
    Choice next = {left ? r->plan[seat][left - 1] : 0, own};
    Bits spare = without(wanted, r->plan_bits[seat]), best = both(spare, u->doubles);
    if (!any(best)) {
        if (left && r->trains[seat].marker) {
            *found = next;
            return true;
        }
        best = any(spare) ? spare : wanted;
        if (!any(spare) && left && any(wanted)) {
            int tile = highest(wanted);
            best = none();
            if (count(hand) != left) {
                drop(&hand, tile);
                if (planned(u, hand, own.pip, NULL) >= left) best = bit_of(tile);
            }
        }
        if (!any(best)) {
            *found = next;
            return left > 0;
        }
    }
    *found = last_fitting(u, others, size, highest(best));
    return true;
}

/* In a first turn, and where a double matters: the plan, else the heaviest. */
static bool where_it_matters(const Round *r, const Places *p, End own, Choice *found) {
    const Rules *u = r->rules;
    int seat = r->to_move, left = r->plan_count[seat];
    Bits plain = none(), doubles = none();
    for (int at = 0; at < p->plain_count; at++)
        plain = either(plain, u->fits[p->plain[at].pip]);
    for (int at = 0; at < p->doubles_count; at++)
        doubles = either(doubles, u->fits[p->doubles[at].pip]);
    Bits fitting = either(without(plain, u->doubles), both(doubles, u->doubles));
    fitting = both(fitting, r->hands[seat]);
    if (!any(fitting)) return false;
    int next = left ? r->plan[seat][left - 1] : NONE;
    if (next != NONE && has(fitting, next)) {
        bool twin = is_double(u, next);
        const End *ends = twin ? p->doubles : p->plain;
        int size = twin ? p->doubles_count : p->plain_count;
        for (int at = 0; at < size; at++)
            if (same_end(ends[at], own)) {
                *found = (Choice){next, own};
                return true;
            }
    }
    if (r->turn.stage == IN_CHAIN) return false;
    Bits spare = without(fitting, r->plan_bits[seat]), best = both(spare, u->doubles);
    int tile = highest(any(best) ? best : any(spare) ? spare : fitting);
    bool twin = is_double(u, tile);
    *found = last_fitting(u, twin ? p->doubles : p->plain,
                          twin ? p->doubles_count : p->plain_count, tile);
    return true;
}

bool choose(Round *r, Move *found) {
    const Rules *u = r->rules;
    int seat = r->to_move, node = r->trains[seat].end;
    End own = {(int8_t)seat, r->ends[node].pip, r->ends[node].on, r->ends[node].lay};
    Places p;
    Choice lay;
    places(r, &p);
    if (r->plan_from[seat] != own.pip) plan_anew(r, seat);
    bool matters = p.has_duty || p.paired || p.led || r->turn.stage != START || r->turns < u->seats;
    bool lays = matters ? where_it_matters(r, &p, own, &lay) : beside_plan(r, &p, own, &lay);
    if (!lays) {
        bool asked = is_due(r) || r->turn.stage == LOST;
        *found = (Move){.kind = !asked ? DONE : draw_due(r) ? DRAW : PASS};
        return true;
    }
    if (p.needs_start || r->turn.doubles_count > 1) return false;
    if (is_double(u, lay.tile) && (p.paired || p.led || shuts_doubles(r))) return false;
    int joined = u->low[lay.tile] + u->high[lay.tile] - u->far[lay.at.pip][lay.tile];
    *found = (Move){LAY, (uint8_t)lay.tile, (uint8_t)joined, lay.at.train, lay.at.on};
    return true;
}
