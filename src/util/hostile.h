/* The hostile build (make test-hard): mistakes that show only sometimes show at
 * once.  Arrays start at capacity 1 and move whenever they grow, hash tables
 * start with 2 slots, and every step is undone and taken again. */
#ifndef UTIL_HOSTILE_H
#define UTIL_HOSTILE_H

#ifndef HOSTILE
#define HOSTILE 0
#endif

#if HOSTILE
#define VEC_FIRST_CAPACITY 1
#define TABLE_FIRST_CAPACITY 2
#endif

#ifndef VEC_FIRST_CAPACITY
#define VEC_FIRST_CAPACITY 16
#endif

#ifndef TABLE_FIRST_CAPACITY
#define TABLE_FIRST_CAPACITY 64 /* of a hash table; a power of two */
#endif

#endif
