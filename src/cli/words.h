/* Lists of strings, mostly command lines.  They live as long as the process:
 * a compiler driver is over soon. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct words {
  char **at;
  size_t size;
  size_t capacity;
};

void words_add(struct words *, const char *word);
void words_add_all(struct words *, const struct words *more);
/* Ends with NULL. */
void words_add_list(struct words *, const char *first, ...)
    __attribute__((sentinel));
/* The parts of `list` between these characters, without empty ones. */
void words_split(struct words *, const char *list, char between);
/* For exec: NULL after the last, which does not count. */
char **words_argv(struct words *);
bool words_contain(const struct words *, const char *word);
/* Unless it is there. */
void words_add_once(struct words *, const char *word);
void words_sort(struct words *);
bool words_find(const struct words *sorted, const char *word);

/* A new string. */
char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool starts_with(const char *string, const char *prefix);
bool ends_with(const char *string, const char *suffix);
/* Does `string` stand in the list, which ends with NULL? */
bool one_of(const char *string, const char *const list[]);
/* The same for its beginning. */
bool starts_with_one_of(const char *string, const char *const list[]);

#endif
