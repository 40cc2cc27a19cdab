/* libmicrohttpd: a daemon with a thread of its own answers one request that main
 * sends through a socket, and is stopped while the connection is still open. */
#include <assert.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MODE
#define MODE MHD_USE_INTERNAL_POLLING_THREAD
#endif

static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
static char page[] = "hello";
static int answered, completed;

static enum MHD_Result answer(void *context, struct MHD_Connection *connection,
                              const char *url, const char *method,
                              const char *version, const char *data,
                              size_t *size, void **own) {
  struct MHD_Response *response;
  enum MHD_Result result;
  (void)context, (void)version, (void)data, (void)size, (void)own;
  assert(strcmp(url, "/") == 0 && strcmp(method, "GET") == 0);
  response = MHD_create_response_from_buffer(sizeof page - 1, page,
                                             MHD_RESPMEM_PERSISTENT);
  result = MHD_queue_response(connection, MHD_HTTP_OK, response);
  MHD_destroy_response(response);
  answered++;
  return result;
}

static void completed_request(void *context, struct MHD_Connection *connection,
                              void **own, enum MHD_RequestTerminationCode why) {
  (void)context, (void)connection, (void)own, (void)why;
  completed++;
}

static int client(int port) {
  struct sockaddr_in to = {.sin_family = AF_INET,
                           .sin_port = htons(port),
                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int s = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(s, (struct sockaddr *)&to, sizeof to) == 0);
  assert(write(s, request, sizeof request - 1) == sizeof request - 1);
  return s;
}

int main(void) {
  char reply[512];
  size_t size = 0;
  ssize_t n;
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MODE, 8080, NULL, NULL, answer, NULL, MHD_OPTION_NOTIFY_COMPLETED,
      completed_request, NULL, MHD_OPTION_END);
  assert(daemon);
  int s = client(8080);
  while (size < 5 || memcmp(reply + size - 5, page, 5) != 0) {
    n = read(s, reply + size, sizeof reply - size);
    assert(n > 0);
    size += n;
  }
  assert(memcmp(reply, "HTTP/1.1 200 ", 13) == 0);
  MHD_stop_daemon(daemon);
  assert(answered == 1 && completed == 1);
  close(s);
}
