/* What source_lines.c (places) and variable.c (data) share. */
#ifndef REPORT_DWARF_H
#define REPORT_DWARF_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "report/memo.h"
#include "report/source_lines.h"
#include "report/texts.h"
#include "util/vec.h"

/* A variable with a fixed address. */
struct global {
  uint64_t start;
  uint64_t size;
  const char *name;
  Dwarf_Die type;
};

/* A module whose variables have been looked up. */
struct globals {
  Dwfl_Module *module;
  VEC(struct global) sorted; /* by start */
};

struct source_lines {
  Dwfl *dwfl;
  char *directory;
  bool reported; /* no more modules come */
  struct texts texts;
  struct memo places; /* return address -> struct source_place */
  struct memo data;   /* address, size -> struct named_bytes */
  VEC(void *) owned;  /* structs that the tables point to */
  VEC(struct globals) modules;
};

/* The module that an address lies in, or NULL. */
Dwfl_Module *source_module_of(struct source_lines *, uint64_t address);

/* Memory that lives as long as the source. */
void *source_keep(struct source_lines *, size_t size);

#endif
