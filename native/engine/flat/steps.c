/* What a legal move changes. Nothing here judges. */

#include "flat.h"

static void finish_turn(Round *r, bool failed, bool out);

/* ---- markers -------------------------------------------------------------------------------- */

static void with_marker(Round *r, int seat, bool up) {
    for (int train = 0; train < r->rules->seats; train++)
        if (is_own(r, seat, train) && r->trains[train].marker != up) {
            r->trains[train].marker = up;
            if (up && !r->owed_count) r->passed = 0;
        }
}

/* Whether the seat leaves open a double of its own on somebody else's train. */
static bool left_elsewhere(const Round *r) {
    End left;
    if (r->turn.doubles_count) left = r->turn.doubles[r->turn.doubles_count - 1];
    else if (r->owed_count) left = r->owed[0].at;
    else return false;
    if (left.train >= r->rules->seats || left.lay == HUB) return false;
    if (is_own(r, r->to_move, left.train)) return false;
    return r->lays[left.lay].seat == r->to_move;
}

/* Whether a seat that cannot lay what is due marks its train. */
static bool marks(const Round *r, bool drawn) {
    const Rules *u = r->rules;
    if (r->turn.stage == LOST) return false;
    if (r->turn.doubles_count && u->layer_draw_only && !is_for_drawn(r)) return false;
    if (u->pass_without_marker && r->boneyard_at == r->boneyard_count && !drawn) return false;
    if (r->owed_count && r->owed[0].begun) return false;
    if (u->partners && !((r->failed | r->gone) >> partner_of(u, r->to_move) & 1)) return false;
    return u->marks_always || !left_elsewhere(r);
}

/* ---- doubles that are owed ------------------------------------------------------------------ */

static int fitting(const Round *r, int pip) {
    return count(both(r->rules->fits[pip], unseen_tiles(r)));
}

static void drop_owed(Round *r, int at) {
    memmove(&r->owed[at], &r->owed[at + 1], (--r->owed_count - at) * sizeof(Owed));
}

static void put_owed(Round *r, End place, int at) {
    int need = 1 + r->rules->more_covers, left = fitting(r, place.pip);
    memmove(&r->owed[at + 1], &r->owed[at], (r->owed_count++ - at) * sizeof(Owed));
    r->owed[at] = (Owed){place, (uint8_t)(need < left ? need : left), false, 0};
}

static void with_owed(Round *r, End place) {
    put_owed(r, place, r->rules->last_played_first ? 0 : r->owed_count);
}

static void cover(Round *r, int train, int on) {
    for (int at = r->owed_count - 1; at >= 0; at--) {
        Owed *owed = &r->owed[at];
        if (owed->at.train != train || owed->at.on != on) continue;
        if (owed->need > 1 && !r->last_left) {
            owed->need--;
            owed->begun = true;
            owed->left = 0;
        } else {
            drop_owed(r, at);
        }
    }
}

static void without_dead(Round *r) {
    for (int at = r->owed_count - 1; at >= 0; at--) {
        int left = fitting(r, r->owed[at].at.pip);
        if (!left) drop_owed(r, at);
        else if (r->owed[at].need > left) r->owed[at].need = (uint8_t)left;
    }
}

/* The doubles at the ends of opening chains become owed, in the order laid. */
static void owe_opened(Round *r) {
    int size = 0;
    for (int at = 0; at < r->opened_count; at++) {
        End place = r->opened[at];
        if (!r->lays[place.lay].hung && !is_dead(r, place.pip)) put_owed(r, place, size++);
    }
    if (size) r->passed = 0;
    r->opened_count = 0;
}

/* ---- the end of a turn ---------------------------------------------------------------------- */

static void begin_turn(Round *r) {
    Turn *t = &r->turn;  /* the doubles count for nothing where there are none */
    t->stage = START;
    t->drawn = none();
    t->doubles_count = 0;
    t->laid = t->from_hand = t->started = t->tapped = false;
    t->mark = NONE;
    r->drawn = false;
}

static void end_round(Round *r, bool blocked, int seat) {
    r->over = true;
    r->blocked = blocked;
    r->out_seat = (int8_t)seat;
    r->turns++;
    r->owed_count = 0;
    begin_turn(r);
    r->last_left = 0;
    r->closing = false;
}

