/* Nodes: files, directories and links, with their contents.
 *
 * The contents of node n lie at a place of their own in memory, so that bytes
 * of a file have addresses, which footprints name.  A file of the disk is read
 * into that place when its bytes are first needed; before the first write a
 * copy is kept, for --rollback=replay.
 */
#define _GNU_SOURCE
#include "files.h"
#include "system/native/engine/learnt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "system/native/verify/fingerprint.h"
#include "util/ensure.h"

#define CONTENTS UINT64_C(0x600000000000)
#define CONTENTS_MOST (UINT64_C(1) << 32) /* of one node */
#define BEGIN_OF_TIME 946684800           /* as in libc_time.c */

/* keep */
struct node {
  struct stat on_disk; /* st_nlink 0: created by the program */
  char *path;
  uint64_t thread, nth; /* which creation it is, if it is one */
  bool mapped, read;
  uint8_t asked, permitted; /* ways of access: bits R_OK, W_OK, X_OK */
  char *base;         /* a copy of what was read, made before the first write */
  uint64_t base_size; /* bytes read */
  uint64_t high;      /* bytes behind this one were never written */
};

/* prog: zero as on the disk. */
struct node_state {
  uint64_t size;   /* 1 + */
  uint32_t mode;   /* 1 + */
  int32_t links;   /* more than on the disk */
  uint64_t shared; /* 1: mapped with MAP_SHARED */
};

static struct node nodes[FILE_NODES];
static uint32_t count = 1;
PROG static struct node_state states[FILE_NODES];

/* prog: files created so far, by each thread. */
PROG static uint32_t created[NATIVE_THREADS + 1];

static struct node *add_node(void) {
  if (count == FILE_NODES)
    refuse("the program uses more than %d files", FILE_NODES);
  engine_learns();
  return &nodes[count++];
}

static char *contents(uint32_t node) {
  return (char *)(uintptr_t)(CONTENTS + node * CONTENTS_MOST);
}

/* ---- the disk ------------------------------------------------------------ */

uint32_t node_on_disk(const char *path) {
  struct stat s;
  if (syscall(SYS_newfstatat, AT_FDCWD, path, &s, AT_SYMLINK_NOFOLLOW) < 0)
    return 0;
  for (uint32_t i = 1; i < count; i++)
    if (nodes[i].on_disk.st_nlink && nodes[i].on_disk.st_ino == s.st_ino &&
        nodes[i].on_disk.st_dev == s.st_dev)
      return i;
  struct node *n = add_node();
  n->on_disk = s;
  if (!s.st_nlink)
    n->on_disk.st_nlink = 1;
  n->path = malloc(strlen(path) + 1);
  ensure(n->path); /* out of memory */
  strcpy(n->path, path);
  return (uint32_t)(n - nodes);
}

static void map(uint32_t node) {
  void *at = contents(node);
  if (nodes[node].mapped)
    return;
  void *got = mmap(
      at, CONTENTS_MOST, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != at)
    refuse("cannot reserve 4 GB of addresses at %p for a file; is the size of "
           "the address space limited (ulimit -v)?",
           at);
  nodes[node].mapped = true;
}

static void read_link(uint32_t node) {
  ssize_t length = readlink(nodes[node].path, contents(node), 4096);
  nodes[node].base_size = length > 0 ? (uint64_t)length : 0;
}

