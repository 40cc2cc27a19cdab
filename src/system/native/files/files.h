/* Files of a checked program.
 *
 * The program sees the disk as it is when the check begins, and a layer above
 * it that takes all changes.  Nothing is ever written to the disk.  What is
 * read from the disk is decided once, at its first use, and is the same in
 * every execution: it is `keep`.  The layer is `prog`.  All its variables are
 * zero as long as they agree with the disk, so that a first look at the disk
 * changes nothing that undo would have to take back.
 *
 * Three kinds of things, as in the kernel:
 *
 *   name         an absolute path without links in it; leads to a node or to
 *                nothing (names.c)
 *   node         a file, a directory or a link, with its contents (nodes.c)
 *   description  what open() makes: a node and a place in it; descriptors are
 *                numbers for descriptions (descriptors.c)
 *
 * A call is one step.  Its footprint is found on the way: the names that it
 * looks up, the bytes of the file, its size, the place of the description.  So
 * two threads that use different files, or different parts of one, are
 * independent.
 */
#ifndef SYSTEM_NATIVE_FILES_FILES_H
#define SYSTEM_NATIVE_FILES_FILES_H

#include <sys/stat.h>
#include <sys/types.h>

#include "system/native/libc/libc.h"

struct state_digest;

enum {
  FILE_NAMES = 4096,       /* a program may mention so many paths, */
  FILE_NODES = 2048,       /* use so many files, */
  FILE_DESCRIPTORS = 1024, /* and have so many open at a time */
};

/* ---- steps (file_step.c) ------------------------------------------------- */

/* Begins the description of a step on files.  Accesses to the program's memory
 * are added by libcall_read() and the like. */
void file_begin(struct libcall *, uint64_t pc);
/* Announces it, whatever it touches. */
void file_announce(struct libcall *);
/* The step reads state of the layer, or is about to change it. */
void file_reads(const void *state, size_t size);
void file_writes(void *state, size_t size);
/* Between two such calls, with true and false, reading is no part of a step. */
void file_peek(bool begin);
#define FILE_SET(place, value)            \
  do {                                    \
    file_writes(&(place), sizeof(place)); \
    (place) = (value);                    \
  } while (0)

/* Sets errno and returns -1. */
int file_error(int number);

/* errno of the running thread. */
int file_error_now(void);

/* The path as the step reads it; NULL with errno set if it is too long. */
const char *file_path(const struct libcall *, const char *path);

/* Room for so many bytes, kept until the next call for the same pointer. */
char *file_scratch(char **, size_t);

/* libc_stream.c: writes to the standard output (1) or error (2) as a step. */
ssize_t output_write(int number, const void *, size_t, uint64_t pc);

/* ---- names (names.c) ----------------------------------------------------- */

/* Where a path leads: the name, or 0 with errno set.  `follow`: also if its
 * last part is a link.  The name's directory exists; the name itself may lead
 * to nothing. */
uint32_t name_resolve(const char *path, bool follow);
/* The same from a directory on. */
uint32_t name_resolve_at(uint32_t directory, const char *path, bool follow);

/* The node that it leads to, or 0. */
uint32_t name_node(uint32_t name);
void name_bind(uint32_t name, uint32_t node); /* 0: to nothing */
uint32_t name_parent(uint32_t name);
const char *name_path(uint32_t name);
const char *name_last(uint32_t name); /* its last part */

/* The working directory. */
uint32_t name_working(void);
void name_set_working(uint32_t name);

/* The next name in the directory that leads somewhere, after this one; 0: no
 * more.  Reads the whole directory. */
uint32_t name_next(uint32_t directory, uint32_t after);

/* ---- nodes (nodes.c) ----------------------------------------------------- */

/* The node of a path of the disk, or 0; links are not followed.  keep. */
uint32_t node_on_disk(const char *path);

/* A new one. */
uint32_t node_create(mode_t);

/* On the disk, when the check began: not a part of any step. */
bool node_was_directory(uint32_t node);
mode_t node_mode(uint32_t node);
void node_set_mode(uint32_t node, mode_t);
void node_stat(uint32_t node, struct stat *);
void node_link(uint32_t node, int more); /* so many more names lead to it */
/* May the program do this (R_OK, W_OK, X_OK)? */
bool node_permits(uint32_t node, int how);

/* Contents: of files, and the target of a link. */
uint64_t node_size(uint32_t node);
void node_resize(uint32_t node, uint64_t size);
/* It is mapped with MAP_SHARED: from now on a change of it is refused. */
void node_share(uint32_t node);
/* The bytes that are there; the step reads them. */
const char *node_bytes(uint32_t node, uint64_t from, uint64_t size);
/* Bytes that the caller is about to write; the file grows if it must. */
char *node_room(uint32_t node, uint64_t from, uint64_t size);

