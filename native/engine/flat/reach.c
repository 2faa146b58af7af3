/* Which ends take tiles of the seat in turn, and which tiles it denies by a draw or a pass. */

#include "flat.h"

/* ---- whose trains --------------------------------------------------------------------------- */

int partner_of(const Rules *rules, int seat) {
    return rules->partners ? (seat + rules->seats / 2) % rules->seats : seat;
}

bool is_own(const Round *r, int seat, int train) {
    return !r->rules->arms && train < r->rules->seats
        && (train == seat || train == partner_of(r->rules, seat));
}

bool has_started(const Round *r, int seat) {
    if (r->rules->arms) return false;
    return r->trains[seat].lays || r->trains[partner_of(r->rules, seat)].lays;
}

static bool is_first(const Round *r) { return r->turns < r->rules->seats; }

static bool owes_start(const Round *r) {
    return r->rules->passes_duty && !has_started(r, r->to_move);
}

static bool owes_own_first(const Round *r) {
    return r->rules->shuts_others && !has_started(r, r->to_move);
}

static bool opens_on_mexican(const Round *r) { return r->turns < r->rules->first_turns; }

static bool may_start_mexican(const Round *r) {
    if (r->rules->needs_own) return has_started(r, r->to_move) && !r->turn.started;
    return !is_first(r) || opens_on_mexican(r);
}

static bool opens_elsewhere(const Round *r) {
    return r->turns > 0 && is_first(r) && r->rules->elsewhere
        && (!r->drawn || r->turn.stage != START);
}

/* ---- ends ----------------------------------------------------------------------------------- */

static End end_at(const Round *r, int train, int node) {
    return (End){(int8_t)train, r->ends[node].pip, r->ends[node].on, r->ends[node].lay};
}

static End lay_end(const Round *r, int lay) {
    const Lay *l = &r->lays[lay];
    return (End){(int8_t)l->train, l->end, l->index, (int16_t)lay};
}

/* Puts an end at its place in the order of the table's trains, unless it is there. */
static int put_in_order(End *ends, int size, End end) {
    int at = size;
    while (at && (ends[at - 1].train > end.train
                  || (ends[at - 1].train == end.train && ends[at - 1].on > end.on)))
        at--;
    if (at && same_place(ends[at - 1], end)) return size;
    memmove(&ends[at + 1], &ends[at], (size - at) * sizeof(End));
    ends[at] = end;
    return size + 1;
}

/* Trains come in order, so only one with branches has to be sorted. */
static int put_train(const Round *r, int train, End *ends, int size) {
    if (r->trains[train].ends == 1) {
        ends[size] = end_at(r, train, r->trains[train].end);
        return size + 1;
    }
    for (int node = r->trains[train].end; node != NONE; node = r->ends[node].next)
        size = put_in_order(ends, size, end_at(r, train, node));
    return size;
}

static int own_ends(const Round *r, End *ends) {
    int size = 0;
    for (int train = 0; train < r->rules->seats; train++)
        if (is_own(r, r->to_move, train)) size = put_train(r, train, ends, size);
    return size;
}

/* engine.play.reach: what is open while no double matters. */
static int usual_ends(const Round *r, End *ends) {
    const Rules *u = r->rules;
    bool marked = true, mexican = true, unstarted = true, first = is_first(r);
    if (u->arms) {
        marked = false;
    } else if (!(first || owes_own_first(r))) {
        unstarted = !u->needs_own || may_start_mexican(r);
    } else {
        marked = first && !owes_own_first(r) && opens_elsewhere(r);
        mexican = marked || (first && opens_on_mexican(r));
        unstarted = mexican && may_start_mexican(r);
    }
    int size = 0;
    for (int train = 0; train < r->trains_count; train++) {
        const Train *t = &r->trains[train];
        bool open = train >= u->seats ? (t->lays ? mexican : unstarted)
            : is_own(r, r->to_move, train) || (marked && t->marker);
        if (open) size = put_train(r, train, ends, size);
    }
    return size;
}

/* ---- doubles -------------------------------------------------------------------------------- */

bool is_free_on(const Round *r, int train) {
    const Rules *u = r->rules;
    return u->marker_frees && u->down_by_open_double && is_own(r, r->to_move, train)
        && r->trains[train].marker;
}

static bool is_of_turn(const Turn *turn, End place) {
    for (int at = 0; at < turn->doubles_count; at++)
        if (same_place(turn->doubles[at], place)) return true;
    return false;
}

bool owed_before(const Round *r, End *found) {
    for (int at = 0; at < r->owed_count; at++)
        if (!is_of_turn(&r->turn, r->owed[at].at)) {
            *found = r->owed[at].at;
            return true;
        }
    return false;
}

