/* What inline assembly does to memory.  Each case is a statement as clang emits
 * it, with its effect in short:
 *
 *   swap @0+8:4 locked expects 1 bit 2
 *
 * is a compare-and-swap of 4 bytes, 8 bytes after where argument 0 points to,
 * compared with argument 1, in which argument 2 numbers the bit.  "no WORD" is
 * not understood because of WORD. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cc/instrument/asm_effect.h"
#include "util/rng.h"

#define END ",~{dirflag},~{fpsr},~{flags}"

/* One digit for the size of each result, and of each argument; g is 16. */
struct example {
  const char *text, *constraints, *results, *arguments, *effect;
};

static unsigned sizes_of(const char *digits, unsigned *sizes) {
  unsigned count = 0;
  for (; digits[count]; count++)
    sizes[count] = digits[count] == 'g' ? 16 : (unsigned)(digits[count] - '0');
  return count;
}

static struct asm_effect effect_of(const struct example *example, bool intel) {
  unsigned results[64], arguments[64];
  struct asm_statement statement = {
      .text = example->text,
      .constraints = example->constraints,
      .intel = intel,
      .result_count = sizes_of(example->results, results),
      .result_size = results,
      .argument_count = sizes_of(example->arguments, arguments),
      .argument_size = arguments,
  };
  return asm_effect_of(&statement);
}

static void print_access(FILE *file, const struct asm_access *access) {
  static const char *const kinds[] = {"load", "store", "update", "swap"};
  fprintf(file, "%s @%u", kinds[access->kind], access->argument);
  if (access->offset)
    fprintf(file, "%+ld", access->offset);
  fprintf(file, ":%u", access->size);
  if (access->locked)
    fprintf(file, " locked");
  if (access->expected[0] >= 0)
    fprintf(file, " expects %d", access->expected[0]);
  if (access->expected[1] >= 0)
    fprintf(file, " %d", access->expected[1]);
  if (access->bit >= 0)
    fprintf(file, " bit %d", access->bit);
}

static char *short_form(const struct asm_effect *effect) {
  char *text;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  if (!effect->understood) {
    fprintf(file, "no %s", effect->why);
  } else {
    fprintf(file, "%s", effect->fence ? "fence" : "");
    for (unsigned i = 0; i < effect->count; i++) {
      fprintf(file, "%s", i || effect->fence ? ", " : "");
      print_access(file, &effect->access[i]);
    }
  }
  fclose(file);
  return text;
}

static void expect_all(const struct example *example, size_t count,
                       bool intel) {
  for (; count--; example++) {
    struct asm_effect effect = effect_of(example, intel);
    char *text = short_form(&effect);
    if (strcmp(text, example->effect))
      print_error("%s\n%s\n", example->text, example->constraints);
    assert_string_equal(text, example->effect);
    free(text);
  }
}

#define EXPECT(...)                                                  \
  do {                                                               \
    static const struct example examples[] = {__VA_ARGS__};          \
    expect_all(examples, sizeof examples / sizeof *examples, false); \
  } while (0)
#define EXPECT_INTEL(...)                                           \
  do {                                                              \
    static const struct example examples[] = {__VA_ARGS__};         \
    expect_all(examples, sizeof examples / sizeof *examples, true); \
  } while (0)

