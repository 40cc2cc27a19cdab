/* The loaded objects: the program, its own libraries, the system's. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "engine.h"

#include <link.h>
#include <string.h>
#include <unistd.h>

/* Made by the link of the runtime into one object (see merge.ld). */
#define BOUNDS(section)                                  \
  extern char __start_##section[] __attribute__((weak)); \
  extern char __stop_##section[] __attribute__((weak));
BOUNDS(heddle_text)
BOUNDS(heddle_data)
BOUNDS(heddle_bss)
BOUNDS(heddle_prog)

static module_list loaded; /* keep */

static bool is_system(const char *path) {
  return strncmp(path, "/lib", 4) == 0 || strncmp(path, "/usr/lib", 8) == 0 ||
         strncmp(path, "linux-vdso", 10) == 0;
}

static void find_path(struct module *m, const char *name) {
  strncpy(m->path, name, sizeof m->path - 1);
  if (!*name) { /* the main program has no name */
    ssize_t length = readlink("/proc/self/exe", m->path, sizeof m->path - 1);
    m->path[length > 0 ? length : 0] = 0;
  }
}

static int add_module(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  VEC_PUSH(loaded, (struct module){.bias = info->dlpi_addr,
                                   .start = UINT64_MAX,
                                   .program = !is_system(info->dlpi_name)});
  struct module *m = &VEC_TOP(loaded);
  find_path(m, info->dlpi_name);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uint64_t start = info->dlpi_addr + p->p_vaddr;
    if (p->p_type != PT_LOAD)
      continue;
    if (start < m->start)
      m->start = start;
    if (start + p->p_memsz > m->end)
      m->end = start + p->p_memsz;
    if (p->p_flags & PF_X) {
      m->code = start;
      m->code_end = start + p->p_memsz;
    }
  }
  return 0;
}

const module_list *modules(void) {
  if (!loaded.size)
    dl_iterate_phdr(add_module, NULL);
  return &loaded;
}

static bool within(uint64_t addr, const char *start, const char *end) {
  return addr >= (uintptr_t)start && addr < (uintptr_t)end;
}

bool module_is_program(uint64_t pc) {
  if (within(pc, __start_heddle_text, __stop_heddle_text))
    return false;
  for (size_t i = 0; i < modules()->size; i++) {
    const struct module *m = &loaded.at[i];
    if (pc >= m->start && pc < m->end)
      return m->program;
  }
  return false;
}

bool module_is_code(uint64_t addr) {
  for (size_t i = 0; i < modules()->size; i++)
    if (addr >= loaded.at[i].code && addr < loaded.at[i].code_end)
      return true;
  return false;
}

/* ---- segments ------------------------------------------------------------ */

/* Cuts [from, to) out of every segment from `first` on. */
static void cut(segment_list *list, size_t first, const char *from,
                const char *to) {
  if (from >= to)
    return;
  for (size_t i = list->size; i-- > first;) {
    struct segment s = list->at[i];
    if (to <= s.start || from >= s.end)
      continue;
    list->at[i].end = from > s.start ? (char *)(uintptr_t)from : s.start;
    if (to < s.end)
      VEC_PUSH(*list, (struct segment){(char *)(uintptr_t)to, s.end});
  }
}

/* Memory that the loader made read-only after relocation is constant. */
static void add_writable(const struct dl_phdr_info *info, segment_list *list) {
  size_t first = list->size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    char *start = (char *)(info->dlpi_addr + p->p_vaddr);
    if (p->p_type == PT_LOAD && p->p_flags & PF_W)
      VEC_PUSH(*list, (struct segment){start, start + p->p_memsz});
  }
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uint64_t start = info->dlpi_addr + p->p_vaddr;
    if (p->p_type == PT_GNU_RELRO)
      cut(list, first, (char *)(start & ~(page - 1)),
          (char *)((start + p->p_memsz) & ~(page - 1)));
  }
}

static int add_segments(struct dl_phdr_info *info, size_t size, void *list) {
  (void)size;
  if (!is_system(info->dlpi_name))
    add_writable(info, list);
  return 0;
}

void module_segments(segment_list *list) {
  dl_iterate_phdr(add_segments, list);
  cut(list, 0, __start_heddle_data, __stop_heddle_data);
  cut(list, 0, __start_heddle_bss, __stop_heddle_bss);
}

void module_prog(segment_list *list) {
  VEC_PUSH(*list, (struct segment){__start_heddle_prog, __stop_heddle_prog});
}
