/* What the command gives the program, and what it asks of it: --stdin and
 * --show-file. */
#define _GNU_SOURCE
#include "files.h"

#include <stdlib.h>
#include <string.h>

#include "system/native/engine/engine.h"
#include "util/ensure.h"
#include "util/text.h"

/* A name of the user's, not of the program's. */
static uint32_t node_named(const char *path) {
  file_peek(true);
  uint32_t name = name_resolve(path, true);
  uint32_t node = name ? name_node(name) : 0;
  file_peek(false);
  return node;
}

void files_start(void) {
  static char path[LINES_MOST]; /* keep */
  const struct options *options = engine.control ? &engine.control->options : 0;
  if (!options || !lines_text_next(options->input.at, path))
    return;
  uint32_t node = node_named(path);
  if (!node || !S_ISREG(node_mode(node)) || !node_permits(node, 4))
    refuse("--stdin %s: not a file that can be read", path);
  struct description *d = description_standard(0);
  d->kind = DESCRIPTION_FILE;
  d->node = node;
}

/* ---- --show-file --------------------------------------------------------- */

static void show(struct text *to, const char *path) {
  uint64_t size = 0;
  uint32_t node = node_named(path);
  const char *bytes = node ? node_peek(node, &size) : NULL;
  text_print(to, "--- %s%s\n", path, node ? "" : ": no such file");
  text_add(to, bytes, size);
  if (size && bytes[size - 1] != '\n')
    text_add(to, "\n", 1);
}

const char *files_shown(const char *output, size_t *length) {
  static struct text all; /* keep */
  static char path[LINES_MOST];
  const char *at = engine.control->options.show_file.at;
  if (!*at)
    return output;
  all.size = 0;
  text_add(&all, output, *length);
  while ((at = lines_text_next(at, path)))
    show(&all, path);
  *length = all.size;
  return all.at;
}
