/* Reading JSON: calls a function with every value and the path of names to it.
 */
#ifndef HOST_JSON_READ_H
#define HOST_JSON_READ_H

#include <stdbool.h>

/* The path of a value is "executions" or "errors.kind"; places in arrays are
 * left out.  A string comes without its quotes, everything else as written. The
 * end of an object in an array is told too, with the array's path and NULL. */
typedef void (*json_told)(void *context, const char *path, const char *value);

/* False: the text is no JSON, or its nesting or its names exceed what heddle
 * writes. */
bool json_read(const char *text, json_told, void *context);

#endif
