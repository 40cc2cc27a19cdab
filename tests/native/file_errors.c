// Errors of calls on files are those of the real calls.
// expect all: executions 1
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FAILS(call, number) \
  do {                      \
    errno = 0;              \
    assert((call) == -1);   \
    assert(errno == number); \
  } while (0)

int main(void) {
  char folder[] = "/tmp/heddle-test-XXXXXX", here[PATH_MAX], byte;
  struct stat s;
  assert(mkdtemp(folder) == folder && strlen(folder) == 23);
  assert(!stat(folder, &s) && S_ISDIR(s.st_mode));
  assert(!chdir(folder) && getcwd(here, sizeof here));
  assert(!strcmp(here, folder));

  FAILS(open("a", O_RDONLY), ENOENT);
  FAILS(open("a/b", O_RDWR | O_CREAT, 0600), ENOENT);
  FAILS(open("", O_RDONLY), ENOENT);
  FAILS(open(".", O_WRONLY), EISDIR);
  FAILS(access("a", F_OK), ENOENT);
  FAILS(unlink("a"), ENOENT);
  FAILS(rename("a", "b"), ENOENT);
  FAILS(stat("a", &s), ENOENT);
  FAILS(mkdir(folder, 0700), EEXIST);
  FAILS(rmdir("a"), ENOENT);

  int file = open("a", O_RDWR | O_CREAT | O_EXCL, 0640);
  assert(file >= 3);
  FAILS(open("a", O_RDWR | O_CREAT | O_EXCL, 0600), EEXIST);
  FAILS(open("a/b", O_RDONLY), ENOTDIR);
  FAILS(open("a/", O_RDONLY), ENOTDIR);
  FAILS(open("a", O_RDONLY | O_DIRECTORY), ENOTDIR);
  FAILS(mkdir("a", 0700), EEXIST);
  FAILS(rmdir("a"), ENOTDIR);
  FAILS(rmdir(".."), ENOTEMPTY);
  FAILS(unlink(folder), EISDIR);

  assert(write(file, "hello", 5) == 5);
  assert(read(file, here, 5) == 0);
  assert(lseek(file, -2, SEEK_END) == 3);
  assert(read(file, here, 5) == 2 && !memcmp(here, "lo", 2));
  FAILS(lseek(file, -1, SEEK_SET), EINVAL);
  FAILS(lseek(file, 0, 77), EINVAL);
  FAILS(pread(file, &byte, 1, -1), EINVAL);
  assert(pwrite(file, "J", 1, 0) == 1 && pread(file, &byte, 1, 0) == 1);
  assert(byte == 'J' && lseek(file, 0, SEEK_CUR) == 5);
  assert(pwrite(file, "!", 1, 7) == 1 && !fstat(file, &s) && s.st_size == 8);
  assert(pread(file, here, 9, 0) == 8 && !memcmp(here, "Jello\0\0!", 8));
  assert(!ftruncate(file, 2) && !ftruncate(file, 4));
  assert(pread(file, here, 9, 0) == 4 && !memcmp(here, "Je\0\0", 4));
  assert(S_ISREG(s.st_mode) && (s.st_mode & 0777) == 0640 && s.st_nlink == 1);
  FAILS(ftruncate(file, -1), EINVAL);
  assert(!isatty(file) && errno == ENOTTY);

  int other = open("a", O_WRONLY | O_APPEND);
  assert(other == file + 1);
  FAILS(read(other, &byte, 1), EBADF);
  assert(write(other, "x", 1) == 1 && lseek(other, 0, SEEK_CUR) == 5);
  assert((fcntl(other, F_GETFL) & (O_ACCMODE | O_APPEND)) ==
         (O_WRONLY | O_APPEND));
  assert(!close(other));
  FAILS(close(other), EBADF);
  FAILS(read(other, &byte, 1), EBADF);
  FAILS(write(other, &byte, 1), EBADF);
  FAILS(lseek(other, 0, SEEK_SET), EBADF);
  FAILS(dup(other), EBADF);
  FAILS(fstat(other, &s), EBADF);
  FAILS(fsync(-1), EBADF);
  FAILS(ftruncate(other, 0), EBADF);
  FAILS(fcntl(other, F_GETFD), EBADF);

  int twin = dup(file);
  assert(twin == other && lseek(twin, 1, SEEK_SET) == 1);
  assert(lseek(file, 0, SEEK_CUR) == 1);
  assert(dup2(file, 9) == 9 && dup2(9, 9) == 9 && !close(9) && !close(twin));
  FAILS(dup2(9, 9), EBADF);
  FAILS(dup2(file, -1), EBADF);

  assert(!mkdir("d", 0700) && !link("a", "d/a") && !stat("d/a", &s));
  assert(s.st_nlink == 2);
  FAILS(rmdir("d"), ENOTEMPTY);
  FAILS(rename("a", "d"), EISDIR);
  FAILS(rename("d", "a"), ENOTDIR);
  FAILS(link("a", "d/a"), EEXIST);
  assert(!rename("d/a", "b") && !unlink("a") && !fstat(file, &s));
  assert(s.st_nlink == 1 && !rmdir("d"));
  FAILS(open("d/x", O_CREAT | O_WRONLY, 0600), ENOENT);

  assert(!symlink("b", "l") && !lstat("l", &s) && S_ISLNK(s.st_mode));
  assert(!stat("l", &s) && S_ISREG(s.st_mode));
  assert(readlink("l", here, sizeof here) == 1 && here[0] == 'b');
  FAILS(readlink("b", here, sizeof here), EINVAL);
  FAILS(open("l", O_RDONLY | O_NOFOLLOW), ELOOP);
  FAILS(symlink("b", "l"), EEXIST);
  assert(!symlink("m", "n") && !symlink("n", "m"));
  FAILS(open("m", O_RDONLY), ELOOP);
  assert(!unlink("m") && !unlink("n") && !unlink("l") && !unlink("b"));
  assert(!fstat(file, &s) && s.st_nlink == 0 && s.st_size == 5);
  assert(pread(file, here, 9, 0) == 5 && here[4] == 'x' && !close(file));

  char long_name[300];
  memset(long_name, 'x', sizeof long_name - 1);
  long_name[sizeof long_name - 1] = 0;
  FAILS(open(long_name, O_RDONLY), ENAMETOOLONG);
  assert(!chdir("/") && !rmdir(folder));
  FAILS(chdir(folder), ENOENT);

  file = open("/dev/null", O_RDWR);
  assert(read(file, &byte, 1) == 0 && write(file, "abc", 3) == 3);
  assert(!close(file));
  file = open("/dev/zero", O_RDONLY);
  assert(read(file, &byte, 1) == 1 && byte == 0 && !close(file));
}