static bool has_last_plays(const Round *r) {
    return r->stocked && r->rules->last_plays && r->turns + 1 >= r->rules->seats;
}

/* Counts the turns left once the boneyard is empty; whether there are any. */
static bool count_last_turns(Round *r) {
    if (!r->last_left || (r->closing && !r->owed_count)) {
        r->closing = r->owed_count > 0;
        r->last_left = (uint8_t)r->rules->seats;
        return true;
    }
    return --r->last_left > 0;
}

static void pass_on(Round *r, bool failed) {
    int seats = r->rules->seats, all = (1 << seats) - 1;
    int next = r->to_move + 1 == seats ? 0 : r->to_move + 1, bit = 1 << next;
    if (r->boneyard_at == r->boneyard_count) {
        bool ends = has_last_plays(r) ? !count_last_turns(r)
            : failed && (r->passed | r->gone) == all;
        if (ends) {
            end_round(r, true, NONE);
            return;
        }
    }
    if (r->silent & bit) {
        r->silent &= ~bit;
        r->tapped |= bit;
    }
    r->to_move = (uint8_t)next;
    r->turns++;
    begin_turn(r);
    if (r->gone & bit) finish_turn(r, true, false);
}

static void after_first_turn(Round *r, bool failed, bool out) {
    if (out && r->first_out == NONE) r->first_out = (int8_t)r->to_move;
    if (r->turns + 1 == r->rules->seats) {
        if (r->first_out != NONE) {
            end_round(r, false, r->first_out);
            return;
        }
        owe_opened(r);
    }
    pass_on(r, failed);
}

static void set_bit(uint16_t *bits, int bit, bool on) {
    *bits = (uint16_t)(on ? *bits | bit : *bits & ~bit);
}

/* Notes markers by choice, missing calls, and whether the seat failed. */
static void remember(Round *r, bool failed) {
    const Rules *u = r->rules;
    int seat = r->to_move, bit = 1 << seat;
    if (u->partners) set_bit(&r->failed, bit, failed);
    if (u->caught) {
        bool one = r->held[seat] == 1, told = (r->tapped & bit) || r->turn.tapped;
        set_bit(&r->tapped, bit, one && told);
        set_bit(&r->silent, bit, one && !told && r->turn.laid);
    }
    bool up = r->trains[seat].marker;
    if (failed || !up) set_bit(&r->voluntary, bit, false);
    int chosen = r->turn.from_hand && !failed ? r->turn.mark : NONE;
    if (chosen != NONE && chosen != up && (chosen || r->voluntary & bit)) {
        r->voluntary ^= (uint16_t)bit;
        with_marker(r, seat, chosen);
    }
}

static void finish_turn(Round *r, bool failed, bool out) {
    const Rules *u = r->rules;
    if (r->owed_count && (failed || (r->turn.started && u->passes_duty)))
        r->owed[0].left |= (uint16_t)(1 << r->to_move);
    if (u->partners || u->caught || u->voluntary) remember(r, failed);
    if (u->chain && r->turns < u->seats) after_first_turn(r, failed, out);
    else if (out) end_round(r, false, r->to_move);
    else pass_on(r, failed);
}

/* ---- laying --------------------------------------------------------------------------------- */

static void end_chain(Round *r) {
    const Lay *lay = &r->lays[r->turn.chain];
    bool empty = !r->held[r->to_move];
    if (is_double(r->rules, lay->tile) && r->rules->leaves_duty) {
        End place = {(int8_t)lay->train, lay->end, lay->index, r->turn.chain};
        if (r->turns < r->rules->seats) r->opened[r->opened_count++] = place;
        else if (!is_dead(r, place.pip) && !empty) with_owed(r, place);
    }
    finish_turn(r, false, empty);
}

static void add_double(Round *r, End place) {
    r->turn.doubles[r->turn.doubles_count++] = place;
}

static bool is_second(const Round *r) {
    return r->turn.doubles_count == 1 && r->rules->held_pair;
}

