/* A bit for every byte of a thread's stack. */
#include "stackbits.h"

#include <string.h>
#include <sys/mman.h>

unsigned char *stackbits_new(void) {
  void *at = mmap(NULL, STACKBITS_SIZE, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ensure(at != MAP_FAILED);
  return at;
}

void stackbits_clear(unsigned char *bits) {
  ensure(madvise(bits, STACKBITS_SIZE, MADV_DONTNEED) == 0);
}

struct stackrange stackbits_range(const struct thread *t, uint64_t addr,
                                  uint64_t size) {
  uint64_t low = STACK_AREA + t->id * STACK_SLOT + STACK_GUARD;
  uint64_t end = addr + size;
  if (addr < low)
    addr = low;
  if (end > (uintptr_t)t->stack_base)
    end = (uintptr_t)t->stack_base;
  if (end < addr)
    end = addr;
  return (struct stackrange){addr - low, end - low};
}

/* The bits of the range in byte number i. */
static unsigned mask(struct stackrange r, uint64_t i) {
  unsigned bits = 0xff;
  if (i == r.first / 8)
    bits &= 0xffu << r.first % 8;
  if (i == r.end / 8)
    bits &= (1u << r.end % 8) - 1;
  return bits & 0xff;
}

static bool is_small(struct stackrange r) {
  return r.end - r.first <= 64;
}

static bool any_in_bytes(const unsigned char *from, size_t size) {
  return size && (*from || memcmp(from, from + 1, size - 1) != 0);
}

bool stackbits_any(const unsigned char *bits, struct stackrange r) {
  if (!bits || r.first == r.end)
    return false;
  uint64_t first = r.first / 8, last = (r.end - 1) / 8;
  if (!is_small(r))
    return bits[first] & mask(r, first) || bits[last] & mask(r, last) ||
           any_in_bytes(&bits[first + 1], last - first - 1);
  for (uint64_t i = first; i <= last; i++)
    if (bits[i] & mask(r, i))
      return true;
  return false;
}

static void put(unsigned char *byte, unsigned bits, bool value) {
  *byte = (unsigned char)(value ? *byte | bits : *byte & ~bits);
}

void stackbits_put(unsigned char *bits, struct stackrange r, bool value) {
  if (r.first == r.end)
    return;
  uint64_t first = r.first / 8, last = (r.end - 1) / 8;
  put(&bits[first], mask(r, first), value);
  if (last > first)
    put(&bits[last], mask(r, last), value);
  if (last > first + 1)
    memset(&bits[first + 1], value ? 0xff : 0, last - first - 1);
}