/* The doubles of this turn that are still to be covered, in the order played. */
static int double_ends(const Round *r, End *ends) {
    int size = 0;
    for (int at = 0; at < r->turn.doubles_count; at++) {
        End end = r->turn.doubles[at];
        if (!r->lays[end.lay].hung) ends[size++] = end;
    }
    return size;
}

static bool leads(const Round *r) { return r->rules->chain_double_refused || r->last_left; }

bool chains_now(const Round *r) {
    const Rules *u = r->rules;
    if (!u->chain || r->turn.stage != START) return false;
    return u->may_wait ? !r->trains[r->to_move].lays : is_first(r);
}

static int free_ends(const Round *r, const Places *p, End *ends) {
    if (!p->has_duty) return usual_ends(r, ends);
    ends[0] = p->duty;
    return 1;
}

/* The ends of both, each once and in order, if there are more than in the first. */
static int with_more(End *ends, int size, const End *more, int more_count) {
    bool is_more = false;
    for (int at = 0; at < more_count && !is_more; at++) {
        is_more = true;
        for (int i = 0; i < size; i++)
            if (same_place(ends[i], more[at])) is_more = false;
    }
    if (!is_more) return size;
    End all[PLACES];
    int total = 0;
    for (int at = 0; at < size; at++) total = put_in_order(all, total, ends[at]);
    for (int at = 0; at < more_count; at++) total = put_in_order(all, total, more[at]);
    memcpy(ends, all, total * sizeof(End));
    return total;
}

/* Where one more double may go in a turn that has had one. */
static void with_doubles(const Round *r, Places *p) {
    const Rules *u = r->rules;
    p->paired = r->last_left;
    p->doubles_count = 0;
    if (u->one_double || (u->held_pair && r->turn.doubles_count != 1)) return;
    Places before;
    before.has_duty = owed_before(r, &before.duty);
    p->doubles_count = free_ends(r, &before, p->doubles);
    p->doubles_count = with_more(p->doubles, p->doubles_count, p->plain, p->plain_count);
    p->paired = r->last_left || u->held_pair;
}

static bool binds_not(const Round *r, End end, bool choice) {
    const Rules *u = r->rules;
    if (is_own(r, r->to_move, end.train))
        return r->drawn && u->may_wait && chains_now(r) && end.on == HUB;
    if (choice) return end.train < u->seats || !opens_on_mexican(r);
    return u->others_may && (!r->owed_count || owes_start(r)) && end.train < u->seats;
}

static void at_start(const Round *r, Places *p) {
    const Rules *u = r->rules;
    if (!r->owed_count) p->plain_count = usual_ends(r, p->plain);
    else if (owes_start(r)) p->plain_count = own_ends(r, p->plain);
    else {
        p->has_duty = owed_before(r, &p->duty);
        p->plain_count = free_ends(r, p, p->plain);
    }
    p->led = u->chain && leads(r) && chains_now(r);
    p->paired = r->last_left;
    bool choice = is_first(r) && !r->owed_count && opens_elsewhere(r);
    if (choice || u->others_may || (r->drawn && u->may_wait))
        for (int at = 0; at < p->plain_count; at++)
            if (binds_not(r, p->plain[at], choice)) p->unbound |= 1ull << p->plain[at].train;
    p->needs_start = choice;
    memcpy(p->doubles, p->plain, p->plain_count * sizeof(End));
    p->doubles_count = p->plain_count;
}

void places(const Round *r, Places *p) {
    End ends[PLACES];
    int size;
    p->plain_count = p->doubles_count = 0;
    p->paired = p->led = p->needs_start = p->has_duty = false;
    p->unbound = 0;
    switch (r->turn.stage) {
    case START:
        at_start(r, p);
        break;
    case MUST_COVER:
    case MAY_COVER:
        size = double_ends(r, ends);
        if (size) {
            bool oldest = r->turn.stage == MUST_COVER && r->rules->shared;
            p->plain[0] = p->duty = ends[oldest ? 0 : size - 1];
            p->plain_count = 1;
            p->has_duty = r->turn.stage == MUST_COVER || r->rules->leaves_duty;
        }
        with_doubles(r, p);
        break;
    case IN_CHAIN:
        p->plain[0] = p->doubles[0] = lay_end(r, r->turn.chain);
        p->plain_count = p->doubles_count = 1;
        p->led = leads(r);
        break;
    case EXTRA:
        p->has_duty = owed_before(r, &p->duty);
        p->plain_count = free_ends(r, p, p->plain);
        size = double_ends(r, ends);
        p->plain_count = with_more(p->plain, p->plain_count, ends, size);
        with_doubles(r, p);
        break;
    case HELD:
        p->plain_count = double_ends(r, p->plain);
        p->paired = r->last_left;
        p->has_duty = p->plain_count > 0;
        if (p->has_duty) p->duty = p->plain[0];
        break;
    case LOST:
        break;
    }
}

