/* Random programs. */
#ifndef FUZZ_MODEL_GENERATE_H
#define FUZZ_MODEL_GENERATE_H

#include "system/model/program.h"
#include "util/rng.h"

struct knobs {
  const char *name;
#define KNOB(field) uint8_t field;
#include "knobs.def"
#undef KNOB
};

/* Settings that stress one thing each.  If nothing else is asked for, one of
 * the first `generate_profile_drawn` is taken; the others must be named, so
 * that a seed has the programs that it always had. */
extern const struct knobs generate_profiles[];
extern const unsigned generate_profile_count;
extern const unsigned generate_profile_drawn;
const struct knobs *generate_profile(const char *name); /* or NULL */

/* Makes and compiles a program; the same state of the generator and the same
 * knobs give the same program. */
void generate(struct program *, const struct knobs *, struct rng *);

/* generate_halves.c: so many of the accesses become accesses of a half. */
void generate_halves(struct program *, uint32_t percent, struct rng *);

#endif
