/* Names for what a replay has told by addresses: variables, heap objects, local
 * variables, threads, values. */
#ifndef SUPERVISE_NAMING_H
#define SUPERVISE_NAMING_H

#include "report/result.h"
#include "supervise/supervise.h"

/* A type that the source gives to an object somewhere. */
struct type_candidate {
  const struct source_type *type; /* NULL: no more candidates */
  uint64_t size;
  bool record;  /* a struct or union */
  bool refuted; /* members are elsewhere: it is that of a part */
};

enum { OBJECT_CANDIDATES = 6 };

/* A block of the heap that the replay touched or pointed to. */
struct heap_object {
  uint64_t start;
  uint64_t size;
  uint64_t pc; /* where it was allocated */
  struct type_candidate candidates[OBJECT_CANDIDATES];
  const struct source_type *type; /* the best of them, or NULL */
  bool record;                    /* the type is a struct or union */
  const char *title;              /* "queue" */
  const char *name;               /* "queue#2" */
  bool several;                   /* there are others of that title */
};

/* A local variable, in the steps from `first` to before `end`. */
struct local_variable {
  uint64_t start;
  uint64_t size;
  uint32_t proc;
  size_t first, end;
  const char *function; /* both belong to the run */
  const char *name;
  const struct source_type *type; /* NULL: not known */
};

/* Addresses of a thread's stack that were seen. */
struct known_stack {
  uint64_t low, high;
};

/* A step that names what it touches. */
struct seen_address {
  uint64_t addr;
  size_t step;
};

/* What is known of one replay. */
struct scene {
  struct source_lines *source;
  struct texts *texts;
  const struct run *run;
  size_t step; /* local variables are those of this step */
  int fill;    /* the byte that fresh heap memory is filled with, -1: unknown */
  VEC(struct heap_object) objects;
  VEC(struct local_variable) locals;
  VEC(struct known_stack) stacks; /* by thread */
  VEC(struct seen_address) seen;  /* by address and step */
};

/* Looks at all steps.  From now on the source asks the scene for names. */
void scene_open(struct scene *, struct source_lines *, struct texts *,
                const struct run *);
void scene_close(struct scene *);

/* "main", "T1 worker" */
const char *scene_thread(const struct scene *, uint32_t proc);

/* What lies at an address: "x", "queue#2.len", "main's pool.lock"; NULL if
 * nothing is known. */
const char *scene_data(struct scene *, uint64_t address, uint64_t size);

/* What some step calls the data at this address: for variables of which no more
 * is known, such as thread-local ones.  NULL if there is none. */
const char *scene_seen(const struct scene *, uint64_t address);

/* "file:line", or the function's name if there is no more to say. */
const char *scene_code(const struct scene *, uint64_t pc);

/* The object that a library function acts on which returns to pc: as the source
 * calls it, or NULL. */
const char *scene_argument(struct scene *, uint16_t op, uint64_t pc,
                           uint64_t address, uint64_t size);

/* The heap object at an address, or NULL. */
const struct heap_object *scene_object(const struct scene *, uint64_t address);

/* Fills variable, object and values of the step at this position. */
void scene_name_step(struct scene *, size_t position, struct result_step *);

#endif
