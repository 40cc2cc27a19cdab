/* A part of the state: what one thread knows, and some bytes. */
#include "engine.h"
#include "fingerprint.h"
#include "util/rng.h"

/* Where it stands, and its used stack. */
static void digest_local(struct digest *d, const struct thread *t) {
  uint64_t words[] = {t->state, (uintptr_t)t->sp,
                      t->pending ? t->pending->pc : 0,
                      t->pending ? t->pending->op : 0};
  digest_bytes_as(d, (uintptr_t)t, words, sizeof words);
  if (t->state == THREAD_RUNNING)
    digest_bytes(d, t->sp, (size_t)(t->stack_base - (char *)t->sp));
}

/* A thread that failed may have tried to touch what does not exist. */
struct changes native_portion(struct system *system, unsigned p,
                              const struct access *access, uint32_t accesses) {
  struct digest d = {0};
  const struct thread *t = thread_get(p);
  (void)system;
  digest_local(&d, t);
  for (uint32_t i = 0; i < accesses && t->state != THREAD_FAILED; i++)
    digest_bytes(&d, (const void *)(uintptr_t)access[i].addr, access[i].size);
  return (struct changes){{d.sum, rng_mix(d.sum)}};
}
