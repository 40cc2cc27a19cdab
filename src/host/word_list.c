#define _GNU_SOURCE
#include "host/word_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/vec.h"

void word_list_add(struct word_list *words, const char *word) {
  VEC_PUSH(*words, (char *)word);
}

void word_list_add_all(struct word_list *words, const struct word_list *more) {
  for (size_t i = 0; i < more->size; i++)
    word_list_add(words, more->at[i]);
}

void word_list_add_each(struct word_list *words, const char *first, ...) {
  va_list rest;
  va_start(rest, first);
  for (const char *word = first; word; word = va_arg(rest, const char *))
    word_list_add(words, word);
  va_end(rest);
}

void word_list_split(struct word_list *words, const char *list, char between) {
  while (*list) {
    size_t length = (size_t)(strchrnul(list, between) - list);
    if (length)
      word_list_add(words, text_format("%.*s", (int)length, list));
    list += length + (list[length] != 0);
  }
}

char **word_list_argv(struct word_list *words) {
  VEC_PUSH(*words, NULL);
  words->size--;
  return words->at;
}

bool word_list_contains(const struct word_list *words, const char *word) {
  for (size_t i = 0; i < words->size; i++)
    if (!strcmp(words->at[i], word))
      return true;
  return false;
}

void word_list_add_once(struct word_list *words, const char *word) {
  if (!word_list_contains(words, word))
    word_list_add(words, word);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

void word_list_sort(struct word_list *words) {
  if (words->size)
    qsort(words->at, words->size, sizeof *words->at, by_text);
}

bool word_list_find(const struct word_list *sorted, const char *word) {
  return sorted->size &&
         bsearch(&word, sorted->at, sorted->size, sizeof *sorted->at, by_text);
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