static void atomic_operations(void **state) {
  (void)state;
  EXPECT(
      {"lock; xaddl $0,$1", "=r,=*m,0,*m,~{memory}" END, "4", "444",
       "fence, update @0:4 locked"},
      {"lock xadd $0,$1", "=r,=*m,0,*m" END, "2", "828",
       "fence, update @0:2 locked"},
      {"lock\n\tincq $0", "=*m,*m" END, "", "11", "fence, update @0:8 locked"},
      {"lock ; decw $0", "=*m,*m" END, "", "22", "fence, update @0:2 locked"},
      {"LOCK; addb $1,$0", "=*m,iq,*m" END, "", "111",
       "fence, update @0:1 locked"},
      {"lock subl $1,$0", "=*m,Zq" END, "", "44", "fence, update @0:4 locked"},
      {"lock and $1,$0", "=*m,er" END, "", "88", "fence, update @0:8 locked"},
      {"lock orl $$1,$0;", "=*m" END, "", "4", "fence, update @0:4 locked"},
      {"lock xorl $$1,$0", "*m" END, "", "4", "fence, update @0:4 locked"},
      {"lock negl $0; setz $1", "=*m,=*rm,*m" END, "", "414",
       "fence, update @0:4 locked, store @1:1"},
      {"lock notb $0", "=*m,*m" END, "", "11", "fence, update @0:1 locked"},
      {"lock decl $0", "=*m,={@ccz},*m" END, "1", "44",
       "fence, update @0:4 locked"},
      {"incl $0", "=*m,*m" END, "", "44", "update @0:4"},
      {"lock incl $$1", "~{cc}" END, "", "", "no incl"},
      {"lock incl $0", "=r,0" END, "4", "4", "no incl"},
      {"lock addl $1,$0", "=r,*m,0" END, "4", "44", "no addl"},
      {"lock movl $1,$0", "=*m,r" END, "", "44", "no movl"},
      {"lock", "~{memory}" END, "", "", "no lock"});
}

static void exchanges(void **state) {
  (void)state;
  EXPECT(
      {"xchgq $0, $1", "=*m,=q,*m,1,~{memory}" END, "8", "118",
       "fence, update @0:8 locked"},
      {"xchg $0, $1", "=q,=*m,0" END, "4", "44", "fence, update @0:4 locked"},
      {"lock; xchgb ${0:b},$1", "=q,=*m,0" END, "4", "14",
       "fence, update @0:1 locked"},
      {"xchgb ${0:b},${1:h}", "=Q,0" END, "4", "4", ""},
      {"xchg %ax,%ax", "~{memory}" END, "", "", ""});
}

static void swaps(void **state) {
  (void)state;
  EXPECT({"lock cmpxchgl $3,$0; setz $1", "=*m,={ax},{ax},r,*m" END, "1",
          "4444", "fence, swap @0:4 locked expects 1"},
         {"lock; cmpxchgq $2, $1", "={ax},=*m,r,0,*m" END, "8", "8888",
          "fence, swap @0:8 locked expects 2"},
         {"lock cmpxchg $2,$0; setz $1", "=*m,=*qm,=r,={ax},*m,2,3" END, "44",
          "41444", "fence, swap @0:4 locked expects 4, store @1:1"},
         {"cmpxchgw $2,$0", "=*m,={ax},r,1" END, "2", "222",
          "swap @0:2 expects 2"},
         {"lock cmpxchg16b $0; setz $3",
          "=*m,={ax},={dx},=q,{ax},{dx},{bx},{cx},*m" END, "881", "g8888g",
          "fence, swap @0:16 locked expects 1 2"},
         {"lock cmpxchg8b ($1)", "={ax},r,0,{dx},{bx},{cx}" END, "4", "84444",
          "fence, swap @0:8 locked expects 1 2"},
         /* The expected value comes from memory, or is too short. */
         {"movq 0($4),%rax; movq 8($4),%rdx; lock cmpxchg16b $0; setz $1",
          "=*m,=q,{bx},{cx},q,*m,~{rax},~{rdx}" END, "1", "88888",
          "fence, load @3:8 locked, load @3+8:8 locked, swap @0:16 locked"},
         {"lock cmpxchgq $2, $1", "={ax},=*m,r,0" END, "4", "884",
          "fence, swap @0:8 locked"},
         {"xorl %eax,%eax; lock cmpxchgl $1, $0", "=*m,r,{ax}" END, "", "444",
          "fence, swap @0:4 locked"});
}

