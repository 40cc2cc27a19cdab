/* Messages between the ranks of an MPI job.
 *
 * Nothing blocks: a message that is sent is kept until it has left, and waiting
 * is done by the caller, who sleeps meanwhile.  MPI's own waiting would use a
 * processor that others could explore with.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "supervise/cluster.h"

struct mpi_sent {
  MPI_Request request;
  char *bytes;
  struct mpi_sent *next;
};

static struct mpi_sent *under_way;

/* Forgets what has left. */
static void collect_sent(void) {
  for (struct mpi_sent **at = &under_way; *at;) {
    struct mpi_sent *s = *at;
    int done = 0;
    MPI_Test(&s->request, &done, MPI_STATUS_IGNORE);
    if (!done) {
      at = &s->next;
      continue;
    }
    *at = s->next;
    free(s->bytes);
    free(s);
  }
}

static void send_bytes(int to, const void *bytes, size_t size) {
  struct mpi_sent *s = calloc(1, sizeof *s);
  char *copy = malloc(size ? size : 1);
  if (!s || !copy)
    abort();
  memcpy(copy, bytes, size);
  s->bytes = copy;
  MPI_Isend(copy, (int)size, MPI_BYTE, to, 0, MPI_COMM_WORLD, &s->request);
  struct mpi_sent **end = &under_way;
  while (*end)
    end = &(*end)->next;
  *end = s;
}

static int receive_bytes(void **bytes, size_t *size) {
  MPI_Status status;
  int there = 0, count = 0;
  collect_sent();
  MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
  if (!there)
    return -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  *size = (size_t)count;
  *bytes = malloc(*size ? *size : 1);
  if (!*bytes)
    abort();
  MPI_Recv(*bytes, count, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return status.MPI_SOURCE;
}

static void finish(void) {
  while (under_way)
    collect_sent();
  MPI_Finalize();
}

cluster_open_function heddle_cluster_open;
bool heddle_cluster_open(struct cluster *c) {
  int provided;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided))
    return false;
  MPI_Comm_rank(MPI_COMM_WORLD, &c->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &c->size);
  c->send = send_bytes;
  c->receive = receive_bytes;
  c->finish = finish;
  return true;
}
