#include "run/collect.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"

/* FNV-1a, 64 bits. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length) {
  const unsigned char *p = bytes;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ p[i]) * 0x100000001b3u;
  return hash;
}

static uint64_t hash_start(void) {
  return 0xcbf29ce484222325u;
}

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

static uint32_t *bucket_find(const struct collection *c, uint64_t hash,
                             const char *text, size_t length) {
  size_t b = hash & (c->bucket_count - 1);
  for (; c->buckets[b]; b = (b + 1) & (c->bucket_count - 1)) {
    const struct outcome *o = &c->outcomes.at[c->buckets[b] - 1];
    if (o->hash == hash && o->length == length &&
        (!length || !memcmp(&c->texts.at[o->text], text, length)))
      break;
  }
  return &c->buckets[b];
}

static void resize(struct collection *c, size_t count) {
  free(c->buckets);
  c->buckets = calloc(count, sizeof *c->buckets);
  ensure(c->buckets);
  c->bucket_count = count;
  for (uint32_t i = 0; i < c->outcomes.size; i++) {
    size_t b = c->outcomes.at[i].hash & (count - 1);
    while (c->buckets[b])
      b = (b + 1) & (count - 1);
    c->buckets[b] = i + 1;
  }
}

void collect_outcome(struct collection *c, const char *text, size_t length) {
  if (2 * c->outcomes.size >= c->bucket_count)
    resize(c, c->bucket_count ? 2 * c->bucket_count : 2);
  uint64_t hash = hash_bytes(hash_start(), text, length);
  uint32_t *bucket = bucket_find(c, hash, text, length);
  if (*bucket) {
    c->outcomes.at[*bucket - 1].count++;
    return;
  }
  VEC_PUSH(c->outcomes, (struct outcome){hash, 1, c->texts.size, length});
  *bucket = (uint32_t)c->outcomes.size;
  VEC_RESERVE(c->texts, length);
  for (size_t i = 0; i < length; i++)
    c->texts.at[c->texts.size++] = text[i];
}

void collection_forget_outcomes(struct collection *c) {
  c->outcomes.size = c->texts.size = 0;
  for (size_t b = 0; b < c->bucket_count; b++)
    c->buckets[b] = 0;
}

void collection_free(struct collection *c) {
  free(c->buckets);
  VEC_FREE(c->findings);
  VEC_FREE(c->outcomes);
  VEC_FREE(c->texts);
  memset(c, 0, sizeof *c);
}