/* The first access of each is a load. */
static bool is_copyable(const char *text, const char *constraints,
                        const char *arguments) {
  struct example example = {text, constraints, "8", arguments, ""};
  struct asm_effect effect = effect_of(&example, false);
  assert_true(effect.understood && effect.access[0].kind == ASM_LOAD);
  return effect.access[0].copyable;
}

static void copies(void **state) {
  (void)state;
  assert_true(is_copyable("movq ($1),%rax; lock xaddq %rax,$2",
                          "=r,r,*m,~{rax},~{memory}" END, "88"));
  assert_true(is_copyable("movq $1,%rax; lock xaddq %rax,$2",
                          "=r,*m,*m,~{rax},~{memory}" END, "88"));
  /* The address shows: in a register, in an output, by the register's name. */
  assert_false(is_copyable("movq ($1),%rax; movq $1,%rdx",
                           "=r,r,~{rax},~{rdx}" END, "8"));
  assert_false(is_copyable("movq ($1),%rax", "=r,0,~{rax}" END, "8"));
  assert_false(is_copyable("movq (%rsi),%rax; movq %rsi,%rdx",
                           "=r,{si},~{rax},~{rdx}" END, "8"));
  /* The memory is written, too. */
  assert_false(is_copyable("movq ($1),%rax; movq %rax,8($1)",
                           "=r,r,~{rax},~{memory}" END, "8"));
}

static void bits(void **state) {
  (void)state;
  EXPECT(
      {"lock btsl $2, $0; setc $1", "=*m,=q,q,*m" END, "1", "444",
       "fence, update @0:4 locked bit 1"},
      {"lock btcw ${2:w}, $0", "=*m,=q,q" END, "1", "24",
       "fence, update @0:2 locked bit 1"},
      {"lock btrq $1, $0", "=*m,Jr" END, "", "88",
       "fence, update @0:8 locked bit 1"},
      {"lock btsl $1,$0", "=*m,Ir" END, "", "44",
       "fence, update @0:4 locked bit 1"},
      {"lock btsl $1,$0", "=*m,N" END, "", "41", "fence, update @0:4 locked"},
      {"lock btsl $$40,$0", "=*m" END, "", "4", "fence, update @0:4 locked"},
      {"btl %ecx,$0", "*m,{cx}" END, "", "44", "load @0:4 locked bit 1"},
      {"lock btsl $1,$0", "=*m,Nr" END, "", "44", "no $1"},
      {"lock btsw $1,$0", "=*m,Ir" END, "", "22", "no $1"},
      {"lock btsq ${1:q},$0", "=*m,r" END, "", "84", "no ${1:q}"},
      {"lock btsl %ecx,$0", "=*m,~{ecx}" END, "", "4", "no %ecx"});
}

static void loads_and_stores(void **state) {
  (void)state;
  EXPECT(
      {"movq $1, $0", "=q,*m,~{memory}" END, "8", "1", "load @0:8 locked"},
      {"mov$(l $1, $0$| $0, $1$)", "=r,*m" END, "4", "4", "load @0:4 locked"},
      {"MOVL $1, $0", "=*m,ir" END, "", "44", "store @0:4 locked"},
      {"movw $$0x10, $0", "=*m" END, "", "2", "store @0:2 locked"},
      {"movnti $1,$0", "=*m,r" END, "", "88", "store @0:8 locked"},
      {"movzbl $1,$0; movslq $2,$0", "=&r,*m,*m" END, "8", "14",
       "load @0:1 locked, load @1:4 locked"},
      {"cmpl $$0,$1; sete ${0:b}", "=&r,*m" END, "4", "4", "load @0:4 locked"},
      {"testb $$1,$1; setnz $0", "=*m,*m" END, "", "11",
       "load @1:1 locked, store @0:1 locked"},
      {"addq $1,$0", "=r,*m,0" END, "8", "88", "load @0:8 locked"},
      {"cmovlel $1,$0", "=r,*m,0" END, "4", "44", "load @0:4 locked"},
      {"movdqa $0,%xmm0; movups %xmm0,$1", "*m,*m,~{xmm0}" END, "", "gg",
       "load @0:16, store @1:16"},
      {"movq $0,%xmm0", "*m,~{xmm0}" END, "", "8", "load @0:8 locked"},
      {"vmovdqu $1,$0", "=x,*m" END, "8", "8", "load @0:16"},
      {"mov %xmm0,$0", "=*m" END, "", "8", "no $0"},
      {"mov $1,$0", "=*m,i" END, "", "44", "no $0"},
      {"shl %cl,$0", "=*m,*m,{cx}" END, "", "444", "no $0"});
}

