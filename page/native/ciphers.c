/* The ciphers for a browser tab: what netgame/crypto/ciphers.py asks, from libsodium. */
#include <stddef.h>
#include <string.h>

#include "crypto_aead_chacha20poly1305.h"
#include "crypto_hash_sha512.h"
#include "crypto_scalarmult_curve25519.h"
#include "crypto_sign_ed25519.h"
#include "crypto_verify_32.h"
#include "private/ed25519_ref10.h"

#define EXPORT __attribute__((visibility("default")))

/* Of libsodium's own helpers, which also lock memory, these are all that is called here. */
void sodium_memzero(void *octets, size_t size) {
    volatile unsigned char *each = octets;
    while (size--) {
        *each++ = 0;
    }
}

int sodium_is_zero(const unsigned char *octets, size_t size) {
    volatile unsigned char all = 0;
    while (size--) {
        all |= *octets++;
    }
    return all == 0;
}

int sodium_memcmp(const void *one, const void *other, size_t size) {
    const volatile unsigned char *left = one, *right = other;
    volatile unsigned char differ = 0;
    while (size--) {
        differ |= *left++ ^ *right++;
    }
    return differ == 0 ? 0 : -1;
}

void sodium_misuse(void) { __builtin_trap(); }

EXPORT int x25519(unsigned char *shared, const unsigned char *secret, const unsigned char *point) {
    return crypto_scalarmult_curve25519(shared, secret, point) == 0;
}

EXPORT int x25519_public(unsigned char *point, const unsigned char *secret) {
    return crypto_scalarmult_curve25519_base(point, secret) == 0;
}

EXPORT int seal(unsigned char *sealed, const unsigned char *plaintext, int size, const unsigned char *bound,
                int bound_size, const unsigned char *nonce, const unsigned char *key) {
    return crypto_aead_chacha20poly1305_ietf_encrypt(
        sealed, NULL, plaintext, size, bound, bound_size, NULL, nonce, key) == 0;
}

EXPORT int unseal(unsigned char *plaintext, const unsigned char *sealed, int size, const unsigned char *bound,
                  int bound_size, const unsigned char *nonce, const unsigned char *key) {
    return crypto_aead_chacha20poly1305_ietf_decrypt(
        plaintext, NULL, NULL, sealed, size, bound, bound_size, nonce, key) == 0;
}

EXPORT int ed25519_key(unsigned char *public, unsigned char *secret, const unsigned char *seed) {
    return crypto_sign_ed25519_seed_keypair(public, secret, seed) == 0;
}

EXPORT int ed25519_sign(unsigned char *signature, const unsigned char *data, int size, const unsigned char *secret) {
    return crypto_sign_ed25519_detached(signature, NULL, data, size, secret) == 0;
}

/* RFC 8032, 5.1.7, without cofactor, as OpenSSL has it: libsodium's own function also refuses an R of
   small order, and what one peer takes all must take. */
EXPORT int ed25519_verify(const unsigned char *signature, const unsigned char *data, int size, const unsigned char *public) {
    crypto_hash_sha512_state hash;
    unsigned char digest[64], expected[32];
    ge25519_p3 A;
    ge25519_p2 R;
    if (!sc25519_is_canonical(signature + 32) || ge25519_frombytes_negate_vartime(&A, public) != 0) {
        return 0;
    }
    crypto_hash_sha512_init(&hash);
    crypto_hash_sha512_update(&hash, signature, 32);
    crypto_hash_sha512_update(&hash, public, 32);
    crypto_hash_sha512_update(&hash, data, size);
    crypto_hash_sha512_final(&hash, digest);
    sc25519_reduce(digest);
    ge25519_double_scalarmult_vartime(&R, digest, &A, signature + 32);
    ge25519_tobytes(expected, &R);
    return crypto_verify_32(expected, signature) == 0;
}
