/* Data of another file of the same object.  Where the compiler does not know
 * that it is in the same object, as it must be told for each declaration, it
 * looks up the address in a table before each access. */
#ifndef UTIL_HIDDEN_H
#define UTIL_HIDDEN_H

#define HIDDEN __attribute__((visibility("hidden")))

#endif
