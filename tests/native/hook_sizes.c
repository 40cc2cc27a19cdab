// Accesses of every size: long double, odd bit-fields, wide vectors, complex,
// pointers to arrays.  Each is one step: the reader sees all of a write or none.
// expect output "0 0 0 0 0\n"
// expect output "1 0 0 0 0\n"
// expect output "1 1 0 0 0\n"
// expect output "1 1 1 0 0\n"
// expect output "1 1 1 1 0\n"
// expect output "1 1 1 1 1\n"
// expect optimal: executions 6, blocked 0
// algorithms naive optimal observers dc
// options --races=off
// real no: five plain variables are written without synchronisation
#include <pthread.h>
#include <stdio.h>

typedef float wide __attribute__((vector_size(32)));
struct __attribute__((packed)) odd {
  unsigned char t : 4;
  unsigned long b : 36;
};

static long double real;
static struct odd odd;
static wide vector;
static int array[2];
static int (*pointer)[2];
static unsigned __int128 large;

static void *set(void *unused) {
  real = 1;
  *(volatile struct odd *)&odd = (struct odd){1, 1};
  vector = (wide){1, 1, 1, 1, 1, 1, 1, 1};
  pointer = &array;
  large = (unsigned __int128)1 << 64 | 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  int e = (int)(large >> 64);
  int d = pointer != 0;
  wide v = vector;
  int c = (int)v[7];
  struct odd o = odd;
  int b = o.b == 1;
  int a = real == 1;
  pthread_join(t, 0);
  printf("%d %d %d %d %d\n", a, b, c, d, e);
}
