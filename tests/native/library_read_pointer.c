// mbsrtowcs() reads where its text begins when it is called, not earlier.
// expect output "1"
// expect output "2"
// options --races=off
#include <pthread.h>
#include <stdio.h>
#include <wchar.h>

static const char *text = "a";

static void *change(void *unused) {
  text = "bc";
  return unused;
}

static void *convert(void *unused) {
  mbstate_t state = {0};
  printf("%zu", mbsrtowcs(NULL, &text, 0, &state));
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, change, NULL);
  pthread_create(&t[1], NULL, convert, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  return 0;
}
