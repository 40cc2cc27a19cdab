/* Assertions about heddle itself: always checked, exit code 70. */
#ifndef UTIL_ENSURE_H
#define UTIL_ENSURE_H

/* Called before the process ends, to print the schedule so far. */
extern void (*ensure_context)(void);

_Noreturn void ensure_failed(const char *what, const char *file, int line);

/* No memory is left: neither a bug nor a result. */
extern int out_of_memory_exit; /* the exit code; 2 unless said otherwise */
_Noreturn void out_of_memory(void);

#define ensure(condition)                            \
  do {                                               \
    if (__builtin_expect(!(condition), 0))           \
      ensure_failed(#condition, __FILE__, __LINE__); \
  } while (0)

#endif
