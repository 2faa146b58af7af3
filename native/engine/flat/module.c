/* The two types that Python sees: `Rules`, what the rules of a table come to, and `Round`.

   A round in play goes in and comes out as nested tuples of integers, the same both ways
   (`Round.parts`); `engine.bots.flat` makes them of a table, and a table of them. Whatever comes in
   is checked, so that a wrong number is a ValueError and never reaches past an array. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "flat.h"

typedef struct {
    PyObject_HEAD
    Rules rules;
} RulesObject;

typedef struct {
    PyObject_HEAD
    RulesObject *rules;
    Round round;
    Places places;      /* of the seat in turn: list and judge ask one after the other */
    bool has_places;    /* whether they are those of the round as it is */
} RoundObject;

static PyTypeObject RulesType, RoundType;

/* ---- numbers out of tuples ------------------------------------------------------------------ */

static bool take_number(PyObject *number, long least, long most, long *found) {
    int overflows = 1;
    *found = PyLong_Check(number) ? PyLong_AsLongAndOverflow(number, &overflows) : 0;
    if (overflows) {
        PyErr_SetString(PyExc_ValueError, "something is no number, or one out of all bounds");
        return false;
    }
    if (*found >= least && *found <= most) return true;
    PyErr_Format(PyExc_ValueError, "%ld is not within %ld and %ld", *found, least, most);
    return false;
}

static bool read_at(PyObject *row, Py_ssize_t at, long least, long most, long *found) {
    if (PyTuple_Check(row) && at < PyTuple_GET_SIZE(row))
        return take_number(PyTuple_GET_ITEM(row, at), least, most, found);
    PyErr_SetString(PyExc_ValueError, "a tuple is missing, or too short");
    return false;
}

/* A row of rows, at most so many; NULL after an error. */
static PyObject *row_at(PyObject *row, Py_ssize_t at, Py_ssize_t most) {
    PyObject *found = NULL;
    if (PyTuple_Check(row) && at < PyTuple_GET_SIZE(row)) found = PyTuple_GET_ITEM(row, at);
    if (found && PyTuple_Check(found) && PyTuple_GET_SIZE(found) <= most) return found;
    PyErr_SetString(PyExc_ValueError, "a tuple is missing, or its length is wrong");
    return NULL;
}

/* ---- rules ---------------------------------------------------------------------------------- */

static PyObject *rules_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    PyObject *facts, *faces, *tiles;
    if (!PyArg_ParseTuple(args, "O!O!O!", &PyTuple_Type, &facts, &PyTuple_Type, &faces,
                          &PyTuple_Type, &tiles))
        return NULL;
    RulesObject *self = (RulesObject *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    Rules *u = &self->rules;
    long number;
    Py_ssize_t at = 0;
#define READ(name) \
    if (!read_at(facts, at++, 0, 255, &number)) goto wrong; \
    u->name = (int)number;
    FACTS(READ)
#undef READ
    if (u->seats < 2 || u->seats > SEATS || u->pip_max >= PIPS
        || u->more_covers > (u->branching == THREE_REQUIRED ? 2 : 0)
        || PyTuple_GET_SIZE(tiles) != (u->pip_max + 1) * (u->pip_max + 2) / 2) {
        PyErr_SetString(PyExc_ValueError, "no such table");
        goto wrong;
    }
    u->tiles = (int)PyTuple_GET_SIZE(tiles);
    for (int pip = 0; pip <= u->pip_max; pip++) {
        if (!read_at(faces, pip, 0, (1 << PIPS) - 1, &number)) goto wrong;
        u->faces[pip] = (uint32_t)number;
    }
    for (int tile = 0; tile < u->tiles; tile++) {
        long low, high;
        PyObject *halves = PyTuple_GET_ITEM(tiles, tile);
        if (!read_at(halves, 0, 0, u->pip_max, &low)) goto wrong;
        if (!read_at(halves, 1, low, u->pip_max, &high)) goto wrong;
        for (int other = 0; other < tile; other++)
            if (u->low[other] == low && u->high[other] == high) {
                PyErr_SetString(PyExc_ValueError, "a tile is in the set twice");
                goto wrong;
            }
        u->low[tile] = (uint8_t)low;
        u->high[tile] = (uint8_t)high;
        add(&u->set, tile);
        if (low == high) {
            add(&u->doubles, tile);
            add(&u->of_pip[low], tile);
        }
    }
    for (int tile = 0; tile < u->tiles; tile++) {
        int low = u->low[tile], high = u->high[tile];
        for (int other = 0; other < u->tiles; other++)
            u->rank[tile] += u->low[other] < low || (u->low[other] == low && u->high[other] < high);
        for (int pip = 0; pip <= u->pip_max; pip++) {
            bool joins_low = u->faces[pip] >> low & 1, joins_high = u->faces[pip] >> high & 1;
            u->far[pip][tile] = (int8_t)(joins_low ? high : joins_high ? low : NONE);
            if (joins_low || joins_high) add(&u->fits[pip], tile);
        }
    }
    return (PyObject *)self;
wrong:
    Py_DECREF(self);
    return NULL;
}

