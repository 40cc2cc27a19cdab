#define _GNU_SOURCE
#include "supervise/checked_program.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cc/driver/cc.h"
#include "cc/driver/cc_args.h"
#include "host/checksum.h"
#include "host/complain.h"
#include "host/folder.h"
#include "supervise/supervise.h"
#include "core/hook.h"
#include "core/wire.h"
#include "util/ensure.h"

/* ---- a folder of our own ------------------------------------------------- */

static struct folder folder;

void checked_program_folder_remove(void) {
  folder_remove(&folder);
}

const char *checked_program_folder(void) {
  static bool registered;
  if (folder.path)
    return folder.path;
  if (!folder_make(&folder))
    return 0;
  if (!registered)
    atexit(checked_program_folder_remove);
  registered = true;
  ensure_context = checked_program_folder_remove;
  return folder.path;
}

/* ---- which kind of file -------------------------------------------------- */

enum file_kind {
  FILE_BAD,     /* a message was printed */
  FILE_SOURCE,  /* for the compiler or the linker */
  FILE_PROGRAM, /* built with heddle cc */
};

static bool has_ending(const char *name, const char *const *endings) {
  const char *dot = strrchr(name, '.');
  for (; dot && *endings; endings++)
    if (!strcmp(dot, *endings))
      return true;
  return false;
}

/* Does the table define the hooks? */
static bool table_is_ours(Elf *elf, Elf_Scn *section, const GElf_Shdr *header) {
  Elf_Data *data = elf_getdata(section, 0);
  size_t count =
      data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
  for (size_t i = 0; i < count; i++) {
    GElf_Sym symbol;
    if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF)
      continue;
    const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
    if (name && !strcmp(name, HOOK_MARK))
      return true;
  }
  return false;
}

/* A stripped program has no table to look into: the name of our environment
 * variable must do. */
static bool bytes_are_ours(Elf *elf) {
  size_t size;
  const char *bytes = elf_rawfile(elf, &size);
  return bytes && memmem(bytes, size, WIRE_ENV, sizeof WIRE_ENV);
}

static bool elf_is_ours(Elf *elf) {
  Elf_Scn *section = 0;
  bool table = false;
  while ((section = elf_nextscn(elf, section))) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header))
      continue;
    if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM)
      continue;
    table = table || header.sh_type == SHT_SYMTAB;
    if (table_is_ours(elf, section, &header))
      return true;
  }
  return !table && bytes_are_ours(elf);
}

/* It starts a program in .libs with the libraries there. */
static bool is_libtool_script(int fd) {
  char start[512] = "";
  ssize_t size = pread(fd, start, sizeof start - 1, 0);
  return size > 2 && !strncmp(start, "#!", 2) && strstr(start, "libtool");
}

/* NULL: a program that we can run; otherwise what is wrong with it. */
static const char *program_fault(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return strerror(errno);
  elf_version(EV_CURRENT);
  Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, 0);
  GElf_Ehdr header;
  const char *fault = 0;
  if (!elf || !gelf_getehdr(elf, &header))
    fault = is_libtool_script(fd)
                ? "a script that libtool made; try ./libtool "
                  "--mode=execute heddle check ..."
                : "neither a C file (.c) nor a program built with heddle cc";
  else if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
    fault = "an object file, not a program; link it with heddle cc";
  else if (!elf_is_ours(elf))
    fault = "this program was not built with heddle cc; "
            "build it with CC=\"heddle cc\"";
  else if (access(path, X_OK))
    fault = "the program may not be executed; see chmod(1)";
  elf_end(elf);
  close(fd);
  return fault;
}

static enum file_kind kind_of(const char *path) {
  static const char *const sources[] = {".c", ".i", ".s",  ".S",
                                        ".o", ".a", ".so", 0};
  static const char *const foreign[] = {".cc", ".cpp", ".cxx", ".C", ".h", 0};
  static const char *const models[] = {".model", 0};
  struct stat status;
  const char *fault = 0;
  bool source = has_ending(path, sources);
  if (stat(path, &status))
    fault = strerror(errno);
  else if (S_ISDIR(status.st_mode))
    fault = "this is a folder; name the C files in it";
  else if (access(path, R_OK))
    fault = strerror(errno);
  else if (has_ending(path, models))
    fault = "models cannot be checked by this version of heddle";
  else if (has_ending(path, foreign))
    fault = "not a C file; heddle checks C programs";
  else if (!source)
    fault = program_fault(path);
  if (fault) {
    complain("%s: %s", path, fault);
    return FILE_BAD;
  }
  return source ? FILE_SOURCE : FILE_PROGRAM;
}

/* All files must be of one kind, and a program comes alone. */
static enum file_kind kind_of_all(const struct checked_program_words *words) {
  enum file_kind kind = FILE_BAD;
  for (size_t i = 0; i < words->file_count; i++) {
    enum file_kind one = kind_of(words->files[i]);
    if (one == FILE_BAD)
      return FILE_BAD;
    if (i && (one != kind || one == FILE_PROGRAM)) {
      complain("%s: a program built with heddle cc is checked alone, without "
               "other files",
               one == FILE_PROGRAM ? words->files[i] : words->files[0]);
      return FILE_BAD;
    }
    kind = one;
  }
  if (kind == FILE_PROGRAM && words->builds > words->file_count) {
    complain("%s: compiler options have no effect on a program that is built "
             "already",
             words->files[0]);
    return FILE_BAD;
  }
  return kind;
}

/* ---- building ------------------------------------------------------------ */

