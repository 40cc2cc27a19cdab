#define _GNU_SOURCE
#include "fuzz/real/insert.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The programmer's own assembly, in which a line need not be an instruction,
 * lies between two comments. */
static bool in_own_assembly(const char *line, bool before) {
  const char *text = line + strspn(line, " \t/");
  if (!strncmp(text, "#APP", 4) || !strncmp(text, "APP", 3))
    return true;
  if (!strncmp(text, "#NO_APP", 7) || !strncmp(text, "NO_APP", 6))
    return false;
  return before;
}

/* Labels stand at the beginning of a line, directives begin with a point. */
static const char *instruction(const char *line) {
  return line[0] == '\t' && isalpha((unsigned char)line[1]) ? line + 1 : NULL;
}

static void copy(FILE *from, FILE *to) {
  char *line = NULL;
  size_t capacity = 0;
  bool own = false;
  while (getline(&line, &capacity, from) >= 0) {
    own = in_own_assembly(line, own);
    const char *code = own ? NULL : instruction(line);
    if (code && insert_before(code))
      fputs(insert_call, to);
    fputs(line, to);
  }
  free(line);
}

bool insert_steps(const char *from, const char *to) {
  FILE *in = fopen(from, "r"), *out = in ? fopen(to, "w") : NULL;
  if (out)
    copy(in, out);
  bool good = out && !ferror(in) && !ferror(out);
  good = (!out || !fclose(out)) && good;
  if (in)
    fclose(in);
  return good;
}