static void plain_dealloc(PyObject *self) { Py_TYPE(self)->tp_free(self); }

static PyTypeObject RulesType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "boneyard_engine._flat.Rules",
    .tp_basicsize = sizeof(RulesObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "What the rules of a table come to: facts, the pips that join each pip, the tiles.",
    .tp_new = rules_new,
    .tp_dealloc = plain_dealloc,
};

/* ---- a round, from its parts ---------------------------------------------------------------- */

static bool find_lay(const Round *r, long train, long on, End *found) {
    for (int lay = 0; lay < r->lays_count; lay++)
        if (r->lays[lay].train == train && r->lays[lay].index == on) {
            *found = (End){(int8_t)train, r->lays[lay].end, (int16_t)on, (int16_t)lay};
            return true;
        }
    *found = (End){(int8_t)train, (int8_t)r->hub_pip, HUB, HUB};
    if (on == HUB && train < r->trains_count) return true;
    PyErr_SetString(PyExc_ValueError, "nothing lies there");
    return false;
}

static bool read_place(const Round *r, PyObject *row, End *found) {
    long train, on;
    return read_at(row, 0, 0, r->trains_count - 1, &train) && read_at(row, 1, HUB, TILES, &on)
        && find_lay(r, train, on, found);
}

/* A place where a tile can still go; `or_covered` where something may hang on it already. */
static bool read_open(const Round *r, PyObject *row, bool or_covered, End *found) {
    if (!read_place(r, row, found)) return false;
    int node = r->trains[found->train].end;
    while (node != NONE && r->ends[node].on != found->on) node = r->ends[node].next;
    if (node != NONE || (or_covered && found->lay != HUB && r->lays[found->lay].hung)) return true;
    PyErr_SetString(PyExc_ValueError, "no tile can go there");
    return false;
}

/* A double that lies on the table. */
static bool read_double(const Round *r, PyObject *row, End *found) {
    if (!read_open(r, row, true, found)) return false;
    if (found->lay != HUB && is_double(r->rules, r->lays[found->lay].tile)) return true;
    PyErr_SetString(PyExc_ValueError, "no double lies there");
    return false;
}

static bool read_lays(Round *r, PyObject *rows) {
    long train, tile, joined, on, seat;
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(rows); at++) {
        PyObject *row = PyTuple_GET_ITEM(rows, at);
        if (!read_at(row, 0, 0, r->trains_count - 1, &train)
            || !read_at(row, 1, 0, r->rules->tiles - 1, &tile)
            || !read_at(row, 2, 0, r->rules->pip_max, &joined)
            || !read_at(row, 3, HUB, r->trains[train].lays - 1, &on)
            || !read_at(row, 4, 0, r->rules->seats - 1, &seat))
            return false;
        End base;
        if (has(r->seen, (int)tile)) {
            PyErr_SetString(PyExc_ValueError, "a tile is there twice");
            return false;
        }
        if (!find_lay(r, train, on, &base)) return false;
        if (base.lay != HUB) r->lays[base.lay].hung++;
        Train *t = &r->trains[train];
        int far = r->rules->low[tile] + r->rules->high[tile] - (int)joined;
        if (far < 0 || far > r->rules->pip_max) {
            PyErr_SetString(PyExc_ValueError, "no half of the tile joins");
            return false;
        }
        r->lays[r->lays_count++] = (Lay){(uint8_t)tile, (uint8_t)joined, (uint8_t)seat,
                                         (uint8_t)train, (int16_t)on, t->lays++, 0, (int8_t)far};
        add(&r->seen, (int)tile);
    }
    return true;
}

