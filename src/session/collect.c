#include "session/collect.h"

#include <string.h>

#include "util/hash.h"

/* The order of a race's two places does not make another race. */
static uint64_t finding_hash(const struct finding *f, bool warning) {
  uint64_t low = f->pc, high = f->other_pc;
  if (f->kind == FINDING_RACE && low > high)
    low = f->other_pc, high = f->pc;
  uint64_t key[] = {f->kind, low, high, f->line, warning};
  uint64_t hash = hash_bytes(hash_start(), key, sizeof key);
  if (f->file)
    hash = hash_bytes(hash, f->file, strlen(f->file));
  if (f->kind != FINDING_RACE && f->message)
    hash = hash_bytes(hash, f->message, strlen(f->message));
  return hash;
}

bool collect_finding(struct collection *c, const struct finding *f,
                     bool warning) {
  uint64_t hash = finding_hash(f, warning);
  for (size_t i = 0; i < c->findings.size; i++)
    if (c->findings.at[i] == hash)
      return false;
  VEC_PUSH(c->findings, hash);
  return true;
}

/* ---- outcomes -------------------------------------------------------------
 */

static struct outcome *find_outcome(const struct collection *c, uint32_t hash,
                                    const char *text, size_t length,
                                    unsigned status) {
  for (TABLE_EACH(n, &c->by_text, hash)) {
    struct outcome *o = &c->outcomes.at[n];
    if (o->length == length && o->status == status &&
        (!length || !memcmp(&c->texts.at[o->text], text, length)))
      return o;
  }
  return NULL;
}

bool collect_outcome(struct collection *c, const char *text, size_t length,
                     unsigned status) {
  return collect_outcomes(c, text, length, status, 1);
}

bool collect_outcomes(struct collection *c, const char *text, size_t length,
                      unsigned status, uint64_t count) {
  uint32_t hash = (uint32_t)hash_bytes(hash_start(), text, length);
  struct outcome *known = find_outcome(c, hash, text, length, status);
  if (known) {
    known->count += count;
    return false;
  }
  table_add(&c->by_text, hash, c->outcomes.size);
  VEC_PUSH(c->outcomes, (struct outcome){count, status, c->texts.size, length});
  VEC_RESERVE(c->texts, length);
  for (size_t i = 0; i < length; i++)
    c->texts.at[c->texts.size++] = text[i];
  return true;
}

void collection_forget_outcomes(struct collection *c) {
  c->outcomes.size = c->texts.size = 0;
  table_clear(&c->by_text);
}

void collection_free(struct collection *c) {
  table_free(&c->by_text);
  VEC_FREE(c->findings);
  VEC_FREE(c->outcomes);
  VEC_FREE(c->texts);
  memset(c, 0, sizeof *c);
}
