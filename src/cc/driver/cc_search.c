#include "cc/driver/cc_search.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cc/driver/cc_ask.h"
#include "host/path.h"

/* ---- the folders -------------------------------------------------------- */

/* Options of the front end that have nothing to do with folders. */
static bool is_elsewhere(const char *word) {
  static const char *const beginnings[] = {
      "-D", "-U", "-W", "-g", "-std=", "-O", "-f", "-w", NULL};
  return starts_with_one_of(word, beginnings);
}

static bool takes_argument(const char *word) {
  static const char *const options[] = {"-D",       "-U",      "-include",
                                        "-imacros", "--param", NULL};
  return one_of(word, options);
}

static void add_folder_words(const struct cc_arguments *job,
                             struct word_list *question) {
  for (size_t i = 0; i < job->front.size; i++) {
    const char *word = job->front.at[i];
    if (takes_argument(word))
      i++;
    else if (!is_elsewhere(word) && !starts_with(word, "-include") &&
             !starts_with(word, "-imacros"))
      word_list_add(question, word);
  }
}

/* The folder that words[*i] tells the front end to search, or NULL; *i is then
 * its last word. */
static const char *take_folder(const struct word_list *words, size_t *i,
                               bool *system) {
  static const char *const user[] = {"-I", "-iquote", NULL};
  static const char *const own[] = {"-isystem",
                                    "-c-isystem",
                                    "-idirafter",
                                    "-internal-isystem",
                                    "-internal-externc-isystem",
                                    NULL};
  const char *word = words->at[*i];
  *system = one_of(word, own);
  if ((*system || one_of(word, user)) && *i + 1 < words->size)
    return words->at[++*i];
  return starts_with(word, "-I") && word[2] ? word + 2 : NULL;
}

/* As the paths of files that are found there begin. */
static const char *folder_name(const char *folder) {
  while (starts_with(folder, "./") && folder[2])
    folder += 2;
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/')
    length--;
  return text_format("%.*s", (int)length, folder);
}

bool cc_search_find(const struct cc_arguments *job,
                    const struct cc_tools *tools, struct cc_search *search) {
  struct word_list question = {0}, nothing = {0}, answer = {0};
  add_folder_words(job, &question);
  word_list_add_each(&question, "-idirafter", tools->includes, "-fsyntax-only",
                     "-Qunused-arguments", "-x", "c", "/dev/null", NULL);
  if (!cc_ask(tools, &question, &nothing, &answer))
    return false;
  search->compiler = answer.at[0];
  for (size_t i = 0; i < answer.size; i++) {
    bool system;
    const char *folder = take_folder(&answer, &i, &system);
    if (folder)
      word_list_add(system ? &search->system : &search->user,
                    folder_name(folder));
  }
  return search->system.size > 0;
}

/* ---- headers in them ---------------------------------------------------- */

/* The length of the longest of these folders that the path begins with, plus
 * 1; 0: none. */
static size_t longest(const struct word_list *folders, const char *path) {
  size_t most = 0;
  for (size_t i = 0; i < folders->size; i++) {
    const char *rest = path_below(path, folders->at[i]);
    if (rest && (size_t)(rest - path) + 1 > most)
      most = (size_t)(rest - path) + 1;
  }
  return most;
}

bool cc_search_is_system(const struct cc_search *search, const char *header) {
  size_t system = longest(&search->system, header);
  return system && system >= longest(&search->user, header);
}

/* The names by which an #include can have found the file. */
static void add_names(const struct word_list *folders, const char *path,
                      struct word_list *names) {
  for (size_t i = 0; i < folders->size; i++) {
    const char *name = path_below(path, folders->at[i]);
    if (name)
      word_list_add_once(names, name);
  }
}

static void add_absent(const char *folder, const struct word_list *names,
                       struct word_list *absent) {
  for (size_t i = 0; i < names->size; i++) {
    const char *name = names->at[i];
    char *path = *name == '/' ? strdup(name) : path_in(folder, name);
    if (access(path, F_OK))
      word_list_add(absent, path);
    else
      free(path);
  }
}

/* An #include with quotes begins to search beside the file that contains it. */
void cc_search_absent(const struct cc_search *search,
                      const struct word_list *read,
                      const struct word_list *wanted,
                      struct word_list *absent) {
  struct word_list names = {0}, folders = {0};
  word_list_add_all(&names, wanted);
  for (size_t i = 0; i < read->size; i++) {
    add_names(&search->user, read->at[i], &names);
    add_names(&search->system, read->at[i], &names);
    word_list_add_once(&folders, path_folder(read->at[i]));
  }
  for (size_t i = 0; i < search->user.size; i++)
    word_list_add_once(&folders, search->user.at[i]);
  for (size_t i = 0; i < search->system.size; i++)
    word_list_add_once(&folders, search->system.at[i]);
  for (size_t i = 0; i < folders.size; i++)
    add_absent(folders.at[i], &names, absent);
}
