/* Functions that are refused, each with what to do instead.  A call to one that
 * is not here is refused, too, since it is not known (engine/external.c). */
#define _GNU_SOURCE
#include "libc.h"

/* The types do not matter: none returns. */
#define REFUSED(name, why)                              \
  int refused_##name(void) __asm__(#name);              \
  INTERPOSED int refused_##name(void) {                 \
    refuse("call of " #name " is not supported: " why); \
  }

#define PROCESS                                                             \
  "heddle checks one process, and starts no other; leave the call out for " \
  "the check, or let the function that makes it return what the other "     \
  "process would"

REFUSED(popen, PROCESS)
REFUSED(pclose, PROCESS)
REFUSED(system, PROCESS)
REFUSED(execl, PROCESS)
REFUSED(execlp, PROCESS)
REFUSED(execle, PROCESS)
REFUSED(execv, PROCESS)
REFUSED(execvp, PROCESS)
REFUSED(execve, PROCESS)
REFUSED(execvpe, PROCESS)
REFUSED(fexecve, PROCESS)
REFUSED(posix_spawn, PROCESS)
REFUSED(posix_spawnp, PROCESS)
REFUSED(clone, PROCESS)

REFUSED(daemon, PROCESS)
REFUSED(forkpty, PROCESS)

#define LIBRARY                                                               \
  "heddle does not see what the code of a library that is loaded later does;" \
  " build that code with heddle cc and link it with the program"

REFUSED(dlopen, LIBRARY)
REFUSED(dlmopen, LIBRARY)

#define SHARED                                                        \
  "memory that processes share is not modelled; use malloc or mmap: " \
  "threads share all memory"

REFUSED(shmget, SHARED)
REFUSED(shmat, SHARED)
REFUSED(shmdt, SHARED)
REFUSED(shmctl, SHARED)
REFUSED(shm_open, SHARED)

#define QUEUE                                                              \
  "queues between processes are not modelled; between threads use a pipe " \
  "or a queue of your own"

REFUSED(msgget, QUEUE)
REFUSED(msgsnd, QUEUE)
REFUSED(msgrcv, QUEUE)
REFUSED(msgctl, QUEUE)
REFUSED(mq_open, QUEUE)

#define LATER                                                              \
  "nothing outside of the program changes while it is checked; leave the " \
  "call out for the check"

REFUSED(inotify_init, LATER)
REFUSED(inotify_init1, LATER)
REFUSED(fanotify_init, LATER)
REFUSED(io_uring_setup, LATER)
REFUSED(ptrace, PROCESS)
