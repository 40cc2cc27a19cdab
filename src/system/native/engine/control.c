#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "control.h"

#include "engine.h"
#include "external.h"
#include "system/native/libc/libc.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Noreturn void bad_control(const char *path, const char *why) {
  dprintf(2, "heddle: control file %s: %s\n", path, why);
  _exit(2);
}

static void map_control(const char *path) {
  struct stat status;
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0 || fstat(file, &status))
    bad_control(path, error_text(errno));
  if ((size_t)status.st_size < sizeof(struct control))
    bad_control(path, "too short");
  struct control *c = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
                           MAP_SHARED, file, 0);
  if (c == MAP_FAILED)
    bad_control(path, error_text(errno));
  close(file);
  if (c->magic != WIRE_MAGIC)
    bad_control(path, "not a control file");
  if (c->version != wire_version())
    bad_control(path, "of another version of heddle: build the program again");
  if (c->moves > ((size_t)status.st_size - sizeof *c) / sizeof(struct move))
    bad_control(path, "its schedule is cut off");
  if (c->resume > (size_t)status.st_size - sizeof *c)
    bad_control(path, "its checkpoint is cut off");
  engine.control = c;
}

bool control_find(void) {
  const char *path = getenv(WIRE_ENV);
  if (path && !engine.control)
    map_control(path);
  return path != NULL;
}

/* If this fails the command is gone: there is nothing left to do. */
static void write_all(const void *bytes, size_t size) {
  const char *from = bytes;
  while (size) {
    ssize_t done = write(engine.control->messages, from, size);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      _exit(2);
    from += done;
    size -= (size_t)done;
  }
}

void wire_send(enum message_type type, const void *head, size_t head_size,
               const void *rest, size_t rest_size) {
  if (!engine.control || engine.control->messages < 0)
    return;
  struct message message = {type, (uint32_t)(head_size + rest_size)};
  write_all(&message, sizeof message);
  write_all(head, head_size);
  write_all(rest, rest_size);
}

bool external_allowed(const char *name) {
  if (!control_find())
    return true;
  const char *at = engine.control->externals;
  const char *end = at + sizeof engine.control->externals;
  while (at < end && *at) {
    if (strncmp(at, name, (size_t)(end - at)) == 0)
      return true;
    at += strnlen(at, (size_t)(end - at)) + 1;
  }
  return false;
}

/* Before main.  Nothing may have asked for the command yet. */
void stop_outside(void) {
  const char *why = engine.message;
  if (!control_find())
    dprintf(2, "heddle: %s\n", why);
  wire_send(MESSAGE_REFUSED, NULL, 0, why, strlen(why));
  _exit(2);
}

/* The command wakes us: supervise/supervise.c. */
void control_pause(void) {
  struct control *c = engine.control;
  c->pause_at = 0;
  __atomic_store_n(&c->paused, 1, __ATOMIC_SEQ_CST);
  wire_send(MESSAGE_PAUSED, NULL, 0, NULL, 0);
  while (__atomic_load_n(&c->paused, __ATOMIC_SEQ_CST))
    syscall(SYS_futex, &c->paused, FUTEX_WAIT, 1, NULL, NULL, 0);
}
