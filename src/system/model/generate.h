/* Random programs. */
#ifndef MODEL_GENERATE_H
#define MODEL_GENERATE_H

#include "program.h"
#include "util/rng.h"

struct knobs {
  const char *name;
#define KNOB(field) uint8_t field;
#include "knobs.def"
#undef KNOB
};

/* Settings that stress one thing each. */
extern const struct knobs generate_profiles[];
extern const unsigned generate_profile_count;
const struct knobs *generate_profile(const char *name); /* or NULL */

/* Makes and compiles a program; the same state of the generator and the same
 * knobs give the same program. */
void generate(struct program *, const struct knobs *, struct rng *);

#endif
