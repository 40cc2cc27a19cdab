#include "fuzz/c/pieces.h"

#include <stddef.h>

#define TEXTS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define PIECE(...) {__VA_ARGS__},
#define GUARD(...) {__VA_ARGS__},
#define PLACE(...) {__VA_ARGS__},

const struct piece pieces[] = {
#ifdef __x86_64__
#include "fuzz/c/pieces_asm_x86_64.def"
#endif
#include "fuzz/c/pieces_atomic.def"
#include "fuzz/c/pieces_data.def"
#include "fuzz/c/pieces_files.def"
#include "fuzz/c/pieces_library.def"
#include "fuzz/c/pieces_results.def"
#include "fuzz/c/pieces_signals.def"
#include "fuzz/c/pieces_sync.def"
#include "fuzz/c/pieces_waiting.def"
};

const struct guard guards[] = {
#include "fuzz/c/guards.def"
};

const struct object_place places[] = {
#include "fuzz/c/places.def"
};

const unsigned piece_count = sizeof pieces / sizeof *pieces;
const unsigned guard_count = sizeof guards / sizeof *guards;
const unsigned place_count = sizeof places / sizeof *places;