static void addresses(void **state) {
  (void)state;
  EXPECT({"lock xaddl $0,($1)", "=r,r,0,~{memory}" END, "4", "84",
          "fence, update @0:4 locked"},
         {"movl 8($1),$0", "=r,r" END, "4", "8", "load @0+8:4 locked"},
         {"movl -0x10(${1:q}),$0", "=r,r" END, "4", "8", "load @0-16:4 locked"},
         {"movl (%rdi),$0", "=r,{di}" END, "4", "8", "load @0:4 locked"},
         {"movq ($0),$0", "=r,0" END, "8", "8", "load @0:8 locked"},
         {"movl $$1,${0:a}", "r" END, "", "8", "store @0:4 locked"},
         {"movq $$1,${0:H}", "=*m" END, "", "g", "store @0+8:8 locked"},
         {"mov ($0),%rax\n\tmov %rax,($1)", "r,r,~{rax},~{memory}" END, "",
          "88", "load @0:8 locked, store @1:8 locked"},
         {"movl ($1,$2,4),$0", "=r,r,r" END, "4", "88", "no ($1,$2,4)"},
         {"movl (%rdi),$0", "=r,r" END, "4", "8", "no (%rdi)"},
         {"movl %fs:0,$0", "=r" END, "4", "", "no %fs:0"},
         {"movl %gs:($1),$0", "=r,r" END, "4", "8", "no %gs:($1)"},
         {"incl counter(%rip)", "~{memory}" END, "", "", "no counter(%rip)"},
         {"incl counter", "~{memory}" END, "", "", "no counter"},
         {"movl ${1:c},$0", "=r,i" END, "4", "8", "no ${1:c}"},
         {"movl $1,$0", "=r,p" END, "4", "8", "no $1"},
         {"movl 4$1,$0", "=r,*m" END, "4", "8", "no 4$1"},
         {"movl ($1),$0", "=r,r" END, "4", "4", "no ($1)"},
         {"movl ($1),$0", "=r,*m" END, "4", "8", "no ($1)"},
         {"movl 8(%rsp),$0", "=r" END, "4", "", "no 8(%rsp)"},
         {"movl $7,$0", "=r,*m" END, "4", "4", "no $7"});
}

/* An address is not known if its register may have changed. */
static void changed_registers(void **state) {
  (void)state;
  EXPECT({"mov ($0),$0; mov ($0),$0", "=r,0" END, "8", "8", "no ($0)"},
         {"mov ($1),$0; mov $2,$0", "=r,r,*m" END, "8", "88", "no $2"},
         {"mov ($1),$0; mov $2,$0", "=&r,r,*m" END, "8", "88",
          "load @0:8 locked, load @1:8 locked"},
         {"mov ($0),%rax; mov ($1),%rax", "r,r" END, "", "88", "no ($1)"},
         {"cpuid; mov (%rdi),%eax", "{di},~{ax},~{bx},~{cx},~{dx}" END, "", "8",
          "load @0:4 locked"},
         {"cpuid; mov (%rdi),%eax", "{di},~{ax}" END, "", "8", "no (%rdi)"},
         {"mov $0,%rsp", "r" END, "", "8", "no %rsp"});
}

