/* Numbers in text. */
#ifndef HOST_NUMBER_H
#define HOST_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Decimal digits and nothing else; false if it is not that, or too large. */
bool parse_number(const char *text, uint64_t *out);

/* "500M", "2G", or bytes; false if it is neither. */
bool parse_size(const char *text, uint64_t *out);

#endif
