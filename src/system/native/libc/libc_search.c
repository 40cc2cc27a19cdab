/* Tables, hash tables and trees of search.h.  A tree is not balanced, which no
 * caller can see.  Each look at a node is a step, as are those of the program's
 * comparison. */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "libc.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "system/native/hooks/hooks.h"

/* ---- tables -------------------------------------------------------------- */

static char *find(const void *key, const char *base, size_t count, size_t size,
                  __compar_fn_t compare) {
  for (size_t i = 0; i < count; i++)
    if (!compare(key, base + i * size))
      return (char *)(uintptr_t)(base + i * size);
  return NULL;
}

INTERPOSED void *lfind(const void *key, const void *base, size_t *count,
                       size_t size, __compar_fn_t compare) {
  return find(key, base, LOOK_AT(*count, CALLER), size, compare);
}

INTERPOSED void *lsearch(const void *key, void *base, size_t *count,
                         size_t size, __compar_fn_t compare) {
  size_t there = LOOK_AT(*count, CALLER);
  char *found = find(key, base, there, size, compare);
  if (found)
    return found;
  found = (char *)base + there * size;
  copy_memory(found, key, size, CALLER, NULL);
  PUT_AT(*count, there + 1, CALLER);
  return found;
}

/* ---- queues -------------------------------------------------------------- */

struct queue_element {
  struct queue_element *next, *previous;
};

/* Without a predecessor the element is a queue of its own. */
INTERPOSED void insque(void *element, void *predecessor) {
  struct queue_element *e = element, *before = predecessor;
  struct queue_element *after = before ? LOOK_AT(before->next, CALLER) : NULL;
  if (before)
    PUT_AT(before->next, e, CALLER);
  if (after)
    PUT_AT(after->previous, e, CALLER);
  PUT_AT(e->next, after, CALLER);
  PUT_AT(e->previous, before, CALLER);
}

INTERPOSED void remque(void *element) {
  struct queue_element *e = element;
  struct queue_element *after = LOOK_AT(e->next, CALLER);
  struct queue_element *before = LOOK_AT(e->previous, CALLER);
  if (after)
    PUT_AT(after->previous, before, CALLER);
  if (before)
    PUT_AT(before->next, after, CALLER);
}

/* ---- hash tables --------------------------------------------------------- */

/* A table is a list of entries here, of the size that glibc would give it. */
static unsigned table_size(size_t wanted) {
  unsigned size = wanted < 3 ? 3 : (unsigned)wanted | 1, divisor = 3;
  while (divisor * divisor <= size) {
    if (size % divisor) {
      divisor += 2;
      continue;
    }
    size += 2;
    divisor = 3;
  }
  return size;
}

static ENTRY *entries(struct hsearch_data *t, uint64_t pc) {
  return (ENTRY *)(void *)LOOK_AT(t->table, pc);
}

static int create(size_t wanted, struct hsearch_data *t, uint64_t pc) {
  if (entries(t, pc))
    return 0;
  PUT_AT(t->size, table_size(wanted), pc);
  PUT_AT(t->filled, 0, pc);
  PUT_AT(t->table, heap_allocate(t->size * sizeof(ENTRY), 16, pc), pc);
  return 1;
}

static void destroy(struct hsearch_data *t, uint64_t pc) {
  if (entries(t, pc))
    heap_free(t->table, "hdestroy", pc);
  PUT_AT(t->table, NULL, pc);
}

/* One step, which reads both strings. */
static bool same_key(const char *a, const char *b, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, pc);
  libcall_string(&e, a, SIZE_MAX);
  libcall_string(&e, b, SIZE_MAX);
  libcall_announce(&e);
  touched(&e, a, string_length(a, SIZE_MAX) + 1);
  touched(&e, b, string_length(b, SIZE_MAX) + 1);
  return !heddle_real_strcmp(a, b);
}

/* glibc computes a number from the key, even if no other key is compared. */
static void read_key(const char *key, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_SCAN, pc);
  libcall_string(&e, key, SIZE_MAX);
  libcall_announce(&e);
  touched(&e, key, string_length(key, SIZE_MAX) + 1);
}

static ENTRY *search(ENTRY item, ACTION action, struct hsearch_data *t,
                     uint64_t pc) {
  read_key(item.key, pc);
  ENTRY *table = entries(t, pc);
  unsigned filled = LOOK_AT(t->filled, pc);
  for (unsigned i = 0; i < filled; i++)
    if (same_key(LOOK_AT(table[i].key, pc), item.key, pc))
      return &table[i];
  if (action == FIND || filled == LOOK_AT(t->size, pc)) {
    error_set(action == FIND ? ESRCH : ENOMEM);
    return NULL;
  }
  PUT_AT(table[filled], item, pc);
  PUT_AT(t->filled, filled + 1, pc);
  return &table[filled];
}

INTERPOSED int hcreate_r(size_t wanted, struct hsearch_data *t) {
  return create(wanted, t, CALLER);
}

INTERPOSED void hdestroy_r(struct hsearch_data *t) {
  destroy(t, CALLER);
}

INTERPOSED int hsearch_r(ENTRY item, ACTION action, ENTRY **found,
                         struct hsearch_data *t) {
  ENTRY *entry = search(item, action, t, CALLER);
  PUT(*found, entry);
  return entry != NULL;
}

PROG static struct hsearch_data the_table;

INTERPOSED int hcreate(size_t wanted) {
  return create(wanted, &the_table, CALLER);
}

INTERPOSED void hdestroy(void) {
  destroy(&the_table, CALLER);
}

INTERPOSED ENTRY *hsearch(ENTRY item, ACTION action) {
  return search(item, action, &the_table, CALLER);
}

/* ---- trees --------------------------------------------------------------- */

