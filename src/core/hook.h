/* What the instrumenter and the runtime agree on.
 *
 * The hooks themselves are listed in hooks.def.
 */
#ifndef CORE_HOOK_H
#define CORE_HOOK_H

#include <stddef.h>
#include <stdint.h>

/* A site tells reports where an access stands and what the source calls the
 * object: a string "object\tfunction\tfile:line:column\ttype", where any part
 * may be empty.  The type is that which the last pointer in the object's name
 * points to.  The run itself never reads it. */
typedef const char *hook_site;

/* Every instrumented object refers to this symbol.  It is named after the
 * version of the hooks, so that an object made by another heddle does not
 * link. */
#define HOOK_MARK "heddle_hooks_8"

/* The most values of one round: see hooks.def. */
#define HOOK_MOST_VALUES 8
/* The most places that a loop is known to write anew in every round. */
#define HOOK_MOST_RENEWED 4

/* What round and count say of a round: it is the loop's first. */
#define HOOK_ENTERS 1u
/* What round says as well: the loop counts its rounds, for what comes after it.
 * The count is not among the values. */
#define HOOK_COUNTS 2u

/* In the order of a load or a compare-and-swap: the value that it finds shows
 * nowhere but in the values of rounds and in memory (cc/instrument/carried.c).
 * That of a swap may also show nowhere. */
#define HOOK_CARRIED (1u << 16)

/* In the order of a load: no round of the loops that it is in uses its value
 * (cc/instrument/idle.c). */
#define HOOK_IDLE (1u << 17)

/* In the order of an update: it adds, or subtracts. */
#define HOOK_ADDS (1u << 18)

/* What a build for stored states puts where values are dead
 * (cc/instrument/dead.c).  It fits into an instruction: the compiler would
 * keep a larger number in a register, and that would look dead itself. */
#define HOOK_DEAD 0xffffffffd1d1d1d1u

/* Code that heddle cannot see: for each place three strings, each with a NUL
 * behind it: the function (what the user may allow), "file:line" and the
 * reason. */
#define HOOK_REFUSED_SECTION "heddle_refused"

/* Calls of functions that the unit does not define, for reports: for each a
 * string "line:column\tfile\tfunction\tresult" and, for each of the first
 * HOOK_CALL_ARGUMENTS arguments that is a pointer, "\tobject\ttype" as in a
 * site.  The result is the type that the call's result is taken to point to. */
#define HOOK_CALLS_SECTION "heddle_calls"
#define HOOK_CALL_ARGUMENTS 2

/* As the instrumenter writes it for each thread-local variable. */
struct hook_thread_local {
  size_t size;
  size_t alignment;
  const void *initial; /* NULL: zero */
};

#endif