/* After a double that asks for a tile. */
static void after_double(Round *r, End place, int tile) {
    const Rules *u = r->rules;
    bool empty = !r->held[r->to_move];
    if (u->leaves_duty) with_owed(r, place);
    if (u->ends_turn) {
        finish_turn(r, false, false);
        return;
    }
    if (has(r->turn.drawn, tile) && by_choice(u) && empty) {
        if (marks(r, true)) with_marker(r, r->to_move, true);
        finish_turn(r, false, false);
        return;
    }
    if (r->last_left || is_second(r)) r->turn.stage = HELD;
    else if (u->brings_extra) r->turn.stage = EXTRA;
    else r->turn.stage = u->free_to_layer && !empty ? MAY_COVER : MUST_COVER;
    add_double(r, place);
}

/* Whether a tile is still due after a double that asks for none; one that is free binds nobody. */
static bool is_pending_after(Round *r, End place, End at, bool dead, bool frees) {
    const Rules *u = r->rules;
    if (dead && !r->last_left && u->brings_extra) {
        End before;
        bool adds = owed_before(r, &before) && u->last_played_first;
        r->turn.stage = is_second(r) && !frees ? HELD : EXTRA;
        add_double(r, place);
        if (adds && before.lay != HUB) add_double(r, before);
        return true;
    }
    if (r->turn.stage != EXTRA && r->turn.stage != MUST_COVER) return false;
    for (int i = 0; i < r->turn.doubles_count; i++)
        if (same_place(r->turn.doubles[i], at)) return false;
    if (dead && !frees && u->held_pair) r->turn.stage = HELD;
    return true;
}

static bool marker_after(const Round *r, const Train *t, int train, int tile, bool covers,
                         bool asks) {
    const Rules *u = r->rules;
    if (u->double_public && train < u->seats) {
        if (is_double(u, tile)) return true;
        if (covers) return t->marker;
    }
    if (!t->marker || !(u->down_by_anybody || is_own(r, r->to_move, train))) return t->marker;
    return asks && !u->down_by_open_double;
}

/* Ends are a list in each train; new branches come behind the others. */
static void add_end(Round *r, int train, int on, int lay, int pip) {
    int node = r->ends_count++;
    r->ends[node].on = (int16_t)on;
    r->ends[node].lay = (int16_t)lay;
    r->ends[node].pip = (int8_t)pip;
    r->ends[node].next = NONE;
    int at = r->trains[train].end;
    if (at == NONE) {
        r->trains[train].end = (int16_t)node;
    } else {
        while (r->ends[at].next != NONE) at = r->ends[at].next;
        r->ends[at].next = (int16_t)node;
    }
    r->trains[train].ends++;
}

static int node_on(const Round *r, int train, int on) {
    int node = r->trains[train].end;
    while (node != NONE && r->ends[node].on != on) node = r->ends[node].next;
    return node;
}

