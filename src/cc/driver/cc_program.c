/* A program depends on the compiler, on the words of the link, on the contents
 * of the objects and archives named in it, and on all other files that the
 * linker opens.  The linker lists them itself (--dependency-file).  They are
 * parts of the system, and told apart by their identity.  A library that comes
 * to stand in front of one of them in the search path is noticed, too.
 */
#include "cc/driver/cc_program.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cc/driver/cache.h"
#include "cc/driver/cc_ask.h"
#include "cc/driver/cc_identity.h"
#include "host/file.h"
#include "cc/driver/manifest.h"
#include "host/path.h"

/* ---- what can be kept --------------------------------------------------- */

/* What clang passes on to the linker: options after which it only reads files
 * that it lists, and writes nothing but the program. */
static bool is_plain_for_linker(const char *word) {
  static const char *const plain[] = {"-rpath",
                                      "-soname",
                                      "-z",
                                      "-O",
                                      "-E",
                                      "-Bsymbolic",
                                      "-Bstatic",
                                      "-Bdynamic",
                                      "--rpath",
                                      "--soname",
                                      "--as-needed",
                                      "--no-as-needed",
                                      "--gc-sections",
                                      "--start-group",
                                      "--end-group",
                                      "--whole-archive",
                                      "--no-whole-archive",
                                      "--export-dynamic",
                                      "--build-id",
                                      "--hash-style",
                                      "--enable-new-dtags",
                                      "--disable-new-dtags",
                                      "--no-undefined",
                                      NULL};
  return *word == '-' ? starts_with_one_of(word, plain) : *word != '@';
}

static bool all_plain_for_linker(const char *words) {
  bool plain = true;
  char *copy = strdup(words), *save = NULL;
  for (char *word = strtok_r(copy, ",", &save); word;
       word = strtok_r(NULL, ",", &save))
    plain &= is_plain_for_linker(word);
  free(copy);
  return plain;
}

static bool is_plain(const char *word) {
  static const char *const plain[] = {
      "-pthread",  "-shared",        "-pie",
      "-no-pie",   "-nopie",         "-rdynamic",
      "-nostdlib", "-nodefaultlibs", "-nostartfiles",
      "-symbolic", "-ansi",          "-pedantic",
      NULL};
  static const char *const beginnings[] = {"-l", "-L", "-f", "-g",
                                           "-m", "-W", NULL};
  if (starts_with(word, "-Wl,"))
    return all_plain_for_linker(word + strlen("-Wl,"));
  return one_of(word, plain) ||
         (starts_with_one_of(word, beginnings) && !starts_with(word, "-mllvm"));
}

/* The members of a thin archive lie elsewhere. */
static bool is_thin_archive(const char *path) {
  static const char magic[] = "!<thin>";
  char start[sizeof magic] = "";
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  bool got = file_read_bytes(file, start, sizeof magic - 1);
  close(file);
  return got && !strcmp(start, magic);
}

static bool can_be_kept(const struct cc_program *p) {
  const struct cc_arguments *job = p->job;
  if (!cache_on() || job->relocatable || file_is_special(p->output))
    return false;
  for (size_t i = 0; i < job->item_count; i++) {
    const struct cc_item *item = &job->items[i];
    if (item->word ? !is_plain(item->word)
                   : is_thin_archive(p->objects[item->input]))
      return false;
  }
  return true;
}

/* ---- the key ------------------------------------------------------------ */

static bool make_key(struct cc_program *p) {
  struct digest identity;
  char *here = getcwd(NULL, 0);
  if (!here || !cc_identity(p->tools, &identity))
    return false;
  p->key = digest_of("program");
  digest_add(&p->key, &identity, sizeof identity);
  digest_add_text(&p->key, getenv("PATH"));
  digest_add_text(&p->key, here);
  free(here);
  for (size_t i = 0; i < p->job->item_count; i++) {
    const struct cc_item *item = &p->job->items[i];
    digest_add_text(&p->key, item->word);
    if (item->word)
      continue;
    const char *object = p->objects[item->input];
    /* Files with code that heddle does not see are called by this name. */
    digest_add_text(&p->key, path_base(object));
    if (!digest_add_contents(&p->key, object))
      return false;
  }
  return true;
}

