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

/* The function that starts at the address, or NULL. */
const char *source_function(struct source_lines *, uint64_t address);

/* The global or static variable, or the part of it, that the bytes are: "x",
 * "queue.items[3].state".  NULL if they are none. */
const char *source_variable(struct source_lines *, uint64_t address,
                            uint64_t size);

/* A value of `size` bytes (at most 8) as the type of the variable at that
 * address prints it; NULL if it is no scalar.  Address 0: no type known. */
const char *source_value(struct source_lines *, uint64_t address, uint64_t size,
                         uint64_t value);

/* A file's name as it is shown. */
const char *source_file(struct source_lines *, const char *file);

#endif
