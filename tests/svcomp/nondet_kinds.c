extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
void reach_error() { __assert_fail("0", "nondet_kinds.c", 3, "reach_error"); }
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern void *__VERIFIER_nondet_pointer(void);
_Bool go;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *set(void *a) {
  _Bool b = __VERIFIER_nondet_bool();
  pthread_mutex_lock(&m);
  go = b;
  pthread_mutex_unlock(&m);
  return 0;
}
int main() {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  unsigned int u = __VERIFIER_nondet_uint();
  void *p = __VERIFIER_nondet_pointer();
  pthread_mutex_lock(&m);
  _Bool now = go;
  pthread_mutex_unlock(&m);
  if (now && u == 1 && p == 0) { reach_error(); }
  pthread_join(t, 0);
  return 0;
}