/* ---- tiles ---------------------------------------------------------------------------------- */

static Bits ends_bits(const Rules *u, const End *ends, int size) {
    Bits bits = none();
    for (int at = 0; at < size; at++) bits = either(bits, u->fits[ends[at].pip]);
    return bits;
}

static bool dies(const Round *r, int tile) {
    Bits others = unseen_tiles(r);
    drop(&others, tile);
    return !any(both(r->rules->fits[r->rules->low[tile]], others));
}

static Bits dying(const Round *r, Bits doubles) {
    Bits found = none();
    while (any(doubles)) {
        int tile = highest(doubles);
        drop(&doubles, tile);
        if (dies(r, tile)) add(&found, tile);
    }
    return found;
}

bool shuts_doubles(const Round *r) { return r->rules->last_refused && r->held[r->to_move] == 1; }

/* The doubles that may be laid whatever else the hand has. */
static Bits double_bits(const Round *r, const Places *p) {
    const Rules *u = r->rules;
    End led[PLACES], others[PLACES], frees[PLACES];
    int led_count = 0, others_count = 0, free_count = 0;
    for (int at = 0; at < p->doubles_count; at++) {
        End end = p->doubles[at];
        if (p->led && is_own(r, r->to_move, end.train)) led[led_count++] = end;
        else others[others_count++] = end;
    }
    Bits alone = both(ends_bits(u, others, others_count), u->doubles);
    Bits behind = both(ends_bits(u, led, led_count), u->doubles);
    if (p->paired) {
        for (int at = 0; at < others_count; at++)
            if (is_free_on(r, others[at].train)) frees[free_count++] = others[at];
        alone = r->last_left ? dying(r, alone) : none();
        alone = either(alone, both(ends_bits(u, frees, free_count), u->doubles));
    }
    return u->chain_double_refused ? alone : either(alone, dying(r, behind));
}

static Bits playable(const Round *r, const Places *p) {
    const Rules *u = r->rules;
    Bits bits = without(ends_bits(u, p->plain, p->plain_count), u->doubles);
    bits = both(either(bits, double_bits(r, p)), unseen_tiles(r));
    if (shuts_doubles(r)) {
        Bits doubles = both(bits, u->doubles);
        bits = either(without(bits, u->doubles), dying(r, doubles));
    }
    return bits;
}

bool by_choice(const Rules *u) { return !(u->draws_again || u->free_to_layer); }

static bool chooses_double(const Round *r) { return r->drawn && by_choice(r->rules); }

/* The tiles that the seat in turn must lay if it holds them. */
static Bits bound(const Round *r, const Places *p) {
    const Rules *u = r->rules;
    Bits bits = playable(r, p);
    if (p->unbound) {
        End binding[PLACES];
        int size = 0;
        for (int at = 0; at < p->plain_count; at++)
            if (!(p->unbound >> p->plain[at].train & 1)) binding[size++] = p->plain[at];
        bits = both(bits, ends_bits(u, binding, size));
    }
    return r->turn.doubles_count && u->shared ? without(bits, u->doubles) : bits;
}

static Bits denied(const Round *r, const Places *p) {
    if (r->turn.stage == LOST) return none();
    Bits bits = bound(r, p);
    return chooses_double(r) ? without(bits, r->rules->doubles) : bits;
}

bool denies_all(const Round *r) {
    Places now, later;
    places(r, &now);
    bool usual = r->turn.stage == START && !is_first(r);
    if (usual && !now.unbound && !chooses_double(r)) return true;
    Round again = *r;  /* the same table in the first moment of a later turn, to ask it the same */
    memset(&again.turn, 0, sizeof again.turn);
    again.drawn = false;
    if (again.turns < r->rules->seats) again.turns = r->rules->seats;
    places(&again, &later);
    return !any(without(denied(&again, &later), denied(r, &now)));
}

/* Whether the hand bears out a draw or a pass, where no double needs a follower. */
static bool bears_out(const Round *r, const Places *p) {
    const Rules *u = r->rules;
    Bits hand = r->hands[r->to_move], must = bound(r, p);
    if (r->turn.stage == LOST) return true;
    if (chooses_double(r)) must = without(must, both(u->doubles, r->turn.drawn));
    return !any(both(hand, must));
}

/* ---- drawing -------------------------------------------------------------------------------- */

bool is_due(const Round *r) {
    Stage stage = r->turn.stage;
    return stage == START || stage == EXTRA || stage == MUST_COVER;
}

bool is_for_drawn(const Round *r) {
    const Turn *turn = &r->turn;
    if (!any(turn->drawn) || !turn->doubles_count || r->rules->draws_again) return false;
    return has(turn->drawn, r->lays[turn->doubles[turn->doubles_count - 1].lay].tile);
}

