/* Starting clang's driver takes as long as compiling a small file, and what it
 * says is nearly always the same: which linker to run with which words, and
 * where headers lie.  `clang -###` tells; the answer is kept in the cache.
 *
 * Names of variable files are replaced by marks, so that the answer fits other
 * names.  The driver looks around in the file system for compilers and
 * libraries: an answer is good while the files and folders that it names, and
 * the next ones above them, have not changed.
 */
#include "cc/driver/cc_ask.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cc/driver/cache.h"
#include "cc/driver/cc_identity.h"
#include "cc/driver/manifest.h"
#include "cc/driver/pack.h"
#include "host/path.h"
#include "host/process.h"

struct asking {
  const struct cc_tools *tools;
  const struct word_list *question;
  const struct word_list *variable;
  struct manifest depends; /* what the answer depends on */
};

/* ---- names and marks ---------------------------------------------------- */

/* "\1" and a number stands for a variable file. */
static const char *marked(const struct asking *a, const char *word) {
  for (size_t i = 0; i < a->variable->size; i++)
    if (!strcmp(a->variable->at[i], word))
      return text_format("\1%zu", i);
  return word;
}

static const char *unmarked(const struct asking *a, const char *word) {
  size_t number = *word == 1 ? strtoul(word + 1, NULL, 10) : 0;
  return *word == 1 && number < a->variable->size ? a->variable->at[number]
                                                  : word;
}

/* The answer must name each variable file once, as the question does. */
static bool names_each_once(const struct asking *a,
                            const struct word_list *words) {
  for (size_t i = 0; i < a->variable->size; i++) {
    size_t times = 0;
    for (size_t k = 0; k < words->size; k++)
      times += !strcmp(words->at[k], a->variable->at[i]);
    if (times != 1)
      return false;
  }
  return true;
}

/* ---- the key ------------------------------------------------------------ */

/* Does the word mean the same in every folder to the driver?  It passes most
 * paths on without a look. */
static bool is_placeless(const char *word) {
  static const char *const beginnings[] = {
      "\1",  "/",  "-D", "-I",       "-L",      "-O",   "-Q",
      "-U",  "-W", "-c", "-f",       "-g",      "-l",   "-m",
      "-o",  "-x", "c",  "-pthread", "-shared", "-pie", "-no-pie",
      "-rd", "-s", "-n", "-idir",    NULL};
  return starts_with_one_of(word, beginnings);
}

static bool make_key(const struct asking *a, struct digest *key) {
  struct digest identity;
  if (!cc_identity(a->tools, &identity))
    return false;
  *key = digest_of("answer");
  digest_add(key, &identity, sizeof identity);
  digest_add_text(key, getenv("PATH"));
  bool placeless = true;
  for (size_t i = 0; i < a->question->size; i++) {
    const char *word = marked(a, a->question->at[i]);
    placeless &= is_placeless(word);
    digest_add_text(key, word);
  }
  /* The driver knows files by their suffixes. */
  for (size_t i = 0; i < a->variable->size; i++)
    digest_add_text(key, strrchr(path_base(a->variable->at[i]), '.'));
  char *here = placeless ? NULL : getcwd(NULL, 0);
  digest_add_text(key, here);
  free(here);
  return true;
}

/* ---- what clang prints -------------------------------------------------- */

/* Takes one word from between quotes; NULL if there is none. */
static char *take_word(char **at) {
  char *in = *at;
  while (*in == ' ')
    in++;
  if (*in++ != '"')
    return NULL;
  char *word = in, *out = in;
  for (; *in && *in != '"'; *out++ = *in++)
    if (*in == '\\' && in[1])
      in++;
  if (!*in)
    return NULL;
  *at = in + 1;
  *out = 0;
  return word;
}

static bool take_command(char *line, struct word_list *command) {
  for (char *word; (word = take_word(&line));)
    word_list_add(command, word);
  return !*line;
}

/* Must stay as it is, or not be there. */
static void watch(struct manifest *depends, const char *path) {
  word_list_add(access(path, F_OK) ? &depends->absent : &depends->identity,
                path);
}

/* True for what the driver always says before the command.  It may name folders
 * where it looks for its own configuration. */