/* Takes marker and open ends of each train; its lays must be known. */
static bool read_ends(Round *r, PyObject *rows) {
    for (int train = 0; train < r->trains_count; train++) {
        long up;
        PyObject *row = PyTuple_GET_ITEM(rows, train), *ends;
        if (!read_at(row, 0, 0, 1, &up) || !(ends = row_at(row, 1, ENDS))) return false;
        r->trains[train].marker = up;
        int last = NONE;
        for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(ends); at++) {
            long on;
            End end;
            int node = r->ends_count;
            if (node == ENDS) {
                PyErr_SetString(PyExc_ValueError, "too many ends");
                return false;
            }
            if (!read_at(ends, at, HUB, TILES, &on) || !find_lay(r, train, on, &end)) return false;
            r->ends_count++;
            r->ends[node].on = end.on;
            r->ends[node].lay = end.lay;
            r->ends[node].pip = end.pip;
            r->ends[node].next = NONE;
            if (last == NONE) r->trains[train].end = (int16_t)node;
            else r->ends[last].next = (int16_t)node;
            last = node;
            r->trains[train].ends++;
        }
        if (last == NONE) {
            PyErr_SetString(PyExc_ValueError, "a train has no end");
            return false;
        }
    }
    return true;
}

static bool take(Round *r, Bits *given, long tile) {
    if (has(*given, (int)tile) || has(r->seen, (int)tile)) {
        PyErr_SetString(PyExc_ValueError, "a tile is there twice");
        return false;
    }
    add(given, (int)tile);
    return true;
}

static bool read_tiles(Round *r, PyObject *hands, PyObject *boneyard) {
    Bits given = none();
    long tile;
    for (int seat = 0; seat < r->rules->seats; seat++) {
        PyObject *hand = row_at(hands, seat, TILES);
        if (!hand) return false;
        for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(hand); at++) {
            if (!read_at(hand, at, 0, r->rules->tiles - 1, &tile) || !take(r, &given, tile))
                return false;
            add(&r->hands[seat], (int)tile);
            r->held[seat]++;
            r->came[tile] = r->came_next += CAME;
        }
    }
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(boneyard); at++) {
        if (!read_at(boneyard, at, 0, r->rules->tiles - 1, &tile) || !take(r, &given, tile))
            return false;
        r->boneyard[r->boneyard_count++] = (uint8_t)tile;
    }
    return true;
}

static bool read_turn(Round *r, PyObject *turn, PyObject *drawn, PyObject *doubles) {
    long stage, laid, from_hand, started, mark, tapped, tile;
    uint16_t before = 0;
    if (!read_at(turn, 0, START, IN_CHAIN, &stage) || !read_at(turn, 2, 0, 1, &laid)
        || !read_at(turn, 3, 0, 1, &from_hand) || !read_at(turn, 4, 0, 1, &started)
        || !read_at(turn, 5, NONE, 1, &mark) || !read_at(turn, 6, 0, 1, &tapped))
        return false;
    r->turn = (Turn){.stage = (Stage)stage, .laid = laid, .from_hand = from_hand,
                     .started = started, .mark = (int8_t)mark, .tapped = tapped};
    if (stage == IN_CHAIN) {
        End chain;
        PyObject *place = row_at(turn, 1, 2);
        if (!place || !read_open(r, place, false, &chain)) return false;
        if (chain.lay == HUB) {
            PyErr_SetString(PyExc_ValueError, "a chain has no tile");
            return false;
        }
        r->turn.chain = chain.lay;
    }
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(drawn); at++) {
        if (!read_at(drawn, at, 0, r->rules->tiles - 1, &tile)) return false;
        if (has(r->seen, (int)tile)) r->came[tile] = before + 1;  /* laid since; between two held */
        before = r->came[tile];
        add(&r->turn.drawn, (int)tile);
    }
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(doubles); at++) {
        End *place = &r->turn.doubles[r->turn.doubles_count++];
        if (!read_double(r, PyTuple_GET_ITEM(doubles, at), place)) return false;
    }
    return true;
}

