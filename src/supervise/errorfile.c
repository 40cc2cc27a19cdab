#define _GNU_SOURCE
#include "supervise/errorfile.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/atomic.h"
#include "host/checksum.h"
#include "host/complain.h"
#include "supervise/settings.h"
#include "util/ensure.h"
#include "util/hash.h"

#define FIRST_LINE "heddle error file "
#define FORMAT_VERSION 2

#define LONGEST_FILE ((size_t)1 << 30)
#define LONGEST_SCHEDULE ((uint64_t)1 << 27)

/* ---- writing ------------------------------------------------------------- */

static void print_string(struct text *to, const char *key, const char *string) {
  text_print(to, "%s ", key);
  for (const unsigned char *at = (const unsigned char *)string; *at; at++)
    if (*at < ' ' || *at == 0x7f || *at == '\\')
      text_print(to, "\\x%02x", *at);
    else
      text_add(to, (const char *)at, 1);
  text_add(to, "\n", 1);
}

static void print_option(void *to, const char *name, const char *value) {
  text_print(to, "option %s=%s\n", name, value);
}

static void print_run(struct text *to, struct move move, size_t times) {
  text_print(to, " %u", move.proc);
  if (move.choice)
    text_print(to, ":%u", move.choice);
  if (times > 1)
    text_print(to, "*%zu", times);
}

static void print_moves(struct text *to, const struct errorfile *file) {
  enum { RUNS_IN_A_LINE = 12 };
  text_print(to, "schedule %zu\n", file->moves.size);
  size_t runs = 0;
  for (size_t i = 0; i < file->moves.size; runs++) {
    struct move move = file->moves.at[i];
    size_t end = i;
    while (end < file->moves.size && file->moves.at[end].proc == move.proc &&
           file->moves.at[end].choice == move.choice)
      end++;
    if (runs % RUNS_IN_A_LINE == 0)
      text_print(to, runs ? "\nmoves" : "moves");
    print_run(to, move, end - i);
    i = end;
  }
  if (runs)
    text_print(to, "\n");
}

static void print_events(struct text *to, const struct errorfile *file) {
  enum { RUNS_IN_A_LINE = 20 };
  for (size_t i = 0; i < file->known.size; i++) {
    char key[32];
    snprintf(key, sizeof key, "event %08" PRIx32, file->known.at[i].key);
    print_string(to, key, file->known.at[i].words);
  }
  size_t runs = 0;
  for (size_t i = 0, end; i < file->events.size; i = end, runs++) {
    for (end = i; end < file->events.size; end++)
      if (file->events.at[end] != file->events.at[i])
        break;
    if (runs % RUNS_IN_A_LINE == 0)
      text_print(to, runs ? "\nevents" : "events");
    print_run(to, (struct move){file->events.at[i], 0}, end - i);
  }
  if (runs)
    text_print(to, "\n");
}

static void print_program(struct text *to, const struct errorfile *file) {
  print_string(to, "directory", file->directory);
  for (size_t i = 0; i < file->build.size; i++)
    print_string(to, file->build.at[i].is_file ? "file" : "flag",
                 file->build.at[i].text);
  for (size_t i = 0; i < file->arguments.size; i++)
    print_string(to, "argument", file->arguments.at[i]);
}

static uint32_t event_hash(uint32_t key, const char *words) {
  return table_hash(hash_bytes(hash_start() ^ key, words, strlen(words)));
}

/* The number of the event, or of the next one if it is not known. */
static size_t find_event(const struct errorfile *file, uint32_t key,
                         const char *words) {
  for (TABLE_EACH(n, &file->lookup, event_hash(key, words)))
    if (file->known.at[n].key == key && !strcmp(file->known.at[n].words, words))
      return n;
  return file->known.size;
}

void errorfile_add_event(struct errorfile *file, uint32_t key,
                         const char *words) {
  size_t number = find_event(file, key, words);
  if (number == file->known.size) {
    table_add(&file->lookup, event_hash(key, words), number);
    VEC_PUSH(file->known,
             ((struct errorfile_event){
                 key, texts_copy(&file->texts, words, strlen(words))}));
  }
  VEC_PUSH(file->events, (uint32_t)number + 1);
}