static void lay_tile(Round *r, Move move) {
    const Rules *u = r->rules;
    int seat = r->to_move, tile = move.tile, train = move.train;
    Train *t = &r->trains[train];
    int far = u->low[tile] + u->high[tile] - move.joined;
    int node = node_on(r, train, move.on), base = r->ends[node].lay;
    drop(&r->hands[seat], tile);
    bool empty = !--r->held[seat];
    add(&r->seen, tile);
    bool dead = is_dead(r, far);
    bool own = is_own(r, seat, train);
    bool chain = r->turn.stage == IN_CHAIN || (own && chains_now(r));
    bool frees = is_free_on(r, train), asks = is_double(u, tile) && !dead && !frees;
    if (asks && empty && !chain) asks = u->last_asks_cover;
    bool was_owed = r->owed_count > 0;
    if (was_owed) cover(r, train, move.on);
    bool covers = base != HUB && is_double(u, r->lays[base].tile) && !r->lays[base].hung;
    if (t->marker || u->double_public) {
        bool up = marker_after(r, t, train, tile, covers, asks);
        if (up != t->marker) {
            t->marker = up;
            if (train < u->seats) r->trains[partner_of(u, train)].marker = up;
        }
    }
    r->turn.laid = true;
    r->turn.from_hand = r->turn.from_hand || !has(r->turn.drawn, tile);
    r->turn.started = r->turn.started || (own && !has_started(r, seat));
    int lay = r->lays_count++, index = t->lays++;
    if (base != HUB) r->lays[base].hung++;
    r->lays[lay] = (Lay){(uint8_t)tile, move.joined, (uint8_t)seat, (uint8_t)train, move.on,
                         (uint8_t)index, 0, (int8_t)far};
    r->ends[node].on = (int16_t)index;
    r->ends[node].lay = (int16_t)lay;
    r->ends[node].pip = (int8_t)far;
    if (u->branching == CHICKEN_FOOT && covers)
        for (int i = 0; i < 2; i++) add_end(r, train, move.on, base, r->lays[base].end);
    bool spurs = u->branching == THREE_REQUIRED || (u->branching == SPUR && train < u->seats);
    if (is_double(u, tile) && spurs)
        for (int i = 0; i < 2; i++) add_end(r, train, index, lay, far);
    if (train >= u->seats && !index && u->many_mexican && r->trains_count < TRAINS) {
        r->trains[r->trains_count] = (Train){0, 0, false, NONE};
        add_end(r, r->trains_count++, HUB, HUB, r->hub_pip);
    }
    r->drawn = false;
    r->passed = 0;
    if (r->owed_count) without_dead(r);
    End place = {(int8_t)train, (int8_t)far, (int16_t)index, (int16_t)lay};
    End at = {(int8_t)train, 0, move.on, (int16_t)base};
    if (chain) {
        r->turn.stage = IN_CHAIN;
        r->turn.chain = (int16_t)lay;
        if (empty || dead) end_chain(r);
    } else if (asks) {
        after_double(r, place, tile);
    } else if (!(is_double(u, tile) && !empty && is_pending_after(r, place, at, dead, frees))) {
        finish_turn(r, false, empty);
    }
}

/* ---- drawing, passing, done ----------------------------------------------------------------- */

static void draw_tile(Round *r) {
    int seat = r->to_move, tile = r->boneyard[r->boneyard_at++];
    if (r->turn.doubles_count && r->rules->layer_draw_only
        && (r->held[seat] || !r->rules->last_asks_cover))
        r->turn.stage = LOST;
    add(&r->hands[seat], tile);
    add(&r->turn.drawn, tile);
    r->held[seat]++;
    r->came[tile] = r->came_next += CAME;
    r->drawn = true;
}

static void pass(Round *r) {
    int seat = r->to_move;
    bool counts = denies_all(r);
    if (!r->trains[seat].marker && marks(r, r->drawn || is_for_drawn(r)))
        with_marker(r, seat, true);
    if (r->turn.stage == LOST) {
        finish_turn(r, false, false);
        return;
    }
    if (counts) r->passed |= (uint16_t)(1 << seat);
    finish_turn(r, true, false);
}

void carry_out(Round *r, Move move) {
    switch (move.kind) {
    case LAY: lay_tile(r, move); break;
    case DRAW: draw_tile(r); break;
    case PASS: pass(r); break;
    case DONE:
        if (r->turn.stage == IN_CHAIN) end_chain(r);
        else finish_turn(r, false, false);
        break;
    }
}

/* ---- calls ---------------------------------------------------------------------------------- */

static bool may_tap(const Round *r, int seat) {
    const Rules *u = r->rules;
    bool in_turn = seat == r->to_move;
    if (in_turn && r->turn.tapped) return false;
    if (u->taps == TAP_AT_ONE) return r->held[seat] == 1 && !(r->tapped >> seat & 1);
    if (u->taps != TAP_BEFORE || !in_turn) return false;
    bool chain = u->chain && (r->turn.stage == START || r->turn.stage == IN_CHAIN);
    return r->held[seat] == 2 || ((chain || u->bullet || r->last_left) && r->held[seat] > 2);
}

void tap_where_due(Round *r) {
    if (!r->silent || r->over) return;
    int late = 0;
    for (int seat = 0; seat < r->rules->seats; seat++)
        if (r->silent >> seat & 1 && may_tap(r, seat)) late |= 1 << seat;
    for (int seat = 0; seat < r->rules->seats; seat++) {
        if (!(late >> seat & 1)) continue;
        if (r->held[seat] == 1) {
            set_bit(&r->tapped, 1 << seat, true);
            set_bit(&r->silent, 1 << seat, false);
        }
        r->turn.tapped = r->turn.tapped || seat == r->to_move;
    }
}
