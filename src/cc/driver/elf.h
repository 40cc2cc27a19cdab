/* What object files and libraries define and need. */
#ifndef CC_DRIVER_ELF_H
#define CC_DRIVER_ELF_H

#include <stdbool.h>

#include "host/word_list.h"

enum elf_kind {
  ELF_OTHER,  /* no ELF file: a linker script, ... */
  ELF_OBJECT, /* relocatable */
  ELF_LINKED, /* a shared library or an executable */
  ELF_ARCHIVE,
};

/* Of a linked file only the dynamic symbols are looked at. */
struct elf_symbols {
  enum elf_kind kind;
  struct word_list defined; /* global or weak */
  struct word_list undefined;
  struct word_list undefined_functions; /* of these, where the type is known */
  bool has_code;
  bool has_refused; /* code that could not be hooked: see core/hook.h */
};

/* Reads a file, or the member of an archive if `member` is not NULL; of an
 * archive without member all objects are read.  A file that cannot be read is
 * ELF_OTHER. */
struct elf_symbols elf_symbols_read(const char *path, const char *member);

#endif
