/* A search by the processes of an MPI job: `mpirun -n 64 heddle check prog.c`.
 *
 * Rank 0 coordinates, the others explore.  What MPI does is in a library of its
 * own (src/mpi), which is loaded only where mpirun has started the command.
 */
#ifndef SUPERVISE_CLUSTER_H
#define SUPERVISE_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>

/* Filled by the library. */
struct cluster {
  int rank; /* our number */
  int size; /* of all of us */
  /* Messages arrive whole, and in order.  The bytes may be changed at once. */
  void (*send)(int to, const void *bytes, size_t size);
  /* The rank that has sent a message, which is the caller's to free; -1: there
   * is none now. */
  int (*receive)(void **bytes, size_t *size);
  void (*finish)(void);
};

/* The function of the library that fills it. */
typedef bool cluster_open_function(struct cluster *);
#define CLUSTER_OPEN "heddle_cluster_open"

/* Has mpirun started us, with others?  May be asked at any time. */
bool cluster_expected(void);

/* Ranks other than 0 print nothing from now on. */
void cluster_hush(void);

/* The same, and joins them.  *failed: a message was printed, and we cannot go
 * on. */
bool cluster_open(struct cluster *, bool *failed);

#endif
