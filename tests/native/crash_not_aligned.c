// Swaps of 16 bytes need an aligned address.  The processor does not tell which
// address was wrong: it was no null pointer.
// expect error crash
// expect message not aligned
static _Alignas(16) char bytes[32];

int main(void) {
  __int128 *place = (__int128 *)(bytes + 8);
  unsigned long low = 0, high = 0;
  __asm__ volatile("lock cmpxchg16b %0" // expect crash here
                   : "+m"(*place), "+a"(low), "+d"(high)
                   : "b"(1ul), "c"(0ul)
                   : "cc", "memory");
  return 0;
}
