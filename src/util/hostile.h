/* The hostile build (make test-hard): what goes wrong only sometimes goes wrong
 * at once.  Arrays start at capacity 1 and move whenever they grow, hash tables
 * start with 2 places, and every step is taken back and taken again. */
#ifndef UTIL_HOSTILE_H
#define UTIL_HOSTILE_H

#ifndef HOSTILE
#define HOSTILE 0
#endif

#if HOSTILE
#define VEC_FIRST_CAPACITY 1
#define BUCKETS_FIRST 2
#endif

#ifndef VEC_FIRST_CAPACITY
#define VEC_FIRST_CAPACITY 16
#endif

#ifndef BUCKETS_FIRST
#define BUCKETS_FIRST 1024 /* of a hash table; a power of two */
#endif

#endif