/* For --show-file: without a step. */
const char *node_peek(uint32_t node, uint64_t *size);

/* ---- descriptors (descriptors.c) ----------------------------------------- */

enum description_kind {
  DESCRIPTION_FILE,
  DESCRIPTION_NULL,    /* /dev/null */
  DESCRIPTION_ZERO,    /* /dev/zero */
  DESCRIPTION_RANDOM,  /* /dev/urandom: always the same numbers */
  DESCRIPTION_OUTPUT,  /* the standard output and the standard error */
  DESCRIPTION_CHANNEL, /* an end of a pipe or socket, or an eventfd */
  DESCRIPTION_EPOLL,
  DESCRIPTION_SIGNALS, /* of signalfd */
};

struct channel;
struct interest;
struct socket;

/* prog: lies in a block of the opening thread's heap, like malloc's, or is one
 * of the three standard ones. */
struct description {
  uint64_t offset; /* its address stands for the place in footprints */
  uint32_t kind;   /* enum description_kind */
  uint32_t node;
  uint32_t name;              /* by which it was opened, or 0 */
  uint32_t flags;             /* of open() */
  uint32_t users;             /* descriptors that refer to it */
  uint32_t lock;              /* of flock(): LOCK_SH, LOCK_EX or 0 */
  int number;                 /* of an output: 1 or 2 */
  struct channel *in, *out;   /* what it reads from and writes to, or NULL */
  struct socket *socket;      /* with an address: `in` and `out` may change */
  struct interest *interests; /* of epoll */
  unsigned long signals;      /* of signalfd: a set */
  uint64_t patience[2]; /* nanoseconds that a read, or a write, waits; 0: as
                           long as it takes */
};

/* A new description without descriptors. */
struct description *description_new(enum description_kind, uint32_t flags,
                                    uint64_t pc);
/* NULL with errno set: there is none. */
struct description *description_of(int descriptor);
/* The same for a step that reads all numbers; no error where there is none. */
struct description *description_peek(int descriptor);
void descriptors_read(void);
/* The three that the program begins with. */
struct description *description_standard(int number);

/* Gives the description the lowest free number from `least` on; -1 with errno
 * set if there is none. */
int descriptor_give(struct description *, int least, bool close_on_exec);
/* Gives it this number, which may be in use. */
int descriptor_replace(int number, struct description *, bool close_on_exec);
int descriptor_close(int number);
bool descriptor_has_flag(int number); /* FD_CLOEXEC */
void descriptor_set_flag(int number, bool);

/* Is the descriptor still the one that the program began with?  No step, unless
 * the program changes it. */
bool descriptor_is_standard(int number, uint64_t pc);

/* ---- reading and writing, as part of a step (file_io.c) ------------------ */

/* At the description's place, or from an offset of 0 or more on; -1 with errno
 * set. */
#define FILE_HERE (-1)
ssize_t description_read(struct description *, char *to, size_t, off_t from);
ssize_t description_write(struct description *, const char *, size_t,
                          off_t from);
off_t description_seek(struct description *, off_t, int whence);

/* open(), with a path of the runtime; NULL with errno set. */
/* The mask of umask(). */
mode_t file_mask(void);
void file_set_mask(mode_t);

/* A new node under this name; 0 with errno set. */
uint32_t file_create(uint32_t name, mode_t);

struct description *description_open(uint32_t directory, const char *path,
                                     int flags, mode_t, uint64_t pc);

/* ---- calls (file_calls.c) ------------------------------------------------ */

/* Where the path of a call leads; 0 with errno set.  Relative paths begin in
 * the directory that the descriptor has open, or AT_FDCWD. */
uint32_t name_of_call(const struct libcall *, int directory, const char *path,
                      bool follow);

/* stat(), and lstat() if not `follow` (name_calls.c). */
int stat_name(int directory, const char *path, struct stat *, bool follow,
              uint64_t pc);

/* scandir() of all entries, by their names (glob.c). */
struct dirent;
int directory_scan(const char *path, struct dirent ***, uint64_t pc);

/* ---- the run as a whole (surroundings.c, nodes.c) ----------------------- */

/* Main begins. */
void files_start(void);
/* The output, and the files of --show-file as they are. */
const char *files_shown(const char *output, size_t *length);

/* Back to the state before main. */
void files_reset(void);
/* verify */
void files_digest(struct state_digest *);

#endif
