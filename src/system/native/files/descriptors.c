/* Descriptors: numbers for open file descriptions.
 *
 * A call looks up the description behind its number and acts on it in one step.
 * If it has to wait, that is a second step: as in the kernel the description
 * stays, even if another thread closes the number meanwhile.
 *
 * A new description gets the lowest free number: two threads that open files at
 * a time are tried in both orders. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>

#include "system/native/libc/heap.h"

/* prog */
struct slot {
  struct description *at;
  bool close_on_exec;
};

PROG static struct description standard[3] = {
    {.kind = DESCRIPTION_NULL, .flags = O_RDONLY, .users = 1},
    {.kind = DESCRIPTION_OUTPUT, .flags = O_WRONLY, .users = 1, .number = 1},
    {.kind = DESCRIPTION_OUTPUT, .flags = O_WRONLY, .users = 1, .number = 2},
};

PROG static struct slot slots[FILE_DESCRIPTORS] = {
    {&standard[0], false}, {&standard[1], false}, {&standard[2], false}};

struct description *description_standard(int number) {
  return &standard[number];
}

struct description *description_new(enum description_kind kind, uint32_t flags,
                                    uint64_t pc) {
  struct description *d = heap_allocate(sizeof *d, 16, pc);
  heap_own(d);
  undo_note(d, sizeof *d);
  *d = (struct description){.kind = kind, .flags = flags};
  return d;
}

static bool is_number(int descriptor) {
  return descriptor >= 0 && descriptor < FILE_DESCRIPTORS;
}

struct description *description_of(int descriptor) {
  struct slot *slot = is_number(descriptor) ? &slots[descriptor] : NULL;
  if (slot)
    file_reads(&slot->at, sizeof slot->at);
  if (slot && slot->at)
    return slot->at;
  error_set(EBADF);
  return NULL;
}

struct description *description_peek(int descriptor) {
  return slots[descriptor].at;
}

void descriptors_read(void) {
  file_reads(slots, sizeof slots);
}

bool descriptor_is_standard(int number, uint64_t pc) {
  library_state(&slots[number].at, sizeof slots->at, false, pc);
  return slots[number].at == &standard[number];
}

/* ---- changes, as part of a step ------------------------------------------ */

static void fill(struct slot *slot, struct description *d, bool close_on_exec) {
  FILE_SET(slot->at, d);
  SET(slot->close_on_exec, close_on_exec);
  FILE_SET(d->users, d->users + 1);
}

int descriptor_give(struct description *d, int least, bool close_on_exec) {
  if (!is_number(least))
    return file_error(EINVAL);
  for (int i = least; i < FILE_DESCRIPTORS; i++) {
    file_reads(&slots[i].at, sizeof slots->at);
    if (slots[i].at)
      continue;
    fill(&slots[i], d, close_on_exec);
    return i;
  }
  return file_error(EMFILE);
}

int descriptor_close(int number) {
  struct slot *slot = &slots[number];
  if (!description_of(number))
    return -1;
  FILE_SET(slot->at->users, slot->at->users - 1);
  FILE_SET(slot->at, NULL);
  return 0;
}

int descriptor_replace(int number, struct description *d, bool close_on_exec) {
  if (!is_number(number))
    return file_error(EBADF);
  file_reads(&slots[number].at, sizeof slots->at);
  if (slots[number].at)
    descriptor_close(number);
  fill(&slots[number], d, close_on_exec);
  return number;
}

bool descriptor_has_flag(int number) {
  file_reads(&slots[number].close_on_exec, 1);
  return slots[number].close_on_exec;
}

void descriptor_set_flag(int number, bool close_on_exec) {
  FILE_SET(slots[number].close_on_exec, close_on_exec);
}
