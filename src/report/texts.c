#define _GNU_SOURCE
#include "report/texts.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"

char *texts_copy(struct texts *texts, const char *text, size_t length) {
  char *copy = malloc(length + 1);
  ensure(copy); /* out of memory */
  if (length)
    memcpy(copy, text, length);
  copy[length] = 0;
  VEC_PUSH(texts->all, copy);
  return copy;
}

char *texts_format(struct texts *texts, const char *format, ...) {
  char *made;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&made, format, arguments);
  va_end(arguments);
  ensure(length >= 0); /* out of memory */
  VEC_PUSH(texts->all, made);
  return made;
}

void texts_free(struct texts *texts) {
  for (size_t i = 0; i < texts->all.size; i++)
    free(texts->all.at[i]);
  VEC_FREE(texts->all);
}

static const char harmless[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_./+-,:@%=";

void text_shell_word(struct text *text, const char *word) {
  bool plain = *word && !word[strspn(word, harmless)];
  text_print(text, "%s", *word == '-' ? "./" : "");
  if (plain) {
    text_print(text, "%s", word);
    return;
  }
  text_print(text, "'");
  for (; *word; word++)
    if (*word == '\'')
      text_add(text, "'\\''", 4);
    else
      text_add(text, word, 1);
  text_print(text, "'");
}
