/* How much memory there is, and how much a process uses. */
#ifndef SUPERVISE_MEMORY_LIMIT_H
#define SUPERVISE_MEMORY_LIMIT_H

#include <stdint.h>
#include <sys/types.h>

/* The bytes that --memory-limit means: half of the machine's memory, or of what
 * this container may use, if it is MEMORY_HALF. */
uint64_t memory_limit(uint64_t wanted);

/* The bytes of main memory in use by a process; 0 if that is not known. */
uint64_t memory_of(pid_t);

/* "512 MB" */
void memory_text(uint64_t bytes, char *to, size_t size);

#endif
