/* Writes assembler text: for each unknown function a record (struct external)
 * and a stub that passes it on.  The record lies with the runtime's own data,
 * which is never undone; a table names both, for mentions.c.  The names are
 * hidden: a library's own calls of the same function are its own business. */
#include "cc/driver/cc_stubs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "host/complain.h"
#include "host/process.h"

#if defined __x86_64__
#define PASS_ON                        \
  "\tendbr64\n"                        \
  "\tleaq .Lrecord%zu(%%rip), %%r11\n" \
  "\tjmpq *heddle_external@GOTPCREL(%%rip)\n"
#elif defined __aarch64__
#define PASS_ON                                   \
  "\thint #34\n"                                  \
  "\tadrp x16, .Lrecord%1$zu\n"                   \
  "\tadd x16, x16, :lo12:.Lrecord%1$zu\n"         \
  "\tadrp x17, :got:heddle_external\n"            \
  "\tldr x17, [x17, :got_lo12:heddle_external]\n" \
  "\tbr x17\n"
#else
#error "stubs for this processor are not written yet"
#endif

/* Names of symbols and files may contain anything. */
static void write_string(FILE *to, const char *string) {
  fputc('"', to);
  for (; *string; string++)
    fprintf(to, "\\%03o", (unsigned char)*string);
  fputs("\"\n", to);
}

static void write_stub(FILE *to, size_t number, const char *name) {
  fprintf(to,
          "\t.text\n"
          "\t.globl \"%s\"\n"
          "\t.hidden \"%s\"\n"
          "\t.type \"%s\", %%function\n"
          "\t.p2align 4\n"
          "\"%s\":\n",
          name, name, name, name);
  fprintf(to, PASS_ON, number);
  fprintf(to,
          "\t.section heddle_data, \"aw\", %%progbits\n"
          "\t.p2align 3\n"
          ".Lrecord%zu:\n"
          "\t.quad .Lname%zu, 0, 0, 0\n"
          "\t.section heddle_stubs, \"aw\", %%progbits\n"
          "\t.p2align 3\n"
          "\t.quad .Lrecord%zu, \"%s\"\n"
          "\t.section .rodata, \"a\", %%progbits\n"
          ".Lname%zu:\n"
          "\t.asciz ",
          number, number, number, name, number);
  write_string(to, name);
}

static void write_unseen(FILE *to, const struct word_list *unseen) {
  fputs("\t.section .rodata, \"a\", %progbits\n"
        "\t.globl heddle_unseen\n"
        "\t.type heddle_unseen, %object\n"
        "heddle_unseen:\n",
        to);
  for (size_t i = 0; i < unseen->size; i++) {
    fputs("\t.asciz ", to);
    write_string(to, unseen->at[i]);
  }
  fputs("\t.byte 0\n"
        "\t.size heddle_unseen, . - heddle_unseen\n",
        to);
}

static bool write_assembler(const char *path, const struct word_list *unknown,
                            const struct word_list *unseen) {
  FILE *to = fopen(path, "w");
  if (to) {
    for (size_t i = 0; i < unknown->size; i++)
      write_stub(to, i, unknown->at[i]);
    if (unseen->size)
      write_unseen(to, unseen);
    fputs("\t.section .note.GNU-stack, \"\", %progbits\n", to);
    bool failed = ferror(to);
    if (fclose(to) == 0 && !failed)
      return true;
  }
  complain("cc: cannot write %s: %s", path, strerror(errno));
  return false;
}

char *cc_stubs_make(const struct word_list *unknown,
                    const struct word_list *unseen,
                    const struct cc_tools *tools, const char *scratch) {
  char *source = text_format("%s/stubs.s", scratch);
  char *object = text_format("%s/stubs.o", scratch);
  if (!write_assembler(source, unknown, unseen))
    return NULL;
  char *argv[] = {tools->clang, "-c", "-o", object, source, NULL};
  return process_run(argv, PROCESS_INHERIT, NULL) == 0 ? object : NULL;
}
