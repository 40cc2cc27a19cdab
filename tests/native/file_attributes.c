// Owners, times, locks and room of files; what ioctl knows.
// real no: the owner of the process is another
// expect all: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utime.h>

int main(void) {
  char path[] = "/tmp/heddle-test-XXXXXX", byte;
  int file = mkstemp(path), other = open(path, O_RDONLY), ends[2], number, on = 1;
  struct stat s;
  struct statvfs v;
  assert(!fchown(file, 1000, -1) && chown(path, 0, 0) == -1 && errno == EPERM);
  assert(chown("/none", -1, -1) == -1 && errno == ENOENT);
  assert(!utime(path, 0) && !futimens(file, 0) && utimes("/none", 0) == -1);
  assert(!flock(file, LOCK_EX) && flock(other, LOCK_SH | LOCK_NB) == -1);
  assert(errno == EWOULDBLOCK && !flock(file, LOCK_SH) && !flock(other, LOCK_SH));
  assert(flock(other, LOCK_EX | LOCK_NB) == -1 && !close(file));
  assert(!flock(other, LOCK_EX | LOCK_NB));
  assert(posix_fallocate(other, 0, 10) == EBADF);
  file = open(path, O_RDWR);
  assert(!posix_fallocate(file, 5, 10) && !fstat(file, &s) && s.st_size == 15);
  assert(!ioctl(file, FIONREAD, &number) && number == 15);
  assert(ioctl(file, TIOCGWINSZ, &number) == -1 && errno == ENOTTY);
  assert(!statvfs(path, &v) && v.f_bsize == 4096 && pathconf(path, _PC_NAME_MAX) == 255);
  assert(!pipe(ends) && write(ends[1], "abc", 3) == 3);
  assert(!ioctl(ends[0], FIONREAD, &number) && number == 3);
  assert(!ioctl(ends[0], FIONBIO, &on) && fcntl(ends[0], F_GETFL) & O_NONBLOCK);
  assert(read(ends[0], &number, 3) == 3 && read(ends[0], &byte, 1) == -1);
  assert(errno == EAGAIN && !unlink(path));
}