static void no_memory(void **state) {
  (void)state;
  EXPECT({"", "~{memory}" END, "", "", ""}, {"", "=*m,*m" END, "", "44", ""},
         {"", "=r,0,~{memory}" END, "8", "8", ""},
         {"# a comment; movl\n\tnop // another\n/* incl $0\n */ pause",
          "=*m" END, "", "4", ""},
         {"rep; nop", "~{memory}" END, "", "", ""},
         {"rep nop\n", "~{memory}" END, "", "", ""},
         {".p2align 5\n\tnop\n\t.balign 16", END + 1, "", "", ""},
         {"lfence; sfence", "~{memory}" END, "", "", ""},
         {".byte 0xf3,0x90; .byte 15, 162", "={ax},={bx},={cx},={dx}" END,
          "4444", "", ""},
         {".byte 0x0f, 0x01, 0xd0", "={ax},={dx},{cx}" END, "44", "4", ""},
         {".byte 0x0F, 0xAE, 0xF0", "~{memory}" END, "", "", "fence"},
         {"mfence", "~{memory}" END, "", "", "fence"},
         {"cpuid", "={ax},={bx},={cx},={dx},0,2" END, "4444", "44", ""},
         {"lock; addl $$0,0(%rsp)", "~{memory}" END, "", "", "fence"},
         {"lock orq $$0x0,-128(%rsp)", "~{memory}" END, "", "", "fence"},
         {"lock addl $$1,(%rsp)", "~{memory}" END, "", "", "no (%rsp)"},
         {"addl $$0,(%rsp)", "~{memory}" END, "", "", "no (%rsp)"},
         {"prefetcht0 $0; clflush ($1)", "*m,r" END, "", "18", ""},
         {"prefetchw ${0:a}", "im" END, "", "8", ""},
         {"bsrl $1,$0; cmovz $2,$0", "=&r,r,rm" END, "4", "44", ""},
         {"rep; bsf $1,$0", "=r,r" END, "8", "8", ""},
         {"lea 8($1,$2,4),$0; imul $$3,$0,$0; bswapl ${0:k}", "=r,r,r" END, "8",
          "88", ""},
         {"movdqa %xmm1,%xmm0", "~{xmm0}" END, "", "", ""},
         {"pushq %rbx; cpuid; movl %ebx,$1; popq %rbx",
          "={ax},=r,={cx},={dx},0" END, "4444", "4", ""},
         {"pushfq; pop $0", "=r" END, "8", "", ""},
         {"push $0", "r" END, "", "8", "no push"},
         {"pop $0", "=r" END, "8", "", "no pop"},
         {"push %ax; pop %rbx", "~{rbx}" END, "", "", "no push"},
         {"push %rbx; movl $0,%ebx; pop %rbx", "*m" END, "", "4", "no $0"},
         {"dmb ish", "~{memory}" END, "", "", "fence"},
         {"dmb ishld; dsb ishst; isb; yield", "~{memory}" END, "", "", ""},
         {"dmb #11; str w0, [x1]", "~{memory}" END, "", "", "no str"});
}

/* LLVM may keep such an output in a register and store it afterwards. */
static void outputs_in_either(void **state) {
  (void)state;
  EXPECT({"", "=*imr,0" END, "", "44", "store @0:4"},
         {"", "=*r|m,0,~{memory}" END, "", "88", "store @0:8"},
         {"incl $0", "=*rm,0" END, "", "44", "update @0:4"},
         {"cmpl $$0,$0", "=*rm,0" END, "", "44", "load @0:4, store @0:4"},
         {"setz $0; movl $1,%eax", "=*rm,*m,~{ax}" END, "", "14", "no $1"},
         {"movb $$1,$0", "=*rm" END, "", "4", "no $0"},
         {"", "=*rm" END, "", "0", "no output"});
}

