/* A step on files: its announcement and its footprint. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "util/ensure.h"

void file_begin(struct libcall *e, uint64_t pc) {
  libcall_begin(e, OP_FILE, pc);
  e->op.flags = STEP_BLOCK;
}

void file_announce(struct libcall *e) {
  libcall_announce_block(e);
}

static bool peeking; /* keep: it is not the program that looks */

void file_peek(bool begin) {
  peeking = begin;
}

void file_reads(const void *state, size_t size) {
  if (!peeking)
    footprint_add(state, size, ACCESS_ATOMIC);
}

void file_writes(void *state, size_t size) {
  if (!peeking)
    footprint_add(state, size, ACCESS_ATOMIC | ACCESS_WRITE);
  undo_note(state, size);
}

int file_error(int number) {
  error_set(number);
  return -1;
}

int file_error_now(void) {
  return self ? self->error_number : errno;
}

const char *file_path(const struct libcall *e, const char *path) {
  size_t length = string_length(path, PATH_MAX);
  touched(e, path, string_extent(length, PATH_MAX));
  if (length < PATH_MAX)
    return path;
  error_set(ENAMETOOLONG);
  return NULL;
}

char *file_scratch(char **room, size_t size) {
  free(*room);
  *room = malloc(size + 1);
  ensure(*room); /* out of memory */
  return *room;
}
