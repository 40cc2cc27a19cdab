/* Files of the tree as parts of the command. */
#ifndef UTIL_EMBED_H
#define UTIL_EMBED_H

#include <stddef.h>

/* The bytes of a file. */
struct embedded {
  const char *start;
  const char *end;
};

/* Defines name##_start and name##_end around the bytes of the file.  The
 * compiler runs in the root of the tree; the Makefile must know that the object
 * depends on the file. */
#define EMBED(name, path)                                           \
  extern const char name##_start[], name##_end[];                   \
  __asm__(".pushsection .rodata\n" #name "_start:\n.incbin \"" path \
          "\"\n" #name "_end:\n.byte 0\n.popsection\n")

#define EMBEDDED(name) \
  { name##_start, name##_end }

#endif