static void refused(void **state) {
  (void)state;
  EXPECT({"rdtsc", "={ax},={dx}" END, "44", "", "no rdtsc"},
         {"rdtscp", "={ax},={dx},={cx}" END, "444", "", "no rdtscp"},
         {"rep movsb", "{di},{si},{cx},~{memory}" END, "", "888", "no movsb"},
         {"cld; rep; stosq", "~{memory}" END, "", "", "no stosq"},
         {"repne scasb", "~{memory}" END, "", "", "no repne"},
         {"syscall", "={ax},0,~{memory}" END, "8", "8", "no syscall"},
         {"int $$0x80", "~{memory}" END, "", "", "no int"},
         {"1: lock; decl $0", "=*m" END, "", "4", "no 1:"},
         {"lock decl $0\n\tjz ${1:l}", "*m,!i" END, "", "4", "no jz"},
         {"jmp 1f", "~{cc}" END, "", "", "no jmp"},
         {"call f", "~{memory}" END, "", "", "no call"},
         {"xbegin 1f", "~{memory}" END, "", "", "no xbegin"},
         {"fldl $0", "*m" END, "", "8", "no fldl"},
         {"addpd $0,%xmm0", "*m" END, "", "g", "no addpd"},
         {".pushsection .x; .long 1; .popsection", "~{cc}" END, "", "",
          "no .pushsection"},
         {"nop $| movl $$1,$0 $)", "=*m" END, "", "4", "no nop"},
         {"{nop|pause}", "~{cc}" END, "", "", "no {nop|pause}"},
         {".p2align 4, 0x90", "~{cc}" END, "", "", "no .p2align"},
         {".align", "~{cc}" END, "", "", "no .align"},
         {".byte 0xf3, 0x90, 0x90", "~{cc}" END, "", "", "no .byte"},
         {".byte 0x10f, 0xa2", "~{cc}" END, "", "", "no .byte"},
         {".byte", "~{cc}" END, "", "", "no .byte"},
         {"set* $0", "=*m" END, "", "1", "no set*"},
         {"xlatb", "~{memory}" END, "", "", "no xlatb"},
         {"nop", "r" END, "", "", "no constraints"},
         {"nop", "r" END, "", "88", "no constraints"},
         {"nop", "=r,5" END, "8", "8", "no constraints"},
         {"nop", "{what}" END, "", "8", "no constraints"},
         {"nop;movl $0,%eax;movl $0,%eax;movl $0,%eax;movl $0,%eax;movl $0,%eax"
          ";movl $0,%eax;movl $0,%eax;movl $0,%eax;movl $0,%eax",
          "*m,~{ax}" END, "", "4", "no $0"});
}

static void intel_dialect(void **state) {
  (void)state;
  EXPECT_INTEL(
      {"lock xadd $1,$0", "=*m,=r,*m,1" END, "4", "444",
       "fence, update @0:4 locked"},
      {"mov $0, dword ptr [$1]", "=r,r" END, "4", "8", "load @0:4 locked"},
      {"mov $0, [$1 + 8]", "=r,r" END, "2", "8", "load @0+8:2 locked"},
      {"mov qword ptr [rdi-8], 1", "{di}" END, "", "8", "store @0-8:8 locked"},
      {"LOCK CMPXCHG16B xmmword ptr [$0]", "r,{ax},{dx},{bx},{cx}" END, "",
       "88888", "fence, swap @0:16 locked expects 1 2"},
      {"lock inc byte PTR $0", "=*m" END, "", "4", "fence, update @0:1 locked"},
      {"mov$(l $$4,$0$| dword ptr $0,4$)", "=*m" END, "", "4",
       "store @0:4 locked"},
      {"lock or dword ptr [rsp], 0", "~{memory}" END, "", "", "fence"},
      {"movzx $0, byte ptr [$1]; add eax, 5", "=&r,r,~{eax}" END, "4", "8",
       "load @0:1 locked"},
      {"lock bts $0, $1", "=*m,r" END, "", "44",
       "fence, update @0:4 locked bit 1"},
      {"mov eax, [$0+rsi*4]", "r,~{eax}" END, "", "8", "no [$0+rsi*4]"},
      {"mov eax, fs:[0]", "~{eax}" END, "", "", "no fs:[0]"},
      {"mov eax, counter", "~{eax}" END, "", "", "no counter"},
      {"incl $0", "=*m" END, "", "4", "no incl"});
}

