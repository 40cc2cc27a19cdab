#include "supervise/search_state.h"

#include <string.h>

#include "util/packed.h"

static void take_entry(struct packed *p, struct search_state *to) {
  struct search_entry e = {0};
  const char *at = 0;
  size_t size = 0;
  PACKED(p, e.kind);
  PACKED(p, e.executions);
  packed_part(p, &at, &size);
  if (p->bad)
    return;
  text_add(&e.bytes, at, size);
  VEC_PUSH(to->entries, e);
}

bool search_state_read(struct search_state *to, const char *bytes,
                       size_t length) {
  struct packed p = packed_reader(bytes, length);
  const char *at = 0;
  size_t size = 0;
  memset(to, 0, sizeof *to);
  packed_part(&p, &at, &size);
  if (!p.bad)
    text_add(&to->learnt, at, size);
  while (!p.bad && p.at < p.end)
    take_entry(&p, to);
  return !p.bad;
}

void search_state_write(const struct search_state *s, size_t first, size_t end,
                        enum wire_entry kind, struct text *to) {
  struct packed p = packed_writer(to);
  const char *at = s->learnt.at;
  size_t size = s->learnt.size;
  packed_part(&p, &at, &size);
  for (size_t i = first; i < end; i++) {
    struct search_entry e = s->entries.at[i];
    bool is_result = e.kind != ENTRY_ITEM && e.kind != ENTRY_START;
    if (kind != ENTRY_KINDS && is_result != (kind == ENTRY_RESULT))
      continue;
    at = e.bytes.at, size = e.bytes.size;
    PACKED(&p, e.kind);
    PACKED(&p, e.executions);
    packed_part(&p, &at, &size);
  }
}

void search_state_free(struct search_state *s) {
  for (size_t i = 0; i < s->entries.size; i++)
    VEC_FREE(s->entries.at[i].bytes);
  VEC_FREE(s->entries);
  VEC_FREE(s->learnt);
}
