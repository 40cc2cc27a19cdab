/* What the wrappers of libc functions share.
 *
 * A wrapper describes what its function touches in a struct event, announces
 * it, and only then looks at memory.  Where the extent is known only by looking
 * (a string), it announces the first byte with event_string() and reports what
 * was really touched with touched().  Memory that nobody can write, such as
 * string literals, never is part of an event; what touches nothing else is no
 * event at all.
 */
#ifndef NATIVE_LIBC_H
#define NATIVE_LIBC_H

#include <stdio.h>

#include "native.h"
#include "real.h"

#define EVENT_ACCESSES 16

/* prog: on the stack of the thread that is about to act. */
struct event {
  struct operation op;
  struct access list[EVENT_ACCESSES];
};

void event_begin(struct event *, enum op, uint64_t pc);

/* The operation will read or write so many bytes. */
void event_read(struct event *, const void *addr, size_t size);
void event_write(struct event *, const void *addr, size_t size);
/* The same, and what was there before does not matter (ACCESS_BLIND). */
void event_overwrite(struct event *, const void *addr, size_t size);

/* It will read a string here, whose length is not known, of at most `most`
 * bytes. */
void event_string(struct event *, const char *, size_t most);

/* It will write here, at least one byte. */
void event_begin_write(struct event *, const void *addr);

/* It acts on an object of the runtime, e.g. the standard output. */
void event_object(struct event *, const void *object);

/* Waits for its turn, unless nothing was named; checks what was named. */
void event_announce(struct event *);

/* After the announcement: the operation read or is about to write these bytes,
 * beyond those that were announced.  Checks the heap, notes the footprint and,
 * before a write, the old bytes. */
void touched(const struct event *, const void *addr, size_t size);
void touches(const struct event *, void *addr, size_t size);

/* Nobody can write these bytes: string literals, constants. */
bool is_constant(const void *addr);

/* The length of a string, but at most `most`.  Looks at nothing behind the end
 * of a heap block: returns the room there if no end was found. */
size_t string_length(const char *, size_t most);

/* The bytes of a string that its reader looks at: its length and the final
 * zero, if that is within `most`. */
size_t string_extent(size_t length, size_t most);

/* Where the word first occurs in the text; NULL: nowhere. */
void *find_bytes(const char *text, size_t size, const char *word,
                 size_t word_size);

/* What memcpy, memmove and memset do, and the hooks of these names, which have
 * a site. */
void *copy_memory(void *to, const void *from, size_t size, uint64_t pc,
                  hook_site);
void *move_memory(void *to, const void *from, size_t size, uint64_t pc,
                  hook_site);
void *fill_memory(void *to, int value, size_t size, uint64_t pc, hook_site);

/* The function of this name that the program would call without us. */
#define REAL(name)                                   \
  ({                                                 \
    static __typeof__(&name) found;                  \
    if (__builtin_expect(!found, 0))                 \
      found = (__typeof__(found))real_lookup(#name); \
    found;                                           \
  })

/* errno of the running thread. */
void error_set(int number);

/* Around calls of the real libc: it sees the program's errno and allocates for
 * itself, not for the program. */
void foreign_enter(void);
void foreign_leave(void);

/* What a printf format makes the function read: announces the strings, or
 * reports them as read. */
void format_announce(struct event *, const char *format, va_list);
void format_touch(const struct event *, const char *format, va_list);

/* Formats into a buffer of the explorer that the next call overwrites. */
const char *format_text(const char *format, va_list, size_t *length);

/* The words for an error number; NULL if there are none. */
const char *error_text(int number);

/* Ends the program with this status: handlers of atexit run first. */
_Noreturn void program_exit(int status);

/* 1: standard output, 2: standard error; refuses others. */
int stream_number(FILE *, const char *function);

/* Prints to the standard error stream, which is no outcome. */
void print_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void print_list(const char *format, va_list, uint64_t pc);

/* threadlocal.c: bytes in use in the region of _Thread_local variables. */
size_t tls_bytes(unsigned arena);
/* The variables themselves. */
char *tls_copies(unsigned arena, size_t *size);

/* output.c: what this execution has printed so far. */
const char *output_text(int stream, size_t *length);
const size_t *output_length(int stream);
void output_start(void);
void output_reset(void);

/* Main begins; and back to there, for --rollback=replay. */
void libc_start(void);
void libc_reset(void);

/* libc_exit.c: the same for what atexit was given. */
void exit_start(void);
void exit_reset(void);

/* prog: what libc remembers for a thread, at a fixed place. */
struct libc_thread {
  uint64_t random;   /* state of rand() and its like; 0: not used yet */
  uint64_t reading;  /* how often it asked for the time */
  uint64_t slept_ns; /* how long it slept */
};

struct libc_thread *libc_thread(void);

/* Is this where it is kept how long some thread slept? */
bool libc_keeps_sleep(const void *);

#endif