static void memory_is_declared(void **state) {
  (void)state;
  static const struct example none = {"f", "=r,r", "8", "8", ""};
  static const struct example operand = {"f", "*m", "", "8", ""};
  static const struct example clobber = {"f", "~{memory}", "", "", ""};
  assert_false(effect_of(&none, false).declared);
  assert_true(effect_of(&operand, false).declared);
  assert_true(effect_of(&clobber, false).declared);
}

/* ---- random texts ------------------------------------------------------- */

static const char *const pieces[] = {
    "lock",   "rep",    "movl", "xchg",      "cmpxchg16b", "setz",    "cmovl",
    "push",   "pop",    "btsl", "lea",       "nop",        "$0",      "$1",
    "${1:b}", "${0:a}", "$$",   "$$0",       "$(",         "$|",      "$)",
    "(",      ")",      "[",    "]",         "${",         ":",       "}",
    "%",      "%rax",   "%rdi", "rsp",       "%xmm1",      "8",       "-",
    "+",      "0x",     ",",    ";",         "\n",         " ",       "/*",
    "*/",     "//",     "#",    "dword ptr", "{",          "99999999"};
static const char *const kinds[] = {
    "=r",   "r",         "=*m",   "*m", "0", "1", "{ax}", "={dx}", "=&r", "*0",
    "=*rm", "~{memory}", "~{ax}", "~{", "{", "}", "",     "i",     "!i",  "99"};

#define PICK(rng, list) list[rng_next(rng) % (sizeof(list) / sizeof *(list))]

/* Of exactly the size it needs, so that the sanitizer sees reads beyond it. */
static char *random_text(struct rng *rng, bool constraints) {
  char text[400] = "";
  for (unsigned left = (unsigned)(rng_next(rng) % 24); left--;) {
    strcat(text, constraints ? PICK(rng, kinds) : PICK(rng, pieces));
    strcat(text, constraints ? "," : rng_next(rng) & 1 ? " " : "");
  }
  return strdup(text);
}

static void survives_anything(void **state) {
  (void)state;
  struct rng rng;
  rng_seed(&rng, 1);
  unsigned understood = 0;
  for (unsigned round = 0; round < 200000; round++) {
    bool simple = round & 1; /* otherwise few constraints are valid */
    char *text = random_text(&rng, false);
    char *constraints = simple ? strdup("=r,*m,0") : random_text(&rng, true);
    struct example example = {text, constraints, "8", simple ? "88" : "8888",
                              ""};
    struct asm_effect effect = effect_of(&example, rng_next(&rng) & 1);
    understood += effect.understood;
    assert_true(effect.count <= ASM_ACCESSES);
    assert_true(strlen(effect.why) < sizeof effect.why);
    assert_true(effect.understood == !effect.why[0]);
    free(text);
    free(constraints);
  }
  assert_true(understood > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(atomic_operations),
      cmocka_unit_test(exchanges),
      cmocka_unit_test(swaps),
      cmocka_unit_test(copies),
      cmocka_unit_test(bits),
      cmocka_unit_test(loads_and_stores),
      cmocka_unit_test(addresses),
      cmocka_unit_test(changed_registers),
      cmocka_unit_test(no_memory),
      cmocka_unit_test(outputs_in_either),
      cmocka_unit_test(refused),
      cmocka_unit_test(intel_dialect),
      cmocka_unit_test(memory_is_declared),
      cmocka_unit_test(survives_anything),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