static bool read_owed(Round *r, PyObject *rows) {
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(rows); at++) {
        PyObject *row = PyTuple_GET_ITEM(rows, at);
        long need, begun, left;
        Owed *owed = &r->owed[r->owed_count++];
        if (!read_open(r, row, false, &owed->at) || !read_at(row, 2, 1, 255, &need)
            || !read_at(row, 3, 0, 1, &begun) || !read_at(row, 4, 0, UINT16_MAX, &left))
            return false;
        long ends = 0;
        for (int node = r->trains[owed->at.train].end; node != NONE; node = r->ends[node].next)
            ends += r->ends[node].on == owed->at.on;
        if (need > ends) {
            PyErr_SetString(PyExc_ValueError, "not as many tiles can go there");
            return false;
        }
        *owed = (Owed){owed->at, (uint8_t)need, begun, (uint16_t)left};
    }
    return true;
}

static bool read_memory(Round *r, PyObject *row, PyObject *opened) {
    long value[8];
    const long least[8] = {0, NONE}, seats = r->rules->seats, bits = (1 << seats) - 1;
    const long most[8] = {1, seats - 1, bits, bits, bits, bits, 1, seats};
    for (int at = 0; at < 8; at++)
        if (!read_at(row, at, least[at], most[at], &value[at])) return false;
    r->stocked = value[0];
    r->first_out = (int8_t)value[1];
    r->tapped = (uint16_t)value[2];
    r->silent = (uint16_t)value[3];
    r->failed = (uint16_t)value[4];
    r->voluntary = (uint16_t)value[5];
    r->closing = value[6];
    r->last_left = (uint8_t)value[7];
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(opened); at++)
        if (!read_double(r, PyTuple_GET_ITEM(opened, at), &r->opened[r->opened_count++]))
            return false;
    return true;
}

static bool read_plans(Round *r, PyObject *rows) {
    for (int seat = 0; seat < r->rules->seats; seat++) {
        r->plan_from[seat] = NONE;
        if (seat >= PyTuple_GET_SIZE(rows)) continue;
        PyObject *row = PyTuple_GET_ITEM(rows, seat), *plan;
        long from, tile;
        if (!read_at(row, 0, NONE, r->rules->pip_max, &from) || !(plan = row_at(row, 1, CHAIN)))
            return false;
        r->plan_from[seat] = (int8_t)from;
        for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(plan); at++) {
            if (!read_at(plan, at, 0, r->rules->tiles - 1, &tile)) return false;
            if (has(r->plan_bits[seat], (int)tile)) {
                PyErr_SetString(PyExc_ValueError, "a plan has a tile twice");
                return false;
            }
            r->plan[seat][r->plan_count[seat]++] = (uint8_t)tile;
            add(&r->plan_bits[seat], (int)tile);
        }
        int end = (int)from, next = r->plan_count[seat];
        while (end != NONE && next > 0) {  /* a plan that holds is of tiles that hang together */
            int at = r->plan[seat][--next];
            end = has(r->hands[seat], at) ? r->rules->far[end][at] : NONE;
            if (end == NONE) {
                PyErr_SetString(PyExc_ValueError, "a plan does not hold");
                return false;
            }
        }
    }
    return true;
}

enum {
    THE_OUTLINE, THE_TRAINS, THE_LAYS, THE_HANDS, THE_BONEYARD, THE_OWED, THE_TURN, THE_DRAWN,
    THE_DOUBLES, THE_MEMORY, THE_OPENED, THE_PLANS, ALL_PARTS
};