static void read_file(uint32_t node) {
  struct node *n = &nodes[node];
  int file = open(n->path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    refuse("cannot read %s, which the program opens", n->path);
  for (ssize_t part; (part = pread(file, contents(node) + n->base_size, 1 << 20,
                                   (off_t)n->base_size)) > 0;) {
    n->base_size += (uint64_t)part;
    if (n->base_size > CONTENTS_MOST - (2 << 20))
      refuse("%s has more than 4 GB, the most that is supported", n->path);
  }
  close(file);
}

/* Its contents are in memory from now on. */
static void load(uint32_t node) {
  struct node *n = &nodes[node];
  map(node);
  if (n->read || !n->on_disk.st_nlink)
    return;
  n->read = true;
  if (S_ISLNK(n->on_disk.st_mode))
    read_link(node);
  else if (S_ISREG(n->on_disk.st_mode))
    read_file(node);
  n->high = n->base_size;
}

static void keep_base(uint32_t node) {
  struct node *n = &nodes[node];
  if (n->base || !n->base_size)
    return;
  n->base = malloc(n->base_size);
  ensure(n->base); /* out of memory */
  memcpy(n->base, contents(node), n->base_size);
}

/* ---- creation ------------------------------------------------------------ */

/* The same thread's nth creation is the same node in every execution. */
static uint32_t node_of_creation(uint64_t thread, uint64_t nth) {
  for (uint32_t i = 1; i < count; i++)
    if (!nodes[i].on_disk.st_nlink && nodes[i].thread == thread &&
        nodes[i].nth == nth)
      return i;
  struct node *n = add_node();
  n->thread = thread;
  n->nth = nth;
  return (uint32_t)(n - nodes);
}

uint32_t node_create(mode_t mode) {
  uint32_t thread = self ? self->id : NATIVE_THREADS;
  uint32_t node = node_of_creation(thread, created[thread]);
  SET(created[thread], created[thread] + 1);
  undo_note(&states[node], sizeof *states);
  states[node] = (struct node_state){.size = 1, .mode = mode + 1};
  return node;
}

/* ---- attributes ---------------------------------------------------------- */

mode_t node_mode(uint32_t node) {
  file_reads(&states[node].mode, sizeof states->mode);
  return states[node].mode ? states[node].mode - 1
                           : nodes[node].on_disk.st_mode;
}

bool node_was_directory(uint32_t node) {
  return S_ISDIR(nodes[node].on_disk.st_mode);
}

void node_set_mode(uint32_t node, mode_t mode) {
  FILE_SET(states[node].mode, mode + 1);
}

void node_link(uint32_t node, int more) {
  FILE_SET(states[node].links, states[node].links + more);
}

static bool is_root(void) {
  static int known; /* keep: 1 + the answer */
  if (!known)
    known = 1 + (syscall(SYS_geteuid) == 0);
  return known - 1;
}

/* The kernel's answers; asked once. */
static bool kernel_permits(struct node *n, int how) {
  for (int bit = 1; bit <= 4; bit *= 2) {
    if (!(how & ~n->asked & bit))
      continue;
    n->asked |= (uint8_t)bit;
    if (syscall(SYS_faccessat, AT_FDCWD, n->path, bit) == 0)
      n->permitted |= (uint8_t)bit;
  }
  return !(how & ~n->permitted);
}

/* A file that the program creates belongs to it. */
bool node_permits(uint32_t node, int how) {
  mode_t mode = node_mode(node);
  if (!states[node].mode)
    return kernel_permits(&nodes[node], how);
  if (is_root())
    return !(how & X_OK) || S_ISDIR(mode) || (mode & 0111);
  return ((mode >> 6) & 7 & (mode_t)how) == (mode_t)how;
}

void node_stat(uint32_t node, struct stat *to) {
  const struct node_state *state = &states[node];
  file_reads(state, sizeof *state);
  *to = nodes[node].on_disk;
  if (!to->st_nlink) {
    to->st_uid = to->st_gid = 1000; /* as getuid() has it */
    to->st_ino = node;
    to->st_nlink = 1;
    to->st_blksize = 4096;
    to->st_mtim.tv_sec = to->st_ctim.tv_sec = to->st_atim.tv_sec =
        BEGIN_OF_TIME;
  }
  to->st_nlink += (nlink_t)state->links;
  if (state->mode)
    to->st_mode = state->mode - 1;
  if (state->size) {
    to->st_size = (off_t)(state->size - 1);
    to->st_blocks = (to->st_size + 4095) / 4096 * 8;
  }
}

/* ---- contents ------------------------------------------------------------ */

uint64_t node_size(uint32_t node) {
  load(node);
  file_reads(&states[node].size, sizeof states->size);
  return states[node].size ? states[node].size - 1 : nodes[node].base_size;
}

static void set_size(uint32_t node, uint64_t size) {
  if (size > CONTENTS_MOST)
    refuse("a file of %llu bytes: up to 4 GB are supported",
           (unsigned long long)size);
  FILE_SET(states[node].size, size + 1);
}

static void note_high(uint32_t node, uint64_t end) {
  keep_base(node);
  if (nodes[node].high < end)
    nodes[node].high = end;
}

void node_share(uint32_t node) {
  FILE_SET(states[node].shared, 1);
}

/* A mapping is a copy, and would have to show the change. */
static void refuse_if_shared(uint32_t node) {
  file_reads(&states[node].shared, sizeof states->shared);
  if (states[node].shared)
    refuse("a change of a file that was mapped with MAP_SHARED is not "
           "supported: mappings are copies");
}

/* Bytes behind the end are zero. */
void node_resize(uint32_t node, uint64_t size) {
  uint64_t before = node_size(node);
  if (size != before)
    refuse_if_shared(node);
  if (size < before) {
    note_high(node, before);
    file_writes(contents(node) + size, before - size);
    memset(contents(node) + size, 0, before - size);
  }
  set_size(node, size);
}

const char *node_bytes(uint32_t node, uint64_t from, uint64_t size) {
  load(node);
  if (size)
    file_reads(contents(node) + from, size);
  return contents(node) + from;
}

char *node_room(uint32_t node, uint64_t from, uint64_t size) {
  uint64_t before = node_size(node);
  if (!self)
    refuse("a file is written before main begins, by a constructor");
  refuse_if_shared(node);
  if (from + size > before)
    set_size(node, from + size);
  note_high(node, from + size);
  if (size)
    file_writes(contents(node) + from, size);
  return contents(node) + from;
}

const char *node_peek(uint32_t node, uint64_t *size) {
  load(node);
  *size = states[node].size ? states[node].size - 1 : nodes[node].base_size;
  return contents(node);
}

/* ---- going back, and --verify -------------------------------------------- */

static void reset(uint32_t node) {
  const struct node *n = &nodes[node];
  if (!n->mapped || n->high <= (n->base ? 0 : n->base_size))
    return;
  if (n->base)
    memcpy(contents(node), n->base, n->base_size);
  memset(contents(node) + n->base_size, 0, n->high - n->base_size);
}

void files_reset(void) {
  for (uint32_t i = 1; i < count; i++)
    reset(i);
}

/* What differs from the disk. */
static void digest_contents(struct state_digest *d, uint32_t node) {
  const struct node *n = &nodes[node];
  const char *now = contents(node);
  for (uint64_t i = n->base ? 0 : n->base_size; n->mapped && i < n->high; i++) {
    char base = i < n->base_size ? n->base[i] : 0;
    if (now[i] != base)
      digest_word(d, (uintptr_t)(now + i), (unsigned char)now[i] + 1u);
  }
}

void files_digest(struct state_digest *d) {
  for (uint32_t i = 1; i < count; i++)
    digest_contents(d, i);
}

/* ---- what was learnt ----------------------------------------------------- */

static bool is_unchanged(const struct stat *a, const struct stat *b) {
  return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
         a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* A file that has changed since is another one. */
static bool node_is_learnt(struct packed *p, uint32_t i) {
  struct node n = {0};
  const char *path = "";
  if (p->to)
    n = nodes[i];
  if (n.path)
    path = n.path;
  size_t size = strlen(path) + 1;
  PACKED(p, n.on_disk);
  PACKED(p, n.thread);
  PACKED(p, n.nth);
  packed_part(p, &path, &size);
  if (p->to || p->bad)
    return !p->bad;
  if (!n.on_disk.st_nlink)
    return node_of_creation(n.thread, n.nth) == i;
  return node_on_disk(path) == i &&
         (!S_ISREG(n.on_disk.st_mode) ||
          is_unchanged(&nodes[i].on_disk, &n.on_disk));
}

void nodes_learnt(struct packed *p) {
  uint32_t known = count;
  PACKED(p, known);
  for (uint32_t i = 1; i < known && !p->bad; i++)
    p->bad = !node_is_learnt(p, i);
}
