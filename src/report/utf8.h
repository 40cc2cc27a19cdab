/* Text in UTF-8. */
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include <stddef.h>

/* The length of the UTF-8 character at the start of the bytes, or 0 if they
 * do not start with one (RFC 3629: no overlong forms, no surrogates). */
size_t utf8_length(const unsigned char *, size_t left);

#endif
