/* From addresses of a checked program back to its source: functions, lines,
 * variables, values.  Uses debug information; answers are as good as it is.
 * All strings belong to the `struct source_lines`. */
#ifndef REPORT_SOURCE_LINES_H
#define REPORT_SOURCE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place in the source; what is unknown is NULL or 0. */
struct source_place {
  const char *function;
  const char *file;
  unsigned line;
};

struct source_lines;

/* File names inside `directory` are shown relative to it. */
struct source_lines *source_open(const char *directory);
void source_close(struct source_lines *);

/* A loaded object.  All modules are named before the first question. */
void source_module(struct source_lines *, const char *path, uint64_t bias);

/* Where the call is that returns to pc. */
struct source_place source_place(struct source_lines *, uint64_t pc);

/* The same, and behind it the calls that the compiler has put in place of the
 * function's code, the innermost first.  Returns the number of places. */
size_t source_places(struct source_lines *, uint64_t pc,
                     struct source_place *to, size_t most);

/* The function that starts at the address, or NULL. */
const char *source_function(struct source_lines *, uint64_t address);

/* The global or static variable, or the part of it, that the bytes are: "x",
 * "queue.items[3].state".  NULL if they are none. */
const char *source_variable(struct source_lines *, uint64_t address,
                            uint64_t size);

/* Asked for the name of an address in a value that is neither a function's nor
 * a variable's; `size` is that of what the pointer is taken to point to.  NULL:
 * it has none. */
typedef const char *(*source_namer)(void *context, uint64_t address,
                                    uint64_t size);
void source_name_by(struct source_lines *, source_namer, void *context);

/* ---- types --------------------------------------------------------------- */

struct source_type;

/* The type with this tag or typedef, or NULL; of several that of the code at
 * pc. */
const struct source_type *source_type_named(struct source_lines *,
                                            const char *name, uint64_t pc);
/* The type, of so many bytes, of a local variable of the function, or NULL. */
const struct source_type *source_type_of_local(struct source_lines *,
                                               const char *function,
                                               const char *name, uint64_t size);
uint64_t source_type_size(const struct source_type *);
const char *source_type_name(const struct source_type *);
/* Does it end with an array that has no length? */
bool source_type_is_open(const struct source_type *);

/* Some bytes of an object. */
struct source_part {
  const char *path;               /* ".items[3].next", "" for the whole */
  bool exact;                     /* the bytes begin where the part does */
  const struct source_type *type; /* of the scalar that they are, or NULL */
  int first_bit;                  /* of a bit field in them ... */
  unsigned bit_count;             /* ... and its number of bits, else 0 */
  /* The struct of which several bit fields are in the bytes, or NULL, and where
   * in it the bytes begin. */
  const struct source_type *shared;
  uint64_t offset;
};

/* The part of an object of the type that lies in the given bytes.  The hint,
 * which may be NULL, is a member's name: it tells those of a union apart. */
void source_part(struct source_lines *, const struct source_type *,
                 uint64_t offset, uint64_t size, const char *hint,
                 struct source_part *);
const char *source_part_value(struct source_lines *, const struct source_part *,
                              uint64_t size, uint64_t value);

/* The same for bytes of a global or static variable.  Returns its name with the
 * path; NULL if they are none or nothing is known of its type. */
const char *source_global_part(struct source_lines *, uint64_t address,
                               uint64_t size, const char *hint,
                               struct source_part *);

/* ---- values -------------------------------------------------------------- */

/* A value of `size` bytes (at most 8) as the type of the variable at that
 * address prints it; NULL if it is no scalar.  Address 0: no type known. */
const char *source_value(struct source_lines *, uint64_t address, uint64_t size,
                         uint64_t value);

/* ---- calls --------------------------------------------------------------- */

/* A call of a library function; "" where something is not known. */
struct source_call {
  const char *function;
  const char *result; /* the type that the result is taken to point to */
  struct {
    const char *object; /* that the argument points to, as the source has it */
    const char *type;   /* that the last pointer in that points to */
  } argument[2];
};

/* The call that returns to pc, or NULL if it is not known. */
const struct source_call *source_call(struct source_lines *, uint64_t pc);

/* Is it an address in heddle's runtime? */
bool source_is_runtime(struct source_lines *, uint64_t pc);

/* A stack and the registers that belong to it, numbered as in DWARF. */
struct source_stack {
  uint64_t pc;
  unsigned registers;
  uint64_t known; /* bits */
  const uint64_t *value;
  uint64_t start; /* of the bytes */
  const char *bytes;
  size_t size;
};

/* The return addresses of all calls in the stack, the innermost first.  Returns
 * their number. */
size_t source_unwind(struct source_lines *, const struct source_stack *,
                     uint64_t *to, size_t most);

/* ---- files --------------------------------------------------------------- */

/* A file's name as it is shown. */
const char *source_file(struct source_lines *, const char *file);

#endif
