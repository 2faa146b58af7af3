/* Sums of many multiplications on secp256k1, for values that everybody knows.
 *
 * libsecp256k1 has Strauss's and Pippenger's methods inside, but no door to them. This file is that
 * door and nothing else: octets in, octets out, every point and scalar checked on the way. All of it
 * takes a time that depends on its input: nothing secret may pass here.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "src/secp256k1.c"

#define NARROW 33
#define WIDE 65
#define SCALAR 32
#define SCRATCH_BYTES (4u << 20) /* room for Pippenger's buckets of several thousand points */

static secp256k1_context *context;

typedef struct {
    secp256k1_ge *points;
    secp256k1_scalar *scalars;
} Terms;

static int give_term(secp256k1_scalar *scalar, secp256k1_ge *point, size_t index, void *data) {
    const Terms *terms = data;
    *scalar = terms->scalars[index];
    *point = terms->points[index];
    return 1;
}

/* Read n terms; 0 if an octet string is no point, or no scalar below the order. */
static int read_terms(Terms *terms, const unsigned char *points, const unsigned char *scalars,
                      Py_ssize_t n) {
    for (Py_ssize_t i = 0; i < n; i++) {
        int over = 0;
        if (!secp256k1_eckey_pubkey_parse(&terms->points[i], points + WIDE * i, WIDE)) {
            return 0;
        }
        secp256k1_scalar_set_b32(&terms->scalars[i], scalars + SCALAR * i, &over);
        if (over) {
            return 0;
        }
    }
    return 1;
}

/* The sum of base times G and all terms: 1, or 0 if there is no memory for it. */
static int sum_terms(secp256k1_gej *sum, const secp256k1_scalar *base, Terms *terms, Py_ssize_t n) {
    secp256k1_scratch *scratch = secp256k1_scratch_create(&context->error_callback, SCRATCH_BYTES);
    if (scratch == NULL) {
        return 0;
    }
    int done = secp256k1_ecmult_multi_var(&context->error_callback, scratch, sum, base, give_term,
                                          terms, (size_t)n);
    secp256k1_scratch_destroy(&context->error_callback, scratch);
    return done;
}

static const char sum_doc[] =
    "multiply_sum(base, points, scalars) -> bytes | None\n\n"
    "Give base times G plus the sum of scalar times point, in 65 octets; None for infinity.\n\n"
    "`base` is 32 octets, `points` are 65 octets each, `scalars` 32 each, as many. In variable time:\n"
    "everything must be public. ValueError if a length is wrong, or something is no point or no\n"
    "scalar below the order.";

static PyObject *multiply_sum(PyObject *self, PyObject *args) {
    Py_buffer base, points, scalars;
    unsigned char out[WIDE];
    secp256k1_scalar factor;
    secp256k1_gej sum;
    secp256k1_ge affine;
    int over = 0, is_read = 0, is_done = 0, is_infinity = 1;
    PyObject *result = NULL;

    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*y*:multiply_sum", &base, &points, &scalars)) {
        return NULL;
    }
    Py_ssize_t n = points.len / WIDE;
    if (base.len != SCALAR || points.len != n * WIDE || scalars.len != n * SCALAR) {
        PyErr_SetString(PyExc_ValueError, "a base of 32 octets, points of 65, as many scalars of 32");
        goto release;
    }
    Terms terms = {PyMem_Malloc(sizeof(secp256k1_ge) * (size_t)(n + 1)),
                   PyMem_Malloc(sizeof(secp256k1_scalar) * (size_t)(n + 1))};
    if (terms.points == NULL || terms.scalars == NULL) {
        PyErr_NoMemory();
        goto free_terms;
    }
    Py_BEGIN_ALLOW_THREADS
    secp256k1_scalar_set_b32(&factor, base.buf, &over);
    is_read = !over && read_terms(&terms, points.buf, scalars.buf, n);
    is_done = is_read && sum_terms(&sum, &factor, &terms, n);
    if (is_done && !(is_infinity = secp256k1_gej_is_infinity(&sum))) {
        secp256k1_ge_set_gej_var(&affine, &sum);
        secp256k1_eckey_pubkey_serialize65(&affine, out);
    }
    Py_END_ALLOW_THREADS
    if (!is_read) {
        PyErr_SetString(PyExc_ValueError, "no point of the curve, or no scalar below its order");
    } else if (!is_done) {
        PyErr_NoMemory();
    } else {
        result = is_infinity ? Py_NewRef(Py_None) : PyBytes_FromStringAndSize((char *)out, WIDE);
    }
free_terms:
    PyMem_Free(terms.points);
    PyMem_Free(terms.scalars);
release:
    PyBuffer_Release(&base);
    PyBuffer_Release(&points);
    PyBuffer_Release(&scalars);
    return result;
}

static const char widen_doc[] =
    "widen(points) -> bytes\n\n"
    "Give the 65-octet forms of points of 33 octets, one after the other.\n\n"
    "ValueError if the length is wrong, or 33 octets are no point in compressed form.";

static PyObject *widen(PyObject *self, PyObject *narrow) {
    Py_buffer points;
    PyObject *result = NULL;
    int is_read = 1;

    (void)self;
    if (PyObject_GetBuffer(narrow, &points, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    Py_ssize_t n = points.len / NARROW;
    if (points.len != n * NARROW) {
        PyErr_SetString(PyExc_ValueError, "points of 33 octets");
        goto release;
    }
    result = PyBytes_FromStringAndSize(NULL, n * WIDE);
    if (result == NULL) {
        goto release;
    }
    unsigned char *out = (unsigned char *)PyBytes_AS_STRING(result);
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < n && is_read; i++) {
        secp256k1_ge point;
        const unsigned char *octets = (const unsigned char *)points.buf + NARROW * i;
        is_read = (octets[0] == 2 || octets[0] == 3) &&
                  secp256k1_eckey_pubkey_parse(&point, octets, NARROW);
        if (is_read) {
            secp256k1_eckey_pubkey_serialize65(&point, out + WIDE * i);
        }
    }
    Py_END_ALLOW_THREADS
    if (!is_read) {
        Py_CLEAR(result);
        PyErr_SetString(PyExc_ValueError, "these 33 octets are no point of the curve");
    }
release:
    PyBuffer_Release(&points);
    return result;
}

static PyMethodDef methods[] = {
    {"multiply_sum", multiply_sum, METH_VARARGS, sum_doc},
    {"widen", widen, METH_O, widen_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "boneyard_native", "Sums of public multiplications on secp256k1.", -1,
    methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit_boneyard_native(void) {
    context = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
    return context == NULL ? PyErr_NoMemory() : PyModule_Create(&module);
}