struct text errorfile_print(const struct errorfile *file) {
  struct text to = {0};
  text_print(&to, FIRST_LINE "%d\n", FORMAT_VERSION);
  print_program(&to, file);
  print_string(&to, "algorithm", file->algorithm);
  explore_settings_each(&file->options, print_option, &to);
  for (size_t i = 0; i < file->externals_length;) {
    print_string(&to, "external", file->externals + i);
    i += strlen(file->externals + i) + 1;
  }
  text_print(&to, "binary %016" PRIx64 "\n", file->binary);
  text_print(&to, "kind %s\n", finding_name(file->kind));
  char key[32];
  snprintf(key, sizeof key, "place %u", file->line);
  print_string(&to, key, file->file);
  text_print(&to, "code %" PRIx64 " %" PRIx64 "\n", file->pc, file->other_pc);
  print_string(&to, "message", file->message);
  print_moves(&to, file);
  print_events(&to, file);
  text_print(&to, "end %016" PRIx64 "\n",
             checksum(CHECKSUM_START, to.at, to.size));
  return to;
}

bool errorfile_write(const char *path, const struct errorfile *file) {
  struct atomic_file atomic;
  struct text text = errorfile_print(file);
  bool good = atomic_open(&atomic, path);
  if (good) {
    fwrite(text.at, 1, text.size, atomic.to);
    good = atomic_close(&atomic);
  }
  if (!good)
    complain("%s: the error file cannot be written: %s", path, strerror(errno));
  VEC_FREE(text);
  return good;
}

/* ---- reading ------------------------------------------------------------- */

/* The rest of a line, taken apart from the left. */
struct cursor {
  const char *at;
  const char *end;
};

static bool take_word(struct cursor *c, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length))
    return false;
  c->at += length;
  return true;
}

static bool take_number(struct cursor *c, unsigned base, uint64_t *number) {
  const char *start = c->at;
  *number = 0;
  while (c->at < c->end && isxdigit((unsigned char)*c->at)) {
    unsigned digit = isdigit((unsigned char)*c->at)
                         ? (unsigned)*c->at - '0'
                         : (unsigned)(*c->at | 0x20) - 'a' + 10;
    if (digit >= base || __builtin_mul_overflow(*number, base, number) ||
        __builtin_add_overflow(*number, digit, number))
      return false;
    c->at++;
  }
  return c->at > start;
}

/* The rest of the line as a string; NULL if an escape is wrong. */
static char *take_string(struct cursor *c, struct texts *texts) {
  struct text made = {0};
  while (c->at < c->end) {
    char byte = *c->at++;
    if (byte == '\\') {
      uint64_t number = 0;
      struct cursor two = {c->at, c->at + 3 <= c->end ? c->at + 3 : c->end};
      if (!take_word(&two, "x") || !take_number(&two, 16, &number) ||
          two.at != c->at + 3 || !number) {
        VEC_FREE(made);
        return 0;
      }
      byte = (char)number;
      c->at += 3;
    }
    text_add(&made, &byte, 1);
  }
  char *string = texts_copy(texts, made.at, made.size);
  VEC_FREE(made);
  return string;
}

static bool is_used_up(const struct cursor *c) {
  return c->at == c->end;
}

static bool take_moves(struct cursor *c, struct errorfile *file) {
  while (!is_used_up(c)) {
    uint64_t proc, choice = 0, times = 1;
    if (!take_word(c, " ") || !take_number(c, 10, &proc) ||
        (take_word(c, ":") && !take_number(c, 10, &choice)) ||
        (take_word(c, "*") && !take_number(c, 10, &times)) ||
        proc > UINT32_MAX || choice > UINT32_MAX || !times ||
        times > LONGEST_SCHEDULE - file->moves.size)
      return false;
    VEC_RESERVE(file->moves, times);
    while (times--)
      file->moves.at[file->moves.size++] =
          (struct move){(uint32_t)proc, (uint32_t)choice};
  }
  return true;
}

static bool take_event(struct cursor *c, struct errorfile *file) {
  uint64_t key;
  if (!take_number(c, 16, &key) || key > UINT32_MAX || !take_word(c, " "))
    return false;
  char *words = take_string(c, &file->texts);
  VEC_PUSH(file->known, (struct errorfile_event){(uint32_t)key, words});
  return words;
}