static int compile(const struct checked_program_words *words,
                   const char *output) {
  VEC(char *) all = {0};
  for (size_t i = 0; i < words->builds; i++)
    VEC_PUSH(all, words->build[i]);
  if (words->clear_dead)
    VEC_PUSH(all, CC_CLEAR_DEAD);
  return cc_build((int)all.size, all.at, output);
}

static _Noreturn void become_compiler(const struct checked_program_words *words,
                                      const char *output) {
  folder_forget(&folder); /* the parent's to remove */
  ensure_context = 0;
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
  exit(compile(words, output));
}

/* Until the process has ended; it is asked to if the command is. */
static int await(pid_t pid) {
  int status, fd = (int)syscall(SYS_pidfd_open, pid, 0);
  struct pollfd end = {fd, POLLIN, 0};
  while (fd >= 0 && poll(&end, 1, 100) <= 0)
    if (supervise_must_end())
      kill(pid, SIGTERM);
  if (fd >= 0)
    close(fd);
  while (waitpid(pid, &status, 0) < 0) {
    ensure(errno == EINTR);
    if (supervise_interrupted())
      kill(pid, SIGTERM);
  }
  return status;
}

/* The compiler driver runs in a process of its own: it has its own ways with
 * signals and memory, and we must survive to clean up. */
static int build(const struct checked_program_words *words,
                 const char *output) {
  fflush(0);
  pid_t pid = fork();
  if (pid < 0)
    return complain("cannot start the compiler: %s", strerror(errno));
  if (!pid)
    become_compiler(words, output);
  int status = await(pid);
  if (supervise_interrupted())
    return complain("interrupted while the program was being compiled");
  if (WIFSIGNALED(status))
    return complain("the compiler ended unexpectedly: %s",
                    strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) == EXIT_INTERNAL)
    return EXIT_INTERNAL;
  return WEXITSTATUS(status) ? EXIT_UNCHECKED : 0;
}

/* What the compiler has to say it said when the program was built first. */
static bool build_again(const struct checked_program_words *words,
                        const char *output) {
  fflush(0);
  pid_t pid = fork();
  if (!pid) {
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(null, 2);
    become_compiler(words, output);
  }
  if (pid < 0)
    return false;
  int status = await(pid);
  return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* ---- the program --------------------------------------------------------- */

/* The bytes of the file; 0 with a message printed if they cannot be read. */
static bool hash_file(const char *path, uint64_t *hash) {
  struct stat status;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  void *bytes = MAP_FAILED;
  if (fd >= 0 && !fstat(fd, &status) && status.st_size)
    bytes = mmap(0, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (fd >= 0)
    close(fd);
  if (bytes == MAP_FAILED) {
    complain("%s: cannot be read: %s", path, strerror(errno));
    return false;
  }
  *hash = checksum_large(CHECKSUM_START, bytes, (size_t)status.st_size);
  munmap(bytes, (size_t)status.st_size);
  return true;
}

/* "src/account.c" -> "account" */
static char *name_of(const char *file) {
  const char *slash = strrchr(file, '/');
  char *name = strdup(slash ? slash + 1 : file);
  ensure(name);
  char *dot = strrchr(name, '.');
  if (dot && dot != name)
    *dot = 0;
  return name;
}

static char **argv_of(char *name, char **arguments) {
  size_t count = 0;
  while (arguments[count])
    count++;
  char **argv = calloc(count + 2, sizeof *argv);
  ensure(argv);
  argv[0] = name;
  memcpy(argv + 1, arguments, count * sizeof *argv);
  return argv;
}

static int build_into_folder(struct checked_program *program,
                             const struct checked_program_words *words) {
  const char *where = checked_program_folder();
  if (!where)
    return EXIT_UNCHECKED;
  ensure(asprintf(&program->binary, "%s/%s", where, program->name) >= 0);
  program->built = true;
  return build(words, program->binary);
}

int checked_program_open(struct checked_program *program,
                         const struct checked_program_words *words) {
  memset(program, 0, sizeof *program);
  enum file_kind kind = kind_of_all(words);
  if (kind == FILE_BAD)
    return EXIT_UNCHECKED;
  program->name = name_of(words->files[0]);
  program->argv = argv_of(program->name, words->arguments);
  int code = 0;
  if (kind == FILE_SOURCE)
    code = build_into_folder(program, words);
  else
    program->binary = realpath(words->files[0], 0);
  if (!code &&
      (!program->binary || !hash_file(program->binary, &program->hash)))
    code = EXIT_UNCHECKED;
  if (code)
    checked_program_close(program);
  return code;
}

void checked_program_close(struct checked_program *program) {
  checked_program_folder_remove();
  free(program->binary);
  free(program->name);
  free(program->argv);
  memset(program, 0, sizeof *program);
}

bool checked_program_for_states(struct checked_program *to,
                                const struct checked_program *from,
                                const struct checked_program_words *words) {
  struct checked_program_words as = *words;
  as.clear_dead = true;
  *to = (struct checked_program){.built = from->built, .hash = from->hash};
  if (from->built)
    ensure(asprintf(&to->binary, "%s.states", from->binary) >= 0);
  else
    ensure((to->binary = strdup(from->binary)));
  return !from->built ||
         (build_again(&as, to->binary) && hash_file(to->binary, &to->hash));
}

void checked_program_become(struct checked_program *program,
                            struct checked_program *other) {
  free(program->binary);
  program->binary = other->binary;
  program->hash = other->hash;
  other->binary = 0;
}
