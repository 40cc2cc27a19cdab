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
REFUSED(ptrace, PROCESS)

/* What looks up code by its name, or frees what dlopen() has loaded. */
REFUSED(dlsym, LIBRARY)
REFUSED(dlvsym, LIBRARY)
REFUSED(dlclose, LIBRARY)
REFUSED(dlerror, LIBRARY)

#define TIMER                                                              \
  "time passes only when a thread asks for it or sleeps; let a thread of " \
  "its own sleep instead"

REFUSED(timerfd_create, TIMER)
REFUSED(timerfd_settime, TIMER)
REFUSED(timerfd_gettime, TIMER)

#define WITHOUT_COPY "use read and write"

REFUSED(splice, WITHOUT_COPY)
REFUSED(vmsplice, WITHOUT_COPY)
REFUSED(tee, WITHOUT_COPY)
REFUSED(copy_file_range, WITHOUT_COPY)

#define BEHIND                                                             \
  "operations of the kernel's own threads are not modelled; use read and " \
  "write in a thread of your own"

REFUSED(aio_read, BEHIND)
REFUSED(aio_write, BEHIND)
REFUSED(aio_read64, BEHIND)
REFUSED(aio_write64, BEHIND)
REFUSED(aio_fsync64, BEHIND)
REFUSED(aio_error, BEHIND)
REFUSED(aio_error64, BEHIND)
REFUSED(aio_return, BEHIND)
REFUSED(aio_return64, BEHIND)
REFUSED(aio_suspend, BEHIND)
REFUSED(aio_suspend64, BEHIND)
REFUSED(aio_cancel64, BEHIND)
REFUSED(lio_listio, BEHIND)

#define SPECIAL "special files are not modelled; use pipe between threads"

REFUSED(mkfifo, SPECIAL)
REFUSED(mknod, SPECIAL)

#define TERMINAL "there is no terminal"

REFUSED(openpty, TERMINAL)
REFUSED(posix_openpt, TERMINAL)

REFUSED(gethostbyname, "use getaddrinfo, which knows localhost and numbers")
REFUSED(wordexp, "use glob")
REFUSED(inotify_add_watch, LATER)
REFUSED(inotify_rm_watch, LATER)
REFUSED(iconv_open, "there is only the locale \"C\"; leave the conversion out "
                    "for the check")
REFUSED(iconv, "there is only the locale \"C\"")
REFUSED(iconv_close, "there is only the locale \"C\"")
REFUSED(wordfree, "use globfree")

#define DATAGRAMS "datagrams are not modelled: only SOCK_STREAM is known"

REFUSED(recvmmsg, DATAGRAMS)
REFUSED(sendmmsg, DATAGRAMS)
