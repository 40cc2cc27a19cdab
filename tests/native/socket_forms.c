// What calls on sockets tell is what the real ones tell.
// algorithms optimal source observers
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/uio.h>
#include <unistd.h>
static struct sockaddr_un at = {AF_UNIX, "heddle-test.sock"};

static void *serve(void *p) {
  int l = *(int *)p, s = accept(l, 0, 0);
  char a[2], b[2];
  struct iovec v[2] = {{a, 1}, {b, 2}};
  struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};
  ssize_t n = recvmsg(s, &m, 0);
  assert(n >= 1);
  assert(writev(s, v, 1) == 1);
  close(s);
  return 0;
}
int main(void) {
  pthread_t t;
  char c = 0;
  struct stat st;
  struct sockaddr_un who;
  socklen_t size = sizeof who;
  int l = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
      s = socket(AF_UNIX, SOCK_STREAM, 0);
  unlink(at.sun_path);
  assert(connect(s, (void *)&at, sizeof at) == -1 && errno == ENOENT);
  assert(!bind(l, (void *)&at, sizeof at));
  assert(!stat(at.sun_path, &st) && S_ISSOCK(st.st_mode));
  assert(connect(s, (void *)&at, sizeof at) == -1 && errno == ECONNREFUSED);
  assert(accept(l, 0, 0) == -1 && errno == EINVAL);
  assert(!listen(l, 1));
  assert(recv(s, &c, 1, 0) == -1 && errno == EINVAL);
  assert(getpeername(s, (void *)&who, &size) == -1 && errno == ENOTCONN);
  assert(bind(s, (void *)&at, sizeof at) == -1 && errno == EADDRINUSE);
  pthread_create(&t, 0, serve, &l);
  assert(!connect(s, (void *)&at, sizeof at));
  assert(connect(s, (void *)&at, sizeof at) == -1 && errno == EISCONN);
  assert(!getpeername(s, (void *)&who, &size) &&
         !strcmp(who.sun_path, at.sun_path));
  assert(send(s, "xyz", 3, 0) == 3 && recv(s, &c, 1, 0) == 1 && c == 'x');
  assert(recv(s, &c, 1, 0) == 0);
  pthread_join(t, 0);
  close(l);
  int u = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(connect(u, (void *)&at, sizeof at) == -1 && errno == ECONNREFUSED);
  unlink(at.sun_path);
  int fl = fcntl(u, F_GETFL);
  assert((fl & O_ACCMODE) == O_RDWR);
  int v4 = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), e = 5;
  socklen_t n = sizeof e;
  assert(!getsockopt(v4, SOL_SOCKET, SO_TYPE, &e, &n) && e == SOCK_STREAM);
}
