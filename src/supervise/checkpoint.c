#define _GNU_SOURCE
#include "supervise/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/atomic.h"
#include "host/checksum.h"
#include "host/complain.h"
#include "util/ensure.h"

#define FIRST_WORDS "heddle checkpoint "
#define FIRST_LINE FIRST_WORDS "1\n"

/* ---- writing ------------------------------------------------------------- */

static struct text print(const struct checkpoint *c) {
  struct text to = {0}, words = {0};
  for (size_t i = 0; i + 1 < c->words.size; i++)
    text_add(&words, c->words.at[i], strlen(c->words.at[i]) + 1);
  text_print(&to, FIRST_LINE "directory %s\nbinary %016" PRIx64 "\n",
             c->directory, c->binary);
  text_print(&to, "executions %" PRIu64 "\nwords %zu\n", c->executions,
             words.size);
  text_add(&to, words.at, words.size);
  text_print(&to, "\nstate %zu\n", c->state.size);
  text_add(&to, c->state.at, c->state.size);
  text_add(&to, "\n", 1);
  text_print(&to, "end %016" PRIx64 "\n",
             checksum_large(CHECKSUM_START, to.at, to.size));
  VEC_FREE(words);
  return to;
}

/* On the disk before it takes the place of the old one. */
static bool write_synced(const char *path, const struct text *text) {
  struct atomic_file file;
  if (!atomic_open(&file, path))
    return false;
  if (fwrite(text->at, 1, text->size, file.to) < text->size ||
      fflush(file.to) || fsync(fileno(file.to))) {
    int error = errno;
    atomic_drop(&file);
    errno = error;
    return false;
  }
  return atomic_close(&file);
}

bool checkpoint_write(const char *path, const struct checkpoint *c) {
  struct text text = print(c);
  bool good = write_synced(path, &text);
  if (!good)
    complain("--checkpoint %s: cannot be written: %s", path, strerror(errno));
  VEC_FREE(text);
  return good;
}

/* ---- reading ------------------------------------------------------------- */

struct place_in_file {
  const char *at;
  const char *end;
};

static bool take(struct place_in_file *c, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
    return false;
  c->at += length;
  return true;
}

static char *take_line(struct place_in_file *c) {
  const char *end = memchr(c->at, '\n', (size_t)(c->end - c->at));
  if (!end)
    return 0;
  char *line = strndup(c->at, (size_t)(end - c->at));
  ensure(line);
  c->at = end + 1;
  return line;
}

static bool take_number(struct place_in_file *c, const char *word, int base,
                        uint64_t *number) {
  char *line = take(c, word) ? take_line(c) : 0, *end = 0;
  if (line)
    *number = strtoull(line, &end, base);
  bool good = line && *line && !*end;
  free(line);
  return good;
}

/* "words 12" and so many bytes. */
static bool take_bytes(struct place_in_file *c, const char *word,
                       struct place_in_file *to) {
  uint64_t size;
  if (!take_number(c, word, 10, &size) || size > (size_t)(c->end - c->at))
    return false;
  *to = (struct place_in_file){c->at, c->at + size};
  c->at = to->end;
  return take(c, "\n");
}

static bool take_words(struct place_in_file c, struct checkpoint *to) {
  while (c.at < c.end) {
    char *word = strndup(c.at, (size_t)(c.end - c.at));
    ensure(word);
    c.at += strlen(word) + 1;
    VEC_PUSH(to->words, word);
  }
  VEC_PUSH(to->words, NULL);
  return c.at == c.end && to->words.size > 1;
}

static bool take_all(struct place_in_file *c, struct checkpoint *to) {
  struct place_in_file words, state;
  if (!take(c, "directory ") || !(to->directory = take_line(c)) ||
      !take_number(c, "binary ", 16, &to->binary) ||
      !take_number(c, "executions ", 10, &to->executions) ||
      !take_bytes(c, "words ", &words) || !take_words(words, to) ||
      !take_bytes(c, "state ", &state))
    return false;
  text_add(&to->state, state.at, (size_t)(state.end - state.at));
  return true;
}

/* What is wrong with it, or NULL. */
static const char *parse(const struct text *text, struct checkpoint *to) {
  enum { LAST_LINE = 4 + 16 + 1 }; /* "end ", sixteen digits, line end */
  struct place_in_file c = {text->at, text->at + text->size};
  uint64_t sum;
  if (!take(&c, FIRST_WORDS))
    return "this is not a checkpoint of heddle";
  c.at = text->at;
  if (!take(&c, FIRST_LINE))
    return "this checkpoint was written by another version of heddle";
  if (c.end - c.at < LAST_LINE)
    return "the checkpoint is truncated";
  struct place_in_file last = {c.end - LAST_LINE, c.end};
  c.end = last.at;
  if (!take_number(&last, "end ", 16, &sum))
    return "the checkpoint is truncated";
  if (sum != checksum_large(CHECKSUM_START, text->at,
                            (size_t)(c.end - text->at)) ||
      !take_all(&c, to) || c.at != c.end)
    return "the checkpoint is damaged";
  return 0;
}

static bool read_all(const char *path, struct text *text) {
  FILE *file = fopen(path, "re");
  size_t got = 1;
  while (file && got) {
    VEC_RESERVE(*text, 65536);
    got = fread(text->at + text->size, 1, 65536, file);
    text->size += got;
  }
  bool good = file && !ferror(file);
  int error = errno;
  if (file)
    fclose(file);
  errno = error;
  return good;
}

bool checkpoint_read(const char *path, struct checkpoint *to) {
  struct text text = {0};
  memset(to, 0, sizeof *to);
  const char *fault =
      read_all(path, &text) ? parse(&text, to) : strerror(errno);
  VEC_FREE(text);
  if (!fault)
    return true;
  complain("%s: %s", path, fault);
  checkpoint_free(to);
  return false;
}

void checkpoint_free(struct checkpoint *c) {
  for (size_t i = 0; i < c->words.size; i++)
    free(c->words.at[i]);
  VEC_FREE(c->words);
  VEC_FREE(c->state);
  free(c->directory);
  memset(c, 0, sizeof *c);
}
