/* The model system: runs a small program (program.h) behind core/system.h.
 *
 * The whole state is one array of 64-bit slots: shared variables and objects
 * first, then for each process its status, position and registers, then the
 * history, which is not part of the state (the causes of steps).  A step logs
 * each slot that it changes; undo writes them back.
 *
 * A variable lives at MODEL_BASE + 8 * its slot and is 8 bytes long; an object
 * is 4 bytes at the address of its first slot, as in the native system.  All
 * accesses are atomic and sequentially consistent, except those to data and
 * those that are relaxed: a model without data has no data races.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "core/system.h"
#include "program.h"

#define MODEL_BASE 0x10000u

struct model;

/* The program must be compiled, and outlive the model. */
struct model *model_new(const struct program *);
void model_free(struct model *);

/* Starts again with another program (or the same one, changed): cheaper than a
 * new model. */
void model_load(struct model *, const struct program *);

struct system *model_system(struct model *);

/* The state, to compare two runs from one state.  The pointer is valid until
 * the next step, undo or load. */
const int64_t *model_state(const struct model *, size_t *length);
uint64_t model_hash(const struct model *);
/* Of variables and locals only, which output() shows. */
uint64_t model_hash_outcome(const struct model *);
uint64_t model_hash_locals(const struct model *); /* without the variables */
uint64_t model_hash_shared(const struct model *);
uint64_t model_hash_process(const struct model *, unsigned p);

/* Of where process p stands, and of the locals that it may still read. */
uint64_t model_hash_live(const struct model *, unsigned p);

/* For judges.  From now on every operation is a step of its own, and none is
 * held; or no longer so. */
void model_rehearse(struct model *, bool);
/* Puts a value into a variable behind the back of undo; the value that was
 * there. */
int64_t model_poke(struct model *, const struct access *, int64_t value);

/* The failure that stopped process p, maybe before its first step; false: there
 * is none. */
bool model_failure(struct model *, unsigned p, struct finding *);

/* For reports. */
const char *model_process_name(const struct model *, unsigned p);
uint32_t model_line(const struct model *, uint64_t pc);
/* The variable or object that is accessed, e.g. "a[2].lo"; false: there is
 * none.
 */
bool model_describe(const struct model *, const struct access *, char *to,
                    size_t size);
/* The value of a variable or a part of it, of a semaphore, or the holder of a
 * mutex (1 + process). */
int64_t model_value(const struct model *, const struct access *);

#endif