/* prog: callers may look at the key, which comes first. */
struct tree_node {
  const void *key;
  struct tree_node *left, *right;
};

/* Where the key's node hangs, or would; NULL in it then.  `parent`: the node
 * above. */
static struct tree_node **find_node(const void *key, struct tree_node **root,
                                    __compar_fn_t compare,
                                    struct tree_node **parent, uint64_t pc) {
  struct tree_node **at = root, *node;
  *parent = NULL;
  while ((node = LOOK_AT(*at, pc))) {
    int order = compare(key, LOOK_AT(node->key, pc));
    if (!order)
      break;
    *parent = node;
    at = order < 0 ? &node->left : &node->right;
  }
  return at;
}

INTERPOSED void *tfind(const void *key, void *const *root,
                       __compar_fn_t compare) {
  struct tree_node *parent;
  if (!root)
    return NULL;
  struct tree_node **at = find_node(key, (struct tree_node **)(uintptr_t)root,
                                    compare, &parent, CALLER);
  return LOOK_AT(*at, CALLER);
}

INTERPOSED void *tsearch(const void *key, void **root, __compar_fn_t compare) {
  struct tree_node *parent;
  if (!root)
    return NULL;
  struct tree_node **at =
      find_node(key, (struct tree_node **)root, compare, &parent, CALLER);
  struct tree_node *node = LOOK_AT(*at, CALLER);
  if (node)
    return node;
  node = heap_allocate(sizeof *node, 16, CALLER);
  undo_note(node, sizeof *node);
  *node = (struct tree_node){.key = key};
  heap_written(node, sizeof *node, CALLER);
  PUT_AT(*at, node, CALLER);
  return node;
}

/* Takes out the smallest node of this part of the tree. */
static struct tree_node *take_least(struct tree_node **at, uint64_t pc) {
  struct tree_node *node = LOOK_AT(*at, pc), *left;
  while ((left = LOOK_AT(node->left, pc))) {
    at = &node->left;
    node = left;
  }
  PUT_AT(*at, LOOK_AT(node->right, pc), pc);
  return node;
}

/* Returns the node above; for the root, what is not NULL. */
INTERPOSED void *tdelete(const void *restrict key, void **restrict root,
                         __compar_fn_t compare) {
  struct tree_node *parent;
  if (!root)
    return NULL;
  struct tree_node **at =
      find_node(key, (struct tree_node **)root, compare, &parent, CALLER);
  struct tree_node *node = LOOK_AT(*at, CALLER), *next;
  if (!node)
    return NULL;
  if (!LOOK_AT(node->left, CALLER)) {
    next = LOOK_AT(node->right, CALLER);
  } else if (!LOOK_AT(node->right, CALLER)) {
    next = LOOK_AT(node->left, CALLER);
  } else {
    next = take_least(&node->right, CALLER);
    PUT_AT(next->left, LOOK_AT(node->left, CALLER), CALLER);
    PUT_AT(next->right, LOOK_AT(node->right, CALLER), CALLER);
  }
  PUT_AT(*at, next, CALLER);
  heap_free(node, "tdelete", CALLER);
  return parent ? (void *)parent : (void *)root;
}

static void walk_tree(const struct tree_node *node, __action_fn_t act,
                      int depth, uint64_t pc) {
  const struct tree_node *left = LOOK_AT(node->left, pc),
                         *right = LOOK_AT(node->right, pc);
  if (!left && !right) {
    act(node, leaf, depth);
    return;
  }
  act(node, preorder, depth);
  if (left)
    walk_tree(left, act, depth + 1, pc);
  act(node, postorder, depth);
  if (right)
    walk_tree(right, act, depth + 1, pc);
  act(node, endorder, depth);
}

INTERPOSED void twalk(const void *root, __action_fn_t act) {
  if (root && act)
    walk_tree(root, act, 0, CALLER);
}

static void destroy_tree(struct tree_node *node, __free_fn_t release,
                         uint64_t pc) {
  struct tree_node *left = LOOK_AT(node->left, pc),
                   *right = LOOK_AT(node->right, pc);
  if (left)
    destroy_tree(left, release, pc);
  if (right)
    destroy_tree(right, release, pc);
  release((void *)(uintptr_t)LOOK_AT(node->key, pc));
  heap_free(node, "tdestroy", pc);
}

INTERPOSED void tdestroy(void *root, __free_fn_t release) {
  if (root)
    destroy_tree(root, release, CALLER);
}

/* ---- other --------------------------------------------------------------- */

/* One step, which reads the words and cuts the text. */
INTERPOSED int getsubopt(char **text, char *const *words, char **value) {
  struct libcall e;
  char *word = LOOK_AT(*text, CALLER);
  libcall_begin(&e, OP_SCAN, CALLER);
  libcall_write(&e, text, sizeof *text);
  libcall_write(&e, value, sizeof *value);
  libcall_string(&e, word, SIZE_MAX);
  libcall_announce(&e);
  size_t length = string_length(word, SIZE_MAX), end = 0;
  touched(&e, word, length + 1);
  *value = NULL;
  if (!length)
    return -1;
  while (word[end] && word[end] != ',')
    end++;
  char *equals = memchr(word, '=', end);
  size_t size = equals ? (size_t)(equals - word) : end;
  *text = word + end + (word[end] == ',');
  if (word[end]) {
    touches(&e, word + end, 1);
    word[end] = 0;
  }
  for (int i = 0; words[i]; i++) {
    touched(&e, words[i], string_length(words[i], SIZE_MAX) + 1);
    if (strlen(words[i]) == size && !memcmp(words[i], word, size)) {
      *value = equals ? equals + 1 : NULL;
      return i;
    }
  }
  *value = word;
  return -1;
}
