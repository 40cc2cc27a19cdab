/* mapred(N): N mappers count the words of their texts, of two kinds, and send
 * the counts to a reducer for each kind; the job awaits all mappers, then asks
 * the reducers.
 *
 * Each reducer gets N messages, which it adds: (N!)^2 traces, one result. */
#include <assert.h>
#include <heddle_actor.h>

#ifndef N
#define N 3
#endif

enum { KINDS = 2 };

struct team {
  struct heddle_actor *reducer[KINDS];
};

struct mapper {
  struct team team;
  int words[KINDS]; /* its text */
};

struct job {
  struct team team;
  struct heddle_actor *mapper[N];
  int total;
};

static void add(void *, void *), total(void *, void *);
static void map(void *, void *), run(void *, void *);

static heddle_handler *const map_sends[] = {add, 0};
static heddle_handler *const run_sends[] = {map, total, 0};
static const struct heddle_handles reducer_handles[] = {
    {add, 0}, {total, 0}, {0, 0}};
static const struct heddle_handles mapper_handles[] = {{map, map_sends},
                                                       {0, 0}};
static const struct heddle_handles job_handles[] = {{run, run_sends}, {0, 0}};
static const struct heddle_actor_type reducer_type = {
    "reducer", sizeof(int), HEDDLE_PRIVATE, reducer_handles};
static const struct heddle_actor_type mapper_type = {
    "mapper", sizeof(struct mapper), HEDDLE_PRIVATE, mapper_handles};
static const struct heddle_actor_type job_type = {
    "job", sizeof(struct job), HEDDLE_PRIVATE, job_handles};

static void add(void *state, void *message) {
  *(int *)state += *(int *)message;
}

static void total(void *state, void *message) {
  (void)message;
  heddle_reply(state, sizeof(int));
}

static void map(void *state, void *message) {
  const struct mapper *m = state;
  struct heddle_future *f[KINDS];
  (void)message;
  for (int kind = 0; kind < KINDS; kind++)
    f[kind] = heddle_ask(m->team.reducer[kind], add, &m->words[kind],
                         sizeof(int));
  for (int kind = 0; kind < KINDS; kind++)
    heddle_await(f[kind]);
}

static void run(void *state, void *message) {
  struct job *job = state;
  struct heddle_future *f[N];
  (void)message;
  for (int i = 0; i < N; i++)
    f[i] = heddle_ask(job->mapper[i], map, HEDDLE_NOTHING);
  for (int i = 0; i < N; i++)
    heddle_await(f[i]);
  for (int kind = 0; kind < KINDS; kind++) {
    struct heddle_future *sum =
        heddle_ask(job->team.reducer[kind], total, HEDDLE_NOTHING);
    job->total += HEDDLE_AWAIT(int, sum);
  }
}

int main(void) {
  struct job job = {.total = 0};
  int words = 0;
  for (int kind = 0; kind < KINDS; kind++)
    job.team.reducer[kind] = heddle_spawn(&reducer_type, 0);
  for (int i = 0; i < N; i++) {
    struct mapper m = {job.team, {i + 1, 2 * i + 1}};
    words += m.words[0] + m.words[1];
    job.mapper[i] = heddle_spawn(&mapper_type, &m);
  }
  struct heddle_actor *actor = heddle_spawn(&job_type, &job);
  heddle_send(actor, run, HEDDLE_NOTHING);
  heddle_run();
  assert(((struct job *)heddle_state(actor))->total == words);
}
