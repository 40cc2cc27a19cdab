#define _GNU_SOURCE
#include "cli/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/vec.h"

void words_add(struct words *words, const char *word) {
  VEC_PUSH(*words, (char *)word);
}

void words_add_all(struct words *words, const struct words *more) {
  for (size_t i = 0; i < more->size; i++)
    words_add(words, more->at[i]);
}

void words_add_list(struct words *words, const char *first, ...) {
  va_list rest;
  va_start(rest, first);
  for (const char *word = first; word; word = va_arg(rest, const char *))
    words_add(words, word);
  va_end(rest);
}

void words_split(struct words *words, const char *list, char between) {
  while (*list) {
    size_t length = (size_t)(strchrnul(list, between) - list);
    if (length)
      words_add(words, text("%.*s", (int)length, list));
    list += length + (list[length] != 0);
  }
}

char **words_argv(struct words *words) {
  VEC_PUSH(*words, NULL);
  words->size--;
  return words->at;
}

bool words_contain(const struct words *words, const char *word) {
  for (size_t i = 0; i < words->size; i++)
    if (!strcmp(words->at[i], word))
      return true;
  return false;
}

void words_add_once(struct words *words, const char *word) {
  if (!words_contain(words, word))
    words_add(words, word);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

void words_sort(struct words *words) {
  if (words->size)
    qsort(words->at, words->size, sizeof *words->at, by_text);
}

bool words_find(const struct words *sorted, const char *word) {
  return sorted->size &&
         bsearch(&word, sorted->at, sorted->size, sizeof *sorted->at, by_text);
}

char *text(const char *format, ...) {
  char *result;
  va_list arguments;
  va_start(arguments, format);
  ensure(vasprintf(&result, format, arguments) >= 0); /* out of memory */
  va_end(arguments);
  return result;
}

bool starts_with(const char *string, const char *prefix) {
  return strncmp(string, prefix, strlen(prefix)) == 0;
}

bool ends_with(const char *string, const char *suffix) {
  size_t length = strlen(string), wanted = strlen(suffix);
  return length >= wanted && !strcmp(string + length - wanted, suffix);
}

bool one_of(const char *string, const char *const list[]) {
  for (; *list; list++)
    if (!strcmp(string, *list))
      return true;
  return false;
}

bool starts_with_one_of(const char *string, const char *const list[]) {
  for (; *list; list++)
    if (starts_with(string, *list))
      return true;
  return false;
}
