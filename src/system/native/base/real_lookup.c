/* The loaded objects, and what they define.
 *
 * The loader's own functions for this (dl_iterate_phdr, dlsym) are found by
 * name, and a program may define functions of these names.  So this file reads
 * what they read: the dynamic section of the program leads to the list of all
 * objects, which the loader keeps for debuggers, and each object has its
 * headers and its table of symbols in memory.
 */
#define _GNU_SOURCE
#include "real.h"
#include "real_system.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

extern const ElfW(Ehdr) __ehdr_start
    __attribute__((weak, visibility("hidden")));
extern ElfW(Dyn) _DYNAMIC[] __attribute__((weak, visibility("hidden")));

/* The program itself comes first. */
static const struct link_map *first_object(void) {
  for (const ElfW(Dyn) *d = _DYNAMIC; d && d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_DEBUG && d->d_un.d_ptr)
      return ((const struct r_debug *)d->d_un.d_ptr)->r_map;
  return NULL;
}

/* ---- program headers ----------------------------------------------------- */

static const ElfW(Ehdr) * header_of(const struct link_map *object) {
  return object->l_prev ? (const ElfW(Ehdr) *)object->l_addr : &__ehdr_start;
}

int heddle_real_dl_iterate_phdr(int (*look)(struct dl_phdr_info *, size_t,
                                            void *),
                                void *context) {
  int result = 0;
  const struct link_map *object = first_object();
  for (; object && !result; object = object->l_next) {
    const ElfW(Ehdr) *header = header_of(object);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
      continue;
    struct dl_phdr_info info = {
        .dlpi_addr = object->l_addr,
        .dlpi_name = object->l_name,
        .dlpi_phdr = (const void *)((const char *)header + header->e_phoff),
        .dlpi_phnum = header->e_phnum};
    result = look(&info, sizeof info, context);
  }
  return result;
}

/* ---- symbols ------------------------------------------------------------- */

/* keep: the symbols of an object, from its dynamic section. */
struct symbols {
  const ElfW(Sym) * symbol;
  const char *names;
  const uint32_t *hash;         /* the GNU table */
  const ElfW(Versym) * version; /* NULL: there are none */
};

/* The loader replaces offsets by addresses, but not where it cannot write. */
static const void *address(const struct link_map *object, ElfW(Addr) value) {
  return (const void *)(value < object->l_addr ? object->l_addr + value
                                               : value);
}

static struct symbols symbols_of(const struct link_map *object) {
  struct symbols s = {0};
  for (const ElfW(Dyn) *d = object->l_ld; d->d_tag != DT_NULL; d++) {
    const void *at = address(object, d->d_un.d_ptr);
    if (d->d_tag == DT_SYMTAB)
      s.symbol = at;
    else if (d->d_tag == DT_STRTAB)
      s.names = at;
    else if (d->d_tag == DT_GNU_HASH)
      s.hash = at;
    else if (d->d_tag == DT_VERSYM)
      s.version = at;
  }
  return s;
}

static uint32_t hash_name(const char *name) {
  uint32_t hash = 5381;
  for (; *name; name++)
    hash = hash * 33 + (unsigned char)*name;
  return hash;
}

/* Of several versions, the default one. */
static bool defines(const struct symbols *s, uint32_t i, const char *name) {
  enum { HIDDEN = 0x8000 };
  const ElfW(Sym) *symbol = &s->symbol[i];
  unsigned type = ELF64_ST_TYPE(symbol->st_info);
  return symbol->st_shndx != SHN_UNDEF && type != STT_TLS &&
         !(s->version && s->version[i] & HIDDEN) &&
         strcmp(s->names + symbol->st_name, name) == 0;
}

/* The table: four numbers, a filter, the first symbol of each bucket, and for
 * each symbol from `first` on its hash, whose last bit ends the bucket. */
static const ElfW(Sym) *
    find_symbol(const struct symbols *s, const char *name) {
  uint32_t hash = hash_name(name), buckets = s->hash[0], first = s->hash[1];
  const uint32_t *bucket =
      s->hash + 4 + s->hash[2] * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
  const uint32_t *chain = bucket + buckets;
  uint32_t i = buckets ? bucket[hash % buckets] : 0;
  if (i < first)
    return NULL;
  for (;; i++) {
    if ((chain[i - first] | 1) == (hash | 1) && defines(s, i, name))
      return &s->symbol[i];
    if (chain[i - first] & 1)
      return NULL;
  }
}

/* A symbol may be a function that chooses the implementation for this
 * processor. */
static void *chosen(void *chooser) {
#if defined __aarch64__
  unsigned long __getauxval(unsigned long);
  struct {
    unsigned long size, first, second;
  } can = {sizeof can, __getauxval(AT_HWCAP), __getauxval(AT_HWCAP2)};
  const unsigned long more = 1ul << 62; /* there is a second argument */
  return ((void *(*)(unsigned long, void *))chooser)(can.first | more, &can);
#else
  return ((void *(*)(void))chooser)();
#endif
}

/* The kernel's own object is in the list, but is not searched. */
static bool is_searched(const struct link_map *object) {
  return strncmp(object->l_name, "linux-", 6) != 0;
}

void *real_lookup(const char *name) {
  const struct link_map *object = first_object();
  while (object && (object = object->l_next)) {
    struct symbols s = symbols_of(object);
    if (!is_searched(object) || !s.symbol || !s.names || !s.hash)
      continue;
    const ElfW(Sym) *symbol = find_symbol(&s, name);
    if (!symbol)
      continue;
    void *found = (void *)(object->l_addr + symbol->st_value);
    return ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC ? chosen(found)
                                                           : found;
  }
  return NULL;
}
