#include "fuzz/pieces.h"

#include <stddef.h>

#define TEXTS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define PIECE(...) {__VA_ARGS__},
#define GUARD(...) {__VA_ARGS__},
#define PLACE(...) {__VA_ARGS__},

const struct piece pieces[] = {
#ifdef __x86_64__
#include "fuzz/pieces_asm_x86_64.def"
#endif
#include "fuzz/pieces_atomic.def"
#include "fuzz/pieces_data.def"
#include "fuzz/pieces_library.def"
#include "fuzz/pieces_sync.def"
};

const struct guard guards[] = {
#include "fuzz/guards.def"
};

const struct place places[] = {
#include "fuzz/places.def"
};

const unsigned piece_count = sizeof pieces / sizeof *pieces;
const unsigned guard_count = sizeof guards / sizeof *guards;
const unsigned place_count = sizeof places / sizeof *places;
