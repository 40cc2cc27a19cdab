/* What the wrappers of libc functions share.
 *
 * A wrapper describes what its function touches in a struct libcall, announces
 * it, and only then looks at memory.  The length of a string is known only by
 * looking: for that the wrapper announces the first byte with libcall_string()
 * and reports the bytes that it read with touched().  Constant memory, such as
 * string literals, is never part of the footprint; a call that touches nothing
 * else is no event at all.
 */
#ifndef SYSTEM_NATIVE_LIBC_LIBC_H
#define SYSTEM_NATIVE_LIBC_LIBC_H

#include <signal.h>
#include <stdio.h>

#include "system/native/engine/native.h"
#include "system/native/base/real.h"

#define LIBCALL_ACCESSES 16

/* prog: on the stack of the thread that is about to act. */
struct libcall {
  struct operation op;
  struct access list[LIBCALL_ACCESSES];
};

void libcall_begin(struct libcall *, enum op, uint64_t pc);

/* The operation will read or write so many bytes. */
void libcall_read(struct libcall *, const void *addr, size_t size);
void libcall_write(struct libcall *, const void *addr, size_t size);
/* The same, and the old value does not matter (ACCESS_BLIND). */
void libcall_overwrite(struct libcall *, const void *addr, size_t size);

/* It will read a string of unknown length here, at most `most` bytes of it. */
void libcall_string(struct libcall *, const char *, size_t most);

/* It will write here, at least one byte. */
void libcall_begin_write(struct libcall *, const void *addr);

/* It acts on an object of the runtime, e.g. the standard output. */
void libcall_object(struct libcall *, const void *object);

/* It depends on an object of the runtime. */
void libcall_look(struct libcall *, const void *object);

/* Announces the operation, unless it touches nothing; then checks its
 * accesses. */
void libcall_announce(struct libcall *);
/* The same, but what it touches is found on the way, and it is always an event.
 */
void libcall_announce_block(struct libcall *);

/* After the announcement: touched() for bytes that the operation read,
 * touches() for bytes that it is about to write, beyond those announced.
 * Checks the heap, notes the footprint and, before a write, the old bytes. */
void touched(const struct libcall *, const void *addr, size_t size);
void touches(const struct libcall *, void *addr, size_t size);

/* Is the memory read-only, as that of string literals? */
bool is_constant(const void *addr);

/* The length of a string, but at most `most`.  Reads nothing behind the end of
 * a heap block: if the string has no end there, its length is the room in the
 * block. */
size_t string_length(const char *, size_t most);

/* The bytes of a string that its reader looks at: its length and the final
 * zero, if that is within `most`. */
size_t string_extent(size_t length, size_t most);

/* The same for wide characters, whose number is the length. */
size_t wide_length(const wchar_t *, size_t most);

/* Where the word first occurs in the text; NULL: nowhere. */
void *find_bytes(const char *text, size_t size, const char *word,
                 size_t word_size);

/* memcpy, memmove and memset, for the functions and for the hooks of these
 * names; hooks have a site. */
void *copy_memory(void *to, const void *from, size_t size, uint64_t pc,
                  hook_site);
void *move_memory(void *to, const void *from, size_t size, uint64_t pc,
                  hook_site);
void *fill_memory(void *to, int value, size_t size, uint64_t pc, hook_site);

/* The C library's function of this name, which the program would call without
 * the runtime. */
#define REAL(name)                                   \
  ({                                                 \
    static __typeof__(&name) found;                  \
    if (__builtin_expect(!found, 0))                 \
      found = (__typeof__(found))real_lookup(#name); \
    found;                                           \
  })

/* errno of the running thread. */
void error_set(int number);

/* Before and after a call of the real libc: it sees the program's errno and
 * allocates from its own heap. */
void foreign_enter(void);
void foreign_leave(void);

/* The strings that a printf format makes the function read: announces them, or
 * reports them as read. */
void format_announce(struct libcall *, const char *format, va_list);
void format_touch(const struct libcall *, const char *format, va_list);

/* Formats into a buffer of the explorer that the next call overwrites. */
const char *format_text(const char *format, va_list, size_t *length);

/* The message for an error number; NULL if there is none. */
const char *error_text(int number);

/* Ends the program with this status: handlers of atexit run first. */
_Noreturn void program_exit(int status, uint64_t pc);

/* Prints to the standard error stream, which is no outcome. */
void print_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void print_list(const char *format, va_list, uint64_t pc);

/* To a stream, whatever it is; and a character or a string. */
int print_stream(FILE *, const char *format, va_list, uint64_t pc);
int put_byte(FILE *, int character, uint64_t pc);
int put_string(FILE *, const char *, uint64_t pc);

/* The process and its user; a thread's number is added to that of the process.
 */
enum { PROCESS_ID = 1000, USER_ID = 1000 };

/* signals: the running thread's signal mask. */
sigset_t signal_mask(void);
void signal_mask_put(const sigset_t *, uint64_t pc);
/* A call begins that waits with this mask; false with EINTR: a handler has run
 * already.  It ends. */
bool signals_enter_mask(const sigset_t *, unsigned long *before, uint64_t pc);
void signals_leave_mask(unsigned long before, uint64_t pc);
/* Before the first step: it is known which signals --signal names.  In it: each
 * gets a process. */
void signals_expect(void);
void signals_start(void);
/* As part of a step: is one of these pending? */
bool signals_are_pending(unsigned long among);
/* Takes one of them, and tells of it: its number, or -1 with errno set. */
struct signalfd_siginfo;
int signals_take_one(unsigned long among, bool waits, struct signalfd_siginfo *,
                     uint64_t pc);
/* They are told to signalfd(). */
void signals_are_sent(void);
/* The running thread raises SIGABRT: its handler runs, if there is one. */
void signals_abort(uint64_t pc);

/* libc_exit.c: the signal ends the process, in a step of its own or as part of
 * the step at hand. */
_Noreturn void program_killed(int number, bool own_step, uint64_t pc);

/* libc_jump.c: continues where the environment was taken. */
_Noreturn void jump_back(const void *environment, int result);

/* threadlocal.c: bytes in use in the region of _Thread_local variables. */
size_t tls_bytes(unsigned arena);
/* The variables themselves. */
char *tls_copies(unsigned arena, size_t *size);
/* Does the address lie in the region of a thread that is not running? */
bool tls_is_of_another(const void *addr);
/* Fails if the variable's thread has ended. */
void tls_check(const void *addr, size_t size, bool write, uint64_t pc);
/* The running thread ends. */
void tls_end(uint64_t pc);

/* output.c: the stream that collects output to descriptor 1 or 2 (--stderr). */
int output_number(int descriptor);
/* The output of this execution so far. */
const char *output_text(int stream, size_t *length);
const size_t *output_length(int stream);
void output_start(void);
void output_reset(void);

/* Main begins; and back to that state, for --rollback=replay. */
void libc_start(void);
void libc_reset(void);

/* libc_getopt.c: the same for the variables of getopt. */
void getopt_start(void);
void getopt_reset(void);

/* libc_exit.c: the same for handlers of atexit. */
void exit_start(void);
void exit_reset(void);

#endif