static bool read_round(Round *r, PyObject *parts) {
    enum { OUTLINE = 7 };  /* and how the round ended, which this one has not */
    long value[OUTLINE];
    PyObject *row[ALL_PARTS];
    const Rules *u = r->rules;
    const Py_ssize_t most[ALL_PARTS] = {
        OUTLINE + 2, TRAINS, TILES, SEATS, TILES, GIVEN, 7, TILES, GIVEN, 8, SEATS, SEATS};
    for (int at = 0; at < ALL_PARTS; at++)
        if (!(row[at] = row_at(parts, at, most[at]))) return false;
    const long limit[OUTLINE] = {u->seats - 1, 1 << 20, 1, UINT16_MAX, u->pip_max, UINT16_MAX, 0};
    for (int at = 0; at < OUTLINE; at++)
        if (!read_at(row[THE_OUTLINE], at, 0, limit[at], &value[at])) return false;
    r->to_move = (uint8_t)value[0];
    r->turns = (int)value[1];
    r->drawn = value[2];
    r->passed = (uint16_t)value[3];
    r->hub_pip = (uint8_t)value[4];
    r->gone = (uint16_t)value[5];
    r->out_seat = NONE;
    r->trains_count = (uint8_t)PyTuple_GET_SIZE(row[THE_TRAINS]);
    if (r->trains_count < u->seats || PyTuple_GET_SIZE(row[THE_HANDS]) != u->seats
        || r->gone >> u->seats || r->gone >> r->to_move & 1) {
        PyErr_SetString(PyExc_ValueError, "no such table");
        return false;
    }
    for (int train = 0; train < r->trains_count; train++) r->trains[train].end = NONE;
    r->seen = u->of_pip[r->hub_pip];
    return read_lays(r, row[THE_LAYS]) && read_ends(r, row[THE_TRAINS])
        && read_tiles(r, row[THE_HANDS], row[THE_BONEYARD]) && read_owed(r, row[THE_OWED])
        && read_turn(r, row[THE_TURN], row[THE_DRAWN], row[THE_DOUBLES])
        && read_memory(r, row[THE_MEMORY], row[THE_OPENED]) && read_plans(r, row[THE_PLANS]);
}

static RoundObject *new_round(RulesObject *rules) {
    RoundObject *self = (RoundObject *)RoundType.tp_alloc(&RoundType, 0);
    if (!self) return NULL;
    Py_INCREF(rules);
    self->rules = rules;
    self->round.rules = &rules->rules;
    return self;
}

static PyObject *round_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    RulesObject *rules;
    PyObject *parts;
    if (!PyArg_ParseTuple(args, "O!O!", &RulesType, &rules, &PyTuple_Type, &parts)) return NULL;
    RoundObject *self = new_round(rules);
    if (self && !read_round(&self->round, parts)) Py_CLEAR(self);
    return (PyObject *)self;
}