static bool is_to_start(const Round *r) {
    return is_first(r) && r->turn.stage == START && !r->owed_count;
}

static bool draws_on(const Round *r) {
    const Rules *u = r->rules;
    if (r->turn.doubles_count && u->layer_draw_only) return false;
    if (u->until_playable || (u->miss_draws > 1 && is_to_start(r))) return true;
    if (!u->continuous || !r->owed_count || r->owed[0].at.lay == HUB) return false;
    int layer = r->lays[r->owed[0].at.lay].seat;
    int asked = r->owed[0].left | r->gone | 1 << layer;
    return layer == r->to_move && asked == (1 << u->seats) - 1;
}

bool draw_due(const Round *r) {
    if (!is_due(r) || (!r->rules->miss_draws && is_to_start(r)) || is_for_drawn(r)) return false;
    if (r->drawn && !draws_on(r)) return false;
    return r->boneyard_at < r->boneyard_count;
}

/* ---- the list and the judge ----------------------------------------------------------------- */

/* Whether what a double, a draw or the rest of the hand asks for allows a tile that fits. */
static bool is_allowed(const Round *r, const Places *p, int tile, int train, bool may_not_start) {
    if (may_not_start && p->unbound >> train & 1) return false;
    if (r->turn.doubles_count > 1 && r->turn.stage == HELD && has(r->turn.drawn, tile))
        return false;
    return !is_double(r->rules, tile) || !shuts_doubles(r) || dies(r, tile);
}

static bool needs_rulebook(const Round *r, const Places *p) {
    return r->rules->speaks || p->paired || p->led;
}

static int words(const Round *r, const Places *p, bool may_lay, Move *found) {
    Kind kind = PASS;
    if (is_due(r)) {
        if (may_lay && !bears_out(r, p)) return 0;
        kind = draw_due(r) ? DRAW : PASS;
    } else if (r->turn.stage != LOST) {
        if (r->turn.stage == HELD) return 0;
        kind = DONE;
    }
    *found = (Move){.kind = kind};
    return 1;
}

int legal_moves(const Round *r, const Places *p, Move *found) {
    const Rules *u = r->rules;
    if (needs_rulebook(r, p)) return NONE;
    int fitting[TILES], tiles = 0, size = 0;
    Bits all = ends_bits(u, p->plain, p->plain_count);
    if (r->turn.stage != START) all = either(all, ends_bits(u, p->doubles, p->doubles_count));
    Bits hand = both(r->hands[r->to_move], all);
    while (any(hand)) {  /* sorted by tile, few as they are */
        int tile = highest(hand), at = tiles++;
        drop(&hand, tile);
        for (; at && u->rank[fitting[at - 1]] > u->rank[tile]; at--) fitting[at] = fitting[at - 1];
        fitting[at] = tile;
    }
    bool may_not_start = p->needs_start && bears_out(r, p);
    for (int at = 0; at < tiles; at++) {
        int tile = fitting[at], low = u->low[tile], high = u->high[tile];
        const End *ends = low == high ? p->doubles : p->plain;
        int ends_count = low == high ? p->doubles_count : p->plain_count;
        for (int i = 0; i < ends_count; i++) {
            uint32_t face = u->faces[ends[i].pip];
            if (!is_allowed(r, p, tile, ends[i].train, may_not_start)) continue;
            if (size + 3 > MOVES) return NONE;
            if (face >> low & 1)
                found[size++] = (Move){LAY, tile, low, ends[i].train, ends[i].on};
            if (low != high && face >> high & 1)
                found[size++] = (Move){LAY, tile, high, ends[i].train, ends[i].on};
        }
    }
    if (!size || r->drawn || p->unbound || r->turn.stage != START)
        size += words(r, p, size, &found[size]);
    return size;
}

int is_legal(const Round *r, const Places *p, Move move) {
    const Rules *u = r->rules;
    Move word;
    if (needs_rulebook(r, p)) return NONE;
    if (move.kind != LAY) {
        bool may_lay = is_due(r) && !bears_out(r, p);
        return !may_lay && words(r, p, false, &word) && word.kind == move.kind;
    }
    if (move.tile >= u->tiles || !has(r->hands[r->to_move], move.tile)) return false;
    int low = u->low[move.tile], high = u->high[move.tile];
    if (move.joined != low && move.joined != high) return false;
    const End *ends = low == high ? p->doubles : p->plain;
    int ends_count = low == high ? p->doubles_count : p->plain_count;
    for (int at = 0; at < ends_count; at++)
        if (ends[at].train == move.train && ends[at].on == move.on) {
            bool may_not_start = p->needs_start && bears_out(r, p);
            return (u->faces[ends[at].pip] >> move.joined & 1)
                && is_allowed(r, p, move.tile, move.train, may_not_start);
        }
    return false;
}
