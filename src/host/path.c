#include "host/path.h"

#include <string.h>

#include "host/word_list.h"

char *path_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash)
    return strdup(".");
  return text_format("%.*s", slash == path ? 1 : (int)(slash - path), path);
}

const char *path_base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *path_below(const char *path, const char *folder) {
  size_t length = strlen(folder);
  if (!strcmp(folder, "."))
    return *path == '/' ? NULL : path;
  if (length && folder[length - 1] == '/')
    length--;
  return !strncmp(path, folder, length) && path[length] == '/'
             ? path + length + 1
             : NULL;
}

char *path_in(const char *folder, const char *name) {
  return strcmp(folder, ".") ? text_format("%s/%s", folder, name)
                             : strdup(name);
}
