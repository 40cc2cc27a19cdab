/* nanomsg: two sockets of a pair within the process.  A thread sends MESSAGES
 * messages, main receives them in order; then both are closed. */
#include <assert.h>
#include <nn.h>
#include <pair.h>
#include <pthread.h>

#ifndef MESSAGES
#define MESSAGES 1
#endif

static int left, right;

static void *sender(void *argument) {
  for (int i = 0; i < MESSAGES; i++)
    assert(nn_send(right, &i, sizeof i, 0) == sizeof i);
  return argument;
}

int main(void) {
  pthread_t thread;
  int got;
  left = nn_socket(AF_SP, NN_PAIR);
  right = nn_socket(AF_SP, NN_PAIR);
  assert(left >= 0 && right >= 0);
  assert(nn_bind(left, "inproc://pair") >= 0);
  assert(nn_connect(right, "inproc://pair") >= 0);
  pthread_create(&thread, NULL, sender, NULL);
  for (int i = 0; i < MESSAGES; i++) {
    assert(nn_recv(left, &got, sizeof got, 0) == sizeof got);
    assert(got == i);
  }
  pthread_join(thread, NULL);
  assert(nn_close(right) == 0 && nn_close(left) == 0);
}
