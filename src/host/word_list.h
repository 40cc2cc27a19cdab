/* Lists of strings, mostly command lines.  They are never freed: the process is
 * short. */
#ifndef HOST_WORD_LIST_H
#define HOST_WORD_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "util/text.h"

struct word_list {
  char **at;
  size_t size;
  size_t capacity;
};

void word_list_add(struct word_list *, const char *word);
void word_list_add_all(struct word_list *, const struct word_list *more);
/* Ends with NULL. */
void word_list_add_each(struct word_list *, const char *first, ...)
    __attribute__((sentinel));
/* The parts of `list` between these characters, without empty ones. */
void word_list_split(struct word_list *, const char *list, char between);
/* For exec: NULL after the last, which does not count. */
char **word_list_argv(struct word_list *);
bool word_list_contains(const struct word_list *, const char *word);
/* Adds the word unless the list has it. */
void word_list_add_once(struct word_list *, const char *word);
void word_list_sort(struct word_list *);
bool word_list_find(const struct word_list *sorted, const char *word);

/* Does `string` stand in the list, which ends with NULL? */
bool one_of(const char *string, const char *const list[]);
/* The same for its beginning. */
bool starts_with_one_of(const char *string, const char *const list[]);

#endif
