/* What a program asks of terminals, of which there are none: settings that it
 * makes for one are its own data. */
#define _GNU_SOURCE
#include <errno.h>
#include <termios.h>
#include <unistd.h>

#include "libc.h"
#include "system/native/hooks/hooks.h"

static int fail_with(int number) {
  error_set(number);
  return -1;
}

static bool is_speed(speed_t speed) {
  return speed <= B38400 || (speed >= B57600 && speed <= B4000000);
}

INTERPOSED speed_t cfgetospeed(const struct termios *t) {
  return LOOK(t->c_cflag) & (CBAUD | CBAUDEX);
}

INTERPOSED speed_t cfgetispeed(const struct termios *t) {
  return LOOK(t->c_iflag) & (tcflag_t)020000000000
             ? 0
             : LOOK(t->c_cflag) & (CBAUD | CBAUDEX);
}

static int set_speed(struct termios *t, speed_t speed, uint64_t pc) {
  if (!is_speed(speed))
    return fail_with(EINVAL);
  tcflag_t others = LOOK_AT(t->c_cflag, pc) & ~(tcflag_t)(CBAUD | CBAUDEX);
  PUT_AT(t->c_cflag, others | speed, pc);
  PUT_AT(t->c_ospeed, speed, pc);
  return 0;
}

INTERPOSED int cfsetospeed(struct termios *t, speed_t speed) {
  return set_speed(t, speed, CALLER);
}

/* As in glibc: 0 means the speed of the output. */
static int set_input_speed(struct termios *t, speed_t speed, uint64_t pc) {
  const tcflag_t none = 020000000000;
  if (!is_speed(speed))
    return fail_with(EINVAL);
  tcflag_t flags = LOOK_AT(t->c_iflag, pc);
  PUT_AT(t->c_iflag, speed ? flags & ~none : flags | none, pc);
  PUT_AT(t->c_ispeed, speed, pc);
  return speed ? set_speed(t, speed, pc) : 0;
}

INTERPOSED int cfsetispeed(struct termios *t, speed_t speed) {
  return set_input_speed(t, speed, CALLER);
}

INTERPOSED int cfsetspeed(struct termios *t, speed_t speed) {
  int code = set_speed(t, speed, CALLER);
  return code ? code : set_input_speed(t, speed, CALLER);
}

INTERPOSED void cfmakeraw(struct termios *t) {
  struct termios raw = LOOK(*t);
  raw.c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR |
                             ICRNL | IXON);
  raw.c_oflag &= ~(tcflag_t)OPOST;
  raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
  raw.c_cflag &= ~(tcflag_t)(CSIZE | PARENB);
  raw.c_cflag |= CS8;
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  PUT(*t, raw);
}

#define NO_TERMINAL(type, name, result, ...) \
  type name(__VA_ARGS__);                    \
  INTERPOSED type name(__VA_ARGS__) {        \
    error_set(ENOTTY);                       \
    return result;                           \
  }
#define UNUSED __attribute__((unused))
NO_TERMINAL(char *, ttyname, NULL, int descriptor UNUSED)
NO_TERMINAL(char *, ptsname, NULL, int descriptor UNUSED)
NO_TERMINAL(int, tcflow, -1, int descriptor UNUSED, int what UNUSED)
