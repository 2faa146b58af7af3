/* The curve for a browser tab: what netgame/crypto/curve.py asks of secp256k1, each in one call.

   Points come as 65 octets of SEC 1, scalars as 32, big-endian and below the group's order; a result
   is one point of 65 octets. Each function says 1 if it has written its result, 0 for the point at
   infinity, and -1 where what it was given is no point. `times_base` and `times_secret` take the same
   time whatever the scalar is; the other functions take public values alone. */

#include <stdlib.h>
#include <string.h>

#include "secp256k1.c"

#define EXPORT __attribute__((visibility("default")))

enum { WIDE = 65, NARROW = 33, SCALAR = 32 };

static secp256k1_context *ctx(void) {
    static secp256k1_context *made;
    if (made == NULL) {
        made = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
    }
    return made;
}

/* A point that was opened before, so that its square root is not drawn again. */
static int read_wide(secp256k1_ge *point, const unsigned char *wide) {
    return secp256k1_eckey_pubkey_parse(point, wide, WIDE);
}

static int write_wide(unsigned char *wide, secp256k1_gej *sum) {
    secp256k1_ge point;
    if (secp256k1_gej_is_infinity(sum)) {
        return 0;
    }
    secp256k1_ge_set_gej(&point, sum);
    secp256k1_eckey_pubkey_serialize65(&point, wide);
    return 1;
}

/* Draws the secrets that blind `times_base` against whoever measures it; 32 octets of chance. */
EXPORT int blind(const unsigned char *seed) { return secp256k1_context_randomize(ctx(), seed); }

/* Opens points of 33 octets in a row into ones of 65. */
EXPORT int widen(unsigned char *wides, const unsigned char *points, int count) {
    secp256k1_ge point;
    for (int at = 0; at < count; at++) {
        if (!secp256k1_eckey_pubkey_parse(&point, points + at * NARROW, NARROW)) {
            return -1;
        }
        secp256k1_eckey_pubkey_serialize65(&point, wides + at * WIDE);
    }
    return 1;
}

EXPORT int add_up(unsigned char *wide, const unsigned char *wides, int count) {
    secp256k1_gej sum;
    secp256k1_ge point;
    secp256k1_gej_set_infinity(&sum);
    for (int at = 0; at < count; at++) {
        if (!read_wide(&point, wides + at * WIDE)) {
            return -1;
        }
        secp256k1_gej_add_ge_var(&sum, &sum, &point, NULL);
    }
    return write_wide(wide, &sum);
}

EXPORT int times_base(unsigned char *wide, const unsigned char *scalar) {
    secp256k1_pubkey point;
    size_t size = WIDE;
    if (!secp256k1_ec_pubkey_create(ctx(), &point, scalar)) {
        return 0;
    }
    return secp256k1_ec_pubkey_serialize(ctx(), wide, &size, &point, SECP256K1_EC_UNCOMPRESSED);
}

static int whole_point(unsigned char *wide, const unsigned char *x, const unsigned char *y, void *data) {
    (void)data;
    wide[0] = 4;
    memcpy(wide + 1, x, 32);
    memcpy(wide + 33, y, 32);
    return 1;
}

/* ECDH is the library's one multiplication of any point in constant time. */
EXPORT int times_secret(unsigned char *wide, const unsigned char *given, const unsigned char *scalar) {
    secp256k1_pubkey point;
    if (!secp256k1_ec_pubkey_parse(ctx(), &point, given, WIDE)) {
        return -1;
    }
    return secp256k1_ecdh(ctx(), wide, &point, scalar, whole_point, NULL);
}

struct terms {
    const secp256k1_ge *points;
    const secp256k1_scalar *scalars;
};

static int term(secp256k1_scalar *scalar, secp256k1_ge *point, size_t at, void *given) {
    const struct terms *terms = given;
    *scalar = terms->scalars[at];
    *point = terms->points[at];
    return 1;
}

/* Strauss' and Pippenger's methods, whichever pays. */
EXPORT int multiply_sum(
    unsigned char *wide, const unsigned char *wides, const unsigned char *factors, int count
) {
    secp256k1_ge *points = malloc(count * sizeof *points);
    secp256k1_scalar *scalars = malloc(count * sizeof *scalars);
    struct terms terms = {points, scalars};
    secp256k1_gej sum;
    int result = points != NULL && scalars != NULL ? 1 : -1;
    for (int at = 0; result == 1 && at < count; at++) {
        secp256k1_scalar_set_b32(scalars + at, factors + at * SCALAR, NULL);
        result = read_wide(points + at, wides + at * WIDE) ? 1 : -1;
    }
    if (result == 1) {
        size_t room = (size_t)count * 2048 + (1 << 20);
        secp256k1_scratch *scratch = secp256k1_scratch_create(&ctx()->error_callback, room);
        result = secp256k1_ecmult_multi_var(&ctx()->error_callback, scratch, &sum, NULL, term, &terms, count)
            ? write_wide(wide, &sum)
            : -1;
        secp256k1_scratch_destroy(&ctx()->error_callback, scratch);
    }
    free(points);
    free(scalars);
    return result;
}

/* SwiftEC decoding of 64 octets (BIP 324). */
EXPORT int swift_decode(unsigned char *wide, const unsigned char *octets) {
    secp256k1_pubkey point;
    size_t size = WIDE;
    return secp256k1_ellswift_decode(ctx(), &point, octets)
        && secp256k1_ec_pubkey_serialize(ctx(), wide, &size, &point, SECP256K1_EC_UNCOMPRESSED);
}
