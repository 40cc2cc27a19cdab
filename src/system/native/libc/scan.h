/* Scanning text by a format: the scanf family.
 *
 * Scanning changes nothing: it finds what the function stores, and where.  A
 * caller that may have more text scans again with more of it.
 */
#ifndef SYSTEM_NATIVE_LIBC_SCAN_H
#define SYSTEM_NATIVE_LIBC_SCAN_H

#include "libc.h"

/* prog: on the stack of the thread that is about to act. */
struct scanner {
  const char *begin, *end; /* the text */
  bool final;              /* no text follows */
  bool starved;            /* the scan looked behind the end */
  const char *at;          /* where it stopped */
};

/* The function's result.  What it stores is kept until the next call. */
int scan_text(struct scanner *, const char *format, va_list);

/* Stores what the latest scan found, as part of a step. */
void scan_store(const struct libcall *, uint64_t pc);

#endif