static void round_dealloc(RoundObject *self) {
    Py_XDECREF(self->rules);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

/* ---- a round, to its parts ------------------------------------------------------------------ */

/* A tuple of `size` items that `item` makes. */
static PyObject *tuple_of(const Round *r, int size, PyObject *(*item)(const Round *, int)) {
    PyObject *row = PyTuple_New(size);
    for (int at = 0; row && at < size; at++) {
        PyObject *made = item(r, at);
        if (made) PyTuple_SET_ITEM(row, at, made);
        else Py_CLEAR(row);
    }
    return row;
}

static PyObject *place_of(End place) { return Py_BuildValue("(ii)", place.train, place.on); }

static PyObject *train_part(const Round *r, int train) {
    PyObject *ends = PyTuple_New(r->trains[train].ends);
    int at = 0;
    for (int node = r->trains[train].end; ends && node != NONE; node = r->ends[node].next)
        PyTuple_SET_ITEM(ends, at++, PyLong_FromLong(r->ends[node].on));
    return ends ? Py_BuildValue("(iN)", r->trains[train].marker, ends) : NULL;
}

static PyObject *lay_part(const Round *r, int at) {
    const Lay *lay = &r->lays[at];
    return Py_BuildValue("(iiiii)", lay->train, lay->tile, lay->joined, lay->on, lay->seat);
}

static PyObject *set_part(const Round *r, Bits set) {
    int tiles[TILES], size = 0;
    while (any(set)) {  /* in the order in which they came */
        int tile = highest(set), at = size++;
        drop(&set, tile);
        for (; at && r->came[tiles[at - 1]] > r->came[tile]; at--) tiles[at] = tiles[at - 1];
        tiles[at] = tile;
    }
    PyObject *row = PyTuple_New(size);
    for (int at = 0; row && at < size; at++)
        PyTuple_SET_ITEM(row, at, PyLong_FromLong(tiles[at]));
    return row;
}

static PyObject *hand_part(const Round *r, int seat) { return set_part(r, r->hands[seat]); }

static PyObject *boneyard_part(const Round *r, int at) {
    return PyLong_FromLong(r->boneyard[r->boneyard_at + at]);
}

static PyObject *owed_part(const Round *r, int at) {
    const Owed *owed = &r->owed[at];
    return Py_BuildValue("(iiiii)", owed->at.train, owed->at.on, owed->need, owed->begun,
                         owed->left);
}

static PyObject *double_part(const Round *r, int at) { return place_of(r->turn.doubles[at]); }

static PyObject *opened_part(const Round *r, int at) { return place_of(r->opened[at]); }

static PyObject *plan_part(const Round *r, int seat) {
    PyObject *plan = PyTuple_New(r->plan_count[seat]);
    for (int at = 0; plan && at < r->plan_count[seat]; at++)
        PyTuple_SET_ITEM(plan, at, PyLong_FromLong(r->plan[seat][at]));
    return plan ? Py_BuildValue("(iN)", r->plan_from[seat], plan) : NULL;
}

static PyObject *round_parts(RoundObject *self, PyObject *none_) {
    const Round *r = &self->round;
    const Turn *t = &r->turn;
    const Lay *chain = &r->lays[t->stage == IN_CHAIN ? t->chain : 0];
    PyObject *tip = t->stage == IN_CHAIN ? Py_BuildValue("(ii)", chain->train, chain->index)
        : PyTuple_New(0);
    if (!tip) return NULL;
    return Py_BuildValue(
        "((iiiiiiiii)NNNNN(iNiiiii)NN(iiiiiiii)NN)",
        r->to_move, r->turns, r->drawn, r->passed, r->hub_pip, r->gone, r->over, r->blocked,
        r->out_seat,
        tuple_of(r, r->trains_count, train_part), tuple_of(r, r->lays_count, lay_part),
        tuple_of(r, r->rules->seats, hand_part),
        tuple_of(r, r->boneyard_count - r->boneyard_at, boneyard_part),
        tuple_of(r, r->owed_count, owed_part),
        t->stage, tip, t->laid, t->from_hand, t->started, t->mark, t->tapped,
        set_part(r, t->drawn), tuple_of(r, t->doubles_count, double_part),
        r->stocked, r->first_out, r->tapped, r->silent, r->failed, r->voluntary, r->closing,
        r->last_left,
        tuple_of(r, r->opened_count, opened_part), tuple_of(r, r->rules->seats, plan_part));
}

/* ---- moves, each one number -----------------------------------------------------------------

   From the lowest bit: 2 for its kind, 1 for the half that joins (the lower one is 0), 8 for the
   tile, 6 for the train, 7 for the end by its place among those of the train. */

static PyObject *codes[1 << 14];  /* most moves are on the first end of one of the first trains */

static PyObject *coded(const Round *r, Move m) {
    int code = m.kind, end = 0;
    if (m.kind == LAY) {
        for (int node = r->trains[m.train].end; r->ends[node].on != m.on; node = r->ends[node].next)
            end++;
        code |= (m.joined != r->rules->low[m.tile]) << 2 | m.tile << 3 | m.train << 11 | end << 17;
    }
    if (code >= 1 << 14) return PyLong_FromLong(code);
    if (!codes[code]) codes[code] = PyLong_FromLong(code);
    Py_XINCREF(codes[code]);
    return codes[code];
}

/* False where there is no such place, or no such tile. */
static bool read_move(const Round *r, PyObject *code, Move *found) {
    long bits;
    if (!take_number(code, 0, (1 << 24) - 1, &bits)) return false;
    *found = (Move){.kind = (Kind)(bits & 3)};
    if (found->kind != LAY) {
        if (bits == (long)found->kind) return true;
        PyErr_SetString(PyExc_ValueError, "there is no such move");
        return false;
    }
    int tile = bits >> 3 & 255, train = bits >> 11 & 63, end = bits >> 17;
    int node = tile < r->rules->tiles && train < r->trains_count ? r->trains[train].end : NONE;
    for (; node != NONE && end; end--) node = r->ends[node].next;
    if (node == NONE) {
        PyErr_SetString(PyExc_ValueError, "there is no such move");
        return false;
    }
    int joined = bits >> 2 & 1 ? r->rules->high[tile] : r->rules->low[tile];
    *found = (Move){LAY, (uint8_t)tile, (uint8_t)joined, (int8_t)train, r->ends[node].on};
    return true;
}

static bool is_over(const RoundObject *self) {
    if (self->round.over) PyErr_SetString(PyExc_ValueError, "the round is over");
    return self->round.over;
}

static const Places *places_now(RoundObject *self) {
    if (!self->has_places) places(&self->round, &self->places);
    self->has_places = true;
    return &self->places;
}

static PyObject *round_legal(RoundObject *self, PyObject *none_) {
    Move moves[MOVES];
    if (is_over(self)) return NULL;
    int size = legal_moves(&self->round, places_now(self), moves);
    if (size == NONE) Py_RETURN_NONE;
    PyObject *row = PyTuple_New(size);
    for (int at = 0; row && at < size; at++)
        PyTuple_SET_ITEM(row, at, coded(&self->round, moves[at]));
    return row;
}

static PyObject *round_is_legal(RoundObject *self, PyObject *code) {
    Move move;
    if (is_over(self) || !read_move(&self->round, code, &move)) return NULL;
    int legal = is_legal(&self->round, places_now(self), move);
    if (legal == NONE) Py_RETURN_NONE;
    return PyBool_FromLong(legal);
}

/* Reads a move that can be carried out, so that a wrong one breaks nothing. */
static bool read_possible(RoundObject *self, PyObject *code, Move *found) {
    const Round *r = &self->round;
    if (is_over(self) || !read_move(r, code, found)) return false;
    bool may = found->kind == LAY ? has(r->hands[r->to_move], found->tile)
        : found->kind != DRAW || r->boneyard_at < r->boneyard_count;
    if (!may) PyErr_SetString(PyExc_ValueError, "there is no such move");
    self->has_places = false;
    return may;
}

static PyObject *round_carry_out(RoundObject *self, PyObject *code) {
    Move move;
    if (!read_possible(self, code, &move)) return NULL;
    self->round.plan_from[self->round.to_move] = NONE;  /* `make` keeps it */
    carry_out(&self->round, move);
    return PyBool_FromLong(self->round.over);
}

static PyObject *round_make(RoundObject *self, PyObject *code) {
    Move move;
    if (!read_possible(self, code, &move)) return NULL;
    make(&self->round, move);
    Py_RETURN_NONE;
}

static PyObject *round_copy(RoundObject *self, PyObject *none_) {
    RoundObject *made = new_round(self->rules);
    if (made) made->round = self->round;
    return (PyObject *)made;
}

/* Plans for a bit set of seats. */
static PyObject *round_plan(RoundObject *self, PyObject *seats) {
    long bits;
    if (is_over(self) || !take_number(seats, 0, (1 << self->round.rules->seats) - 1, &bits))
        return NULL;
    for (int seat = 0; bits >> seat; seat++)
        if (bits >> seat & 1) plan_anew(&self->round, seat);
    Py_RETURN_NONE;
}

/* A copy with the tiles of hands and boneyard mixed by random octets, four for each of them. */
static PyObject *round_mixed(RoundObject *self, PyObject *octets) {
    uint8_t tiles[TILES];
    int size = 0;
    RoundObject *made = (RoundObject *)round_copy(self, NULL);
    if (!made) return NULL;
    Round *r = &made->round;
    for (int seat = 0; seat < r->rules->seats; seat++)
        for (Bits hand = r->hands[seat]; any(hand);) {
            tiles[size] = (uint8_t)highest(hand);
            drop(&hand, tiles[size++]);
        }
    for (int at = r->boneyard_at; at < r->boneyard_count; at++) tiles[size++] = r->boneyard[at];
    if (!PyBytes_Check(octets) || PyBytes_GET_SIZE(octets) < 4 * size) {
        PyErr_SetString(PyExc_ValueError, "four octets are needed for each tile");
        Py_DECREF(made);
        return NULL;
    }
    const uint8_t *word = (const uint8_t *)PyBytes_AS_STRING(octets);
    for (int last = size - 1; last > 0; last--, word += 4) {
        uint64_t number = word[0] | word[1] << 8 | word[2] << 16 | (uint64_t)word[3] << 24;
        int at = (int)(number * (last + 1) >> 32);
        uint8_t tile = tiles[at];
        tiles[at] = tiles[last];
        tiles[last] = tile;
    }
    size = 0;
    r->came_next = 0;
    for (int seat = 0; seat < r->rules->seats; seat++) {
        r->hands[seat] = none();
        r->plan_from[seat] = NONE;
        for (int held = 0; held < r->held[seat]; held++) {
            add(&r->hands[seat], tiles[size]);
            r->came[tiles[size++]] = r->came_next += CAME;
        }
    }
    for (int at = r->boneyard_at; at < r->boneyard_count; at++) r->boneyard[at] = tiles[size++];
    return (PyObject *)made;
}

enum { STEPS_MAX = 1 << 16 };  /* no round is as long; nobody waits for one that does not end */

/* Plays for all seats; whether the end or a turn of that seat is reached. */
static PyObject *round_play(RoundObject *self, PyObject *number) {
    Round *r = &self->round;
    long seat;
    Move move;
    if (!take_number(number, NONE, r->rules->seats - 1, &seat)) return NULL;
    self->has_places = false;
    for (int steps = 0; !r->over && r->to_move != seat; steps++) {
        if (steps == STEPS_MAX || !choose(r, &move)) Py_RETURN_FALSE;
        make(r, move);
    }
    Py_RETURN_TRUE;
}

static PyObject *round_hands(RoundObject *self, PyObject *none_) {
    return tuple_of(&self->round, self->round.rules->seats, hand_part);
}

static PyObject *round_end(RoundObject *self, PyObject *none_) {
    const Round *r = &self->round;
    if (!r->over) Py_RETURN_NONE;
    return Py_BuildValue("(Oi)", r->blocked ? Py_True : Py_False, r->out_seat);
}

static PyMethodDef round_methods[] = {
    {"parts", (PyCFunction)round_parts, METH_NOARGS, "Everything, as nested tuples of integers."},
    {"legal", (PyCFunction)round_legal, METH_NOARGS,
     "The legal moves of the seat in turn, in the rulebook's order; None where it must be asked."},
    {"is_legal", (PyCFunction)round_is_legal, METH_O,
     "Whether a move is legal for the seat in turn and its hand; None where the rulebook must be "
     "asked."},
    {"carry_out", (PyCFunction)round_carry_out, METH_O,
     "Carry out a legal move, in place; whether the round is over."},
    {"make", (PyCFunction)round_make, METH_O,
     "Carry out a legal move and keep the plans; late calls are made by themselves."},
    {"copy", (PyCFunction)round_copy, METH_NOARGS, "A copy that is played on by itself."},
    {"plan", (PyCFunction)round_plan, METH_O, "Plan the trains of a bit set of seats anew."},
    {"mixed", (PyCFunction)round_mixed, METH_O,
     "A copy with the tiles of hands and boneyard mixed by random octets, four for each."},
    {"play", (PyCFunction)round_play, METH_O,
     "Play for all seats by the quick policy, to the end or to a turn of this seat (-1 for none); "
     "False where the rulebook must be asked for a move."},
    {"hands", (PyCFunction)round_hands, METH_NOARGS,
     "The tiles of each hand by number, in the order in which they came."},
    {"end", (PyCFunction)round_end, METH_NOARGS,
     "Whether nobody could go on, and who is out or -1; None while the round is played."},
    {NULL},
};

static PyTypeObject RoundType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "boneyard_engine._flat.Round",
    .tp_basicsize = sizeof(RoundObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A round in play with every tile known, made of Rules and parts; changed in place.",
    .tp_new = round_new,
    .tp_dealloc = (destructor)round_dealloc,
    .tp_methods = round_methods,
};

/* ---- the module ----------------------------------------------------------------------------- */

static struct PyModuleDef flat_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_flat",
    .m_doc = "A round in play as one flat value. [engine.bots.flat]",
    .m_size = -1,
};

PyMODINIT_FUNC PyInit__flat(void) {
    static const char *const names[] = {
#define NAME(name) #name,
        FACTS(NAME)
#undef NAME
    };
    PyObject *module = PyModule_Create(&flat_module);
    if (!module) return NULL;
    const Py_ssize_t size = sizeof names / sizeof names[0];
    PyObject *facts = PyTuple_New(size);
    for (Py_ssize_t at = 0; facts && at < size; at++)
        PyTuple_SET_ITEM(facts, at, PyUnicode_FromString(names[at]));
    if (PyModule_AddObjectRef(module, "FACTS", facts) < 0
        || PyModule_AddType(module, &RulesType) < 0 || PyModule_AddType(module, &RoundType) < 0)
        Py_CLEAR(module);
    Py_XDECREF(facts);
    return module;
}
