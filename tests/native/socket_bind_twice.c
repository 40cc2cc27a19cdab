// A socket has one address: of two threads that bind it, the first to come
// does, whatever addresses they give.
// expect output "-1 0"
// expect output "0 -1"
// options --races=off
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>

static int descriptor;

static void *give(void *port) {
  struct sockaddr_in at = {.sin_family = AF_INET,
                           .sin_port = htons((uint16_t)(long)port)};
  return (void *)(long)bind(descriptor, (struct sockaddr *)&at, sizeof at);
}

int main(void) {
  pthread_t t[2];
  void *result[2];
  descriptor = socket(AF_INET, SOCK_STREAM, 0);
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, give, (void *)(4000 + i));
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], &result[i]);
  printf("%ld %ld", (long)result[0], (long)result[1]);
  return 0;
}
