// What is inside of its object is no error: the last element, a member of an
// element, a flexible array that its definition made longer, an array of
// variable length, a member found from its neighbour.
// expect optimal: executions 1, blocked 0
#include <assert.h>
#include <stddef.h>

struct point {
  int x, y[3];
};

struct text {
  int length;
  char bytes[];
};

static struct point points[4];
static struct text text = {3, "abc"};
static int matrix[3][4];

static int all(int n) {
  int local[n], sum = 0;
  for (int i = 0; i < n; i++)
    local[i] = points[i].y[2] = i;
  for (int i = 0; i < n; i++)
    sum += local[i] + points[i].y[2];
  for (int i = 0; i < 12; i++)
    sum += matrix[0][i % 4] + *(&matrix[0][0] + i);
  for (int i = 0; i < text.length; i++)
    sum += text.bytes[i] == 'a' + i;
  return sum;
}

int main(void) {
  struct point one = {7, {1, 2, 3}};
  int *y = &one.y[1];
  assert(*(int *)((char *)y - offsetof(struct point, y[1])) == 7);
  assert(all(4) == 15);
}