static bool take_remark(struct asking *a, const char *line) {
  static const char *const known[] = {
      "Target: ",       "Thread model: ", "InstalledDir: ",
      "Build config: ", " (in-process)",  NULL};
  const char *folder = strstr(line, " configuration file directory: ");
  if (folder)
    watch(&a->depends, strstr(folder, ": ") + 2);
  return folder || starts_with_one_of(line, known) ||
         strstr(line, "clang version ");
}

static bool ask_clang(struct asking *a, struct word_list *command) {
  struct word_list argv = {0};
  char *said = NULL, *save = NULL;
  word_list_add_each(&argv, a->tools->clang, "-###", NULL);
  word_list_add_all(&argv, a->question);
  if (process_run(word_list_argv(&argv), PROCESS_ERRORS, &said) != 0)
    return false;
  for (char *line = strtok_r(said, "\n", &save); line;
       line = strtok_r(NULL, "\n", &save)) {
    if (!starts_with(line, " \"")) {
      if (!take_remark(a, line))
        return false;
    } else if (command->size || !take_command(line, command)) {
      return false;
    }
  }
  return command->size > 0;
}

/* ---- what the answer depends on ----------------------------------------- */

static void watch_once(struct manifest *depends, const char *path) {
  if (!word_list_contains(&depends->identity, path) &&
      !word_list_contains(&depends->absent, path))
    watch(depends, path);
}

/* A path that the driver chose, and the folders above it in which it may have
 * found others to choose from, as in gcc/TRIPLE/VERSION. */
static void watch_upwards(struct manifest *depends, const char *path) {
  enum { LEVELS = 3 };
  for (int i = 0; i < LEVELS && strcmp(path, "/"); i++) {
    watch_once(depends, path);
    path = path_folder(path);
  }
}

/* Another program of that name could come to stand in front of it. */
static void watch_search(struct manifest *depends, const char *program) {
  const char *path = getenv("PATH");
  char *folders = strdup(path ? path : ""), *save = NULL;
  for (char *folder = strtok_r(folders, ":", &save); folder;
       folder = strtok_r(NULL, ":", &save)) {
    char *there = path_in(folder, path_base(program));
    if (access(there, F_OK))
      word_list_add(&depends->absent, there);
  }
}

void cc_ask_depends(const struct word_list *question,
                    const struct word_list *answer, struct manifest *depends) {
  watch_search(depends, answer->at[0]);
  for (size_t i = 0; i < answer->size; i++) {
    const char *word = answer->at[i];
    const char *path = starts_with(word, "-L/") ? word + 2 : word;
    if (*path == '/' && !word_list_contains(question, word))
      watch_upwards(depends, path);
  }
}

/* ---- asking ------------------------------------------------------------- */

static bool recall(const struct asking *a, const struct digest *key,
                   struct word_list *answer) {
  struct digest result;
  struct cache_part part;
  if (!manifest_find(key, &result) || !cache_get(&result, &part, 1))
    return false;
  unpack_words(&part, answer);
  for (size_t i = 0; i < answer->size; i++)
    answer->at[i] = (char *)unmarked(a, answer->at[i]);
  return true;
}

static void keep(struct asking *a, const struct digest *key,
                 struct timespec start, const struct word_list *answer) {
  struct digest result;
  struct word_list general = {0};
  cc_ask_depends(a->question, answer, &a->depends);
  for (size_t i = 0; i < answer->size; i++)
    word_list_add(&general, marked(a, answer->at[i]));
  struct cache_part part = pack_words(&general);
  if (manifest_keep(key, &a->depends, start, &result))
    cache_put(&result, &part, 1);
  free(part.at);
}

bool cc_ask(const struct cc_tools *tools, const struct word_list *question,
            const struct word_list *variable, struct word_list *answer) {
  struct asking a = {
      .tools = tools, .question = question, .variable = variable};
  struct digest key;
  if (!cache_on() || !names_each_once(&a, question) || !make_key(&a, &key))
    return false;
  if (recall(&a, &key, answer))
    return true;
  struct timespec start = manifest_start();
  if (!ask_clang(&a, answer) || !names_each_once(&a, answer)) {
    answer->size = 0;
    return false;
  }
  keep(&a, &key, start, answer);
  return true;
}
