#include "util/packed.h"

#include <string.h>

static size_t left(const struct packed *p) {
  return (size_t)(p->end - p->at);
}

void packed_bytes(struct packed *p, void *place, size_t size) {
  if (p->to) {
    text_add(p->to, place, size);
  } else if (p->bad || left(p) < size) {
    p->bad = true;
    memset(place, 0, size);
  } else {
    memcpy(place, p->at, size);
    p->at += size;
  }
}

size_t packed_count(struct packed *p, size_t count, size_t element) {
  uint64_t number = count;
  PACKED(p, number);
  if (!p->to && element && number > left(p) / element) {
    p->bad = true;
    return 0;
  }
  return (size_t)number;
}

void packed_part(struct packed *p, const char **at, size_t *size) {
  size_t count = packed_count(p, *size, 1);
  if (p->to) {
    text_add(p->to, *at, *size);
    return;
  }
  *at = p->at;
  *size = count;
  p->at += count;
}

size_t packed_open(struct packed *p) {
  uint64_t size = 0;
  PACKED(p, size);
  return p->to->size;
}

void packed_close(struct packed *p, size_t opened) {
  uint64_t size = p->to->size - opened;
  memcpy(p->to->at + opened - sizeof size, &size, sizeof size);
}