struct cc_program cc_program_begin(const struct cc_arguments *job,
                                   const struct cc_tools *tools,
                                   char *const objects[]) {
  struct cc_program p = {.job = job,
                         .tools = tools,
                         .objects = objects,
                         .output = job->output ? job->output : "a.out",
                         .start = manifest_start()};
  p.keepable = can_be_kept(&p) && make_key(&p);
  return p;
}

bool cc_program_reuse(const struct cc_program *p) {
  struct cache_part program;
  struct digest result;
  return p->keepable && manifest_find(&p->key, &result) &&
         cache_get(&result, &program, 1) &&
         file_write(p->output, program.at, program.size, 0777);
}

/* ---- keeping ------------------------------------------------------------ */

/* Reads the linker's list: a file a line, up to the first empty line.  False if
 * a name in it may be quoted. */
static bool read_list(const char *path, struct word_list *files) {
  char *list = file_read(path, NULL), *save = NULL;
  char *end = list ? strstr(list, "\n\n") : NULL;
  if (!list)
    return false;
  if (end)
    *end = 0;
  strtok_r(list, "\n", &save); /* the target */
  for (char *line; (line = strtok_r(NULL, "\n", &save));) {
    line += strspn(line, " ");
    if (ends_with(line, " \\"))
      line[strlen(line) - 2] = 0;
    if (strpbrk(line, "\\$#"))
      return false;
    word_list_add_once(files, line);
  }
  return files->size > 0;
}

/* Libraries that would be preferred to those that were found. */
static void add_absent(const struct word_list *linker,
                       struct word_list *absent) {
  for (size_t i = 0; i < linker->size; i++) {
    const char *name = linker->at[i];
    if (!starts_with(name, "-l"))
      continue;
    for (size_t k = 0; k < linker->size; k++) {
      const char *folder = linker->at[k] + 2;
      if (!starts_with(linker->at[k], "-L"))
        continue;
      bool whole = name[2] == ':';
      word_list_add(absent, whole
                                ? text_format("%s/%s", folder, name + 3)
                                : text_format("%s/lib%s.so", folder, name + 2));
      if (!whole)
        word_list_add(absent, text_format("%s/lib%s.a", folder, name + 2));
    }
  }
}

static void drop_existing(struct word_list *paths) {
  size_t left = 0;
  for (size_t i = 0; i < paths->size; i++)
    if (access(paths->at[i], F_OK))
      paths->at[left++] = paths->at[i];
  paths->size = left;
}

static bool find_dependences(const struct cc_program *p,
                             const struct cc_link_command *command,
                             struct manifest *depends) {
  struct word_list opened = {0};
  if (!read_list(command->list, &opened))
    return false;
  cc_ask_depends(&command->question, &command->linker, depends);
  for (size_t i = 0; i < opened.size; i++) {
    if (is_thin_archive(opened.at[i]))
      return false;
    if (!word_list_contains(&command->files, opened.at[i]))
      word_list_add(&depends->identity, opened.at[i]);
  }
  for (size_t i = 0; i < p->job->input_count; i++)
    if (p->job->inputs[i].language == CC_LINKED)
      word_list_add(&depends->contents, p->objects[i]);
  add_absent(&command->linker, &depends->absent);
  drop_existing(&depends->absent);
  return true;
}

/* A link that printed something is done again each time. */
void cc_program_keep(const struct cc_program *p,
                     const struct cc_link_command *command) {
  struct manifest depends = {0};
  struct cache_part program = {0};
  struct digest result;
  if (!p->keepable || !command->quiet ||
      !find_dependences(p, command, &depends))
    return;
  program.at = file_read(p->output, &program.size);
  if (program.at && manifest_keep(&p->key, &depends, p->start, &result))
    cache_put(&result, &program, 1);
  free(program.at);
}