static bool take_events(struct cursor *c, struct errorfile *file) {
  while (!is_used_up(c)) {
    uint64_t number, times = 1;
    if (!take_word(c, " ") || !take_number(c, 10, &number) ||
        (take_word(c, "*") && !take_number(c, 10, &times)) || !number ||
        number > file->known.size || !times ||
        times > LONGEST_SCHEDULE - file->events.size)
      return false;
    while (times--)
      VEC_PUSH(file->events, (uint32_t)number);
  }
  return true;
}

static bool take_option(struct cursor *c, struct errorfile *file) {
  char *name = take_string(c, &file->texts);
  char *value = name ? strchr(name, '=') : 0;
  if (!value)
    return false;
  *value++ = 0;
  return explore_settings_set(&file->options, name, value);
}

static bool take_external(struct cursor *c, struct errorfile *file) {
  const char *name = take_string(c, &file->texts);
  size_t length = name ? strlen(name) + 1 : 0;
  if (length < 2 ||
      file->externals_length + length + 1 > sizeof file->externals)
    return false;
  memcpy(file->externals + file->externals_length, name, length);
  file->externals_length += length;
  return true;
}

static bool take_kind(struct cursor *c, struct errorfile *file) {
  const char *name = take_string(c, &file->texts);
  for (int kind = 0; name && kind < FINDINGS; kind++)
    if (!strcmp(name, finding_name((enum finding_kind)kind))) {
      file->kind = (enum finding_kind)kind;
      return true;
    }
  return false;
}

static bool take_place(struct cursor *c, struct errorfile *file) {
  uint64_t line;
  if (!take_number(c, 10, &line) || line > UINT32_MAX || !take_word(c, " "))
    return false;
  file->line = (uint32_t)line;
  file->file = take_string(c, &file->texts);
  return file->file;
}

static bool take_code(struct cursor *c, struct errorfile *file) {
  return take_number(c, 16, &file->pc) && take_word(c, " ") &&
         take_number(c, 16, &file->other_pc);
}

static bool take_build(struct cursor *c, struct errorfile *file, bool is_file) {
  char *word = take_string(c, &file->texts);
  VEC_PUSH(file->build, (struct errorfile_word){word, is_file});
  return word;
}

static bool take_argument(struct cursor *c, struct errorfile *file) {
  char *word = take_string(c, &file->texts);
  VEC_PUSH(file->arguments, word);
  return word;
}

/* One line without its end; `schedule` is the announced number of moves. */
static bool take_line(struct cursor *c, struct errorfile *file,
                      uint64_t *schedule) {
  if (take_word(c, "directory "))
    return (file->directory = take_string(c, &file->texts));
  if (take_word(c, "file "))
    return take_build(c, file, true);
  if (take_word(c, "flag "))
    return take_build(c, file, false);
  if (take_word(c, "argument "))
    return take_argument(c, file);
  if (take_word(c, "algorithm "))
    return (file->algorithm = take_string(c, &file->texts));
  if (take_word(c, "option "))
    return take_option(c, file);
  if (take_word(c, "external "))
    return take_external(c, file);
  if (take_word(c, "binary "))
    return take_number(c, 16, &file->binary) && is_used_up(c);
  if (take_word(c, "kind "))
    return take_kind(c, file);
  if (take_word(c, "place "))
    return take_place(c, file);
  if (take_word(c, "code "))
    return take_code(c, file) && is_used_up(c);
  if (take_word(c, "message "))
    return (file->message = take_string(c, &file->texts));
  if (take_word(c, "schedule "))
    return take_number(c, 10, schedule) && is_used_up(c);
  if (take_word(c, "event "))
    return take_event(c, file);
  if (take_word(c, "events"))
    return take_events(c, file);
  return take_word(c, "moves") && take_moves(c, file);
}

