/* Accesses that nothing declares: compiled without hooks, but linked as if
 * `heddle cc` had compiled it, by this reference. */
extern void __tsan_init(void);
void (*const unseen_mark)(void) = __tsan_init;

int unseen_read(const int *from) {
  return *from;
}

void unseen_write(int *to, int value) {
  *to = value;
}
