/* Two orders of a sum are equal. */
typedef unsigned long int pthread_t;
typedef int pthread_attr_t_dummy;
union pthread_attr_t { char __size[56]; long int __align; };
typedef union pthread_attr_t pthread_attr_t;
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
void reach_error() { __assert_fail("0", "weaver_sums.wvr.c", 21, __extension__ __PRETTY_FUNCTION__); }
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
typedef unsigned int size_t_;
extern void *malloc(unsigned long);
extern void abort(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int *f;
int sum1, sum2, N;
int *create_fresh_int_array(int size) {
  assume_abort_if_not(size >= 0);
  int *arr = (int *)malloc(sizeof(int) * (unsigned long)size);
  for (int i = 0; i < size; i++) arr[i] = __VERIFIER_nondet_int();
  return arr;
}
void *thread1(void *_argptr) {
  for (int i = 0; i < N; i++) {
    __VERIFIER_atomic_begin();
    sum1 = (int)((unsigned)sum1 + (unsigned)f[i]);
    __VERIFIER_atomic_end();
  }
  return 0;
}
void *thread2(void *_argptr) {
  for (int i = N - 1; i >= 0; i--) {
    __VERIFIER_atomic_begin();
    sum2 = (int)((unsigned)sum2 + (unsigned)f[i]);
    __VERIFIER_atomic_end();
  }
  return 0;
}
int main() {
  pthread_t t1, t2;
  N = __VERIFIER_nondet_int();
  assume_abort_if_not(N >= 0 && N <= 2);
  f = create_fresh_int_array(N);
  pthread_create(&t1, 0, thread1, 0);
  pthread_create(&t2, 0, thread2, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  assume_abort_if_not(sum1 != sum2);
  reach_error();
  return 0;
}