/* The first line, and that the last line fits what lies between. */
static const char *check_frame(struct cursor *all, const char **last) {
  enum { LAST_LINE = 4 + 16 + 1 }; /* "end ", sixteen digits, line end */
  const char *start = all->at;
  uint64_t version, sum;
  if (!take_word(all, FIRST_LINE) || !take_number(all, 10, &version) ||
      !take_word(all, "\n"))
    return "this is not an error file of heddle";
  if (version != FORMAT_VERSION)
    return "this error file was written by another version of heddle; "
           "check the program again";
  if (all->end - all->at < LAST_LINE)
    return "the error file is truncated";
  struct cursor c = {all->end - LAST_LINE, all->end};
  *last = c.at;
  if (c.at[-1] != '\n' || !take_word(&c, "end ") ||
      !take_number(&c, 16, &sum) || c.at != all->end - 1 || *c.at != '\n')
    return "the error file is truncated";
  if (sum != checksum(CHECKSUM_START, start, (size_t)(*last - start)))
    return "the error file is damaged";
  return 0;
}

const char *errorfile_parse(struct errorfile *file, const char *text,
                            size_t length) {
  static const char damaged[] = "the error file is damaged";
  struct cursor all = {text, text + length};
  const char *last = 0;
  uint64_t schedule = UINT64_MAX;
  memset(file, 0, sizeof *file);
  explore_settings_default(&file->options);
  file->kind = FINDINGS;
  const char *fault = check_frame(&all, &last);
  if (fault)
    return fault;
  while (all.at < last) {
    const char *end = memchr(all.at, '\n', (size_t)(last - all.at));
    struct cursor line = {all.at, end};
    if (!end || !take_line(&line, file, &schedule))
      return damaged;
    all.at = end + 1;
  }
  bool whole = file->directory && file->build.size && file->algorithm &&
               file->kind != FINDINGS && file->file && file->message &&
               schedule == file->moves.size &&
               (!file->events.size || file->events.size == schedule);
  return whole ? 0 : damaged;
}

static bool read_all(const char *path, struct text *text) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t got = -1;
  if (fd < 0)
    return false;
  do {
    VEC_RESERVE(*text, 65536);
    got = read(fd, text->at + text->size, 65536);
    text->size += got > 0 ? (size_t)got : 0;
  } while (got > 0 && text->size < LONGEST_FILE);
  int error = errno;
  close(fd);
  errno = error;
  return got >= 0;
}

bool errorfile_read(const char *path, struct errorfile *file) {
  struct text text = {0};
  const char *fault;
  memset(file, 0, sizeof *file);
  if (read_all(path, &text))
    fault = errorfile_parse(file, text.at, text.size);
  else
    fault = strerror(errno);
  VEC_FREE(text);
  if (!fault)
    return true;
  complain("%s: %s", path, fault);
  errorfile_free(file);
  return false;
}

void errorfile_free(struct errorfile *file) {
  VEC_FREE(file->build);
  VEC_FREE(file->arguments);
  VEC_FREE(file->moves);
  VEC_FREE(file->known);
  table_free(&file->lookup);
  VEC_FREE(file->events);
  texts_free(&file->texts);
}

/* ---- where it goes ------------------------------------------------------- */

/* Makes the folder and those above it. */
static bool make_folders(char *path) {
  for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    mkdir(path, 0777);
    *slash = '/';
  }
  return (!mkdir(path, 0777) || errno == EEXIST) && !access(path, W_OK | X_OK);
}

static char *state_folder(void) {
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  char *folder = 0;
  if (state && *state == '/')
    ensure(asprintf(&folder, "%s/heddle", state) >= 0);
  else if (home && *home == '/')
    ensure(asprintf(&folder, "%s/.local/state/heddle", home) >= 0);
  if (folder && make_folders(folder))
    return folder;
  free(folder);
  const char *temporary = getenv("TMPDIR");
  folder = strdup(temporary && *temporary ? temporary : "/tmp");
  ensure(folder);
  if (!access(folder, W_OK | X_OK))
    return folder;
  free(folder);
  return 0;
}

/* Equal errors of equal programs have one file. */
char *errorfile_path(const char *program, const struct errorfile *file) {
  struct text text = errorfile_print(file);
  uint64_t sum = checksum(CHECKSUM_START, text.at, text.size);
  char *folder = state_folder(), *path = 0;
  if (folder)
    ensure(asprintf(&path, "%s/%s-%08" PRIx32 ".error", folder, program,
                    (uint32_t)(sum ^ sum >> 32)) >= 0);
  VEC_FREE(text);
  free(folder);
  return path;
}
