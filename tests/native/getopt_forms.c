// What glibc's getopt answers: code, argument, optind and optopt.
// expect output "120(-,1,0) 110(2,2,0) 120(-,4,0) -1(-,4,0) -xn2 -x -- y -x\n63(-,2,110) -1(-,2,110) -n\n58(-,2,110) -1(-,2,110) -n\n-1(-,1,110) y -x\n1(y,2,110) 120(-,3,110) 1(z,4,110) -1(-,4,110) y -x z\n110(-,2,110) 110(3,4,110) -1(-,3,110) -n -n3 2\n97(-,2,110) 98(1,4,110) 98(2,5,110) 66(-,7,110) 66(3,8,110) -1(-,7,110) --alpha --beta 1 --beta=2 --bells --bells=3 x\n63(-,2,0) 0(-,3,0) 97(-,4,0) 63(-,5,97) 63(-,6,0) 63(-,7,98) -1(-,7,98) --be --fla --al --alpha=3 --nope --beta\n97(-,2,98) 98(1,4,98) 63(-,5,0) 97(-,5,0) 63(-,6,98) -1(-,6,98) -alpha -beta 1 -be -ab rest\n"
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>

static int flag;
static const struct option longs[] = {
    {"alpha", no_argument, 0, 'a'},       {"beta", required_argument, 0, 'b'},
    {"bells", optional_argument, 0, 'B'}, {"flag", no_argument, &flag, 7},
    {"flask", no_argument, &flag, 7},     {0}};

enum form { SHORT, LONG, ONLY };

static int next(const char *shorts, enum form form, int argc, char **argv) {
  switch (form) {
  case SHORT:
    return getopt(argc, argv, shorts);
  case LONG:
    return getopt_long(argc, argv, shorts, longs, 0);
  default:
    return getopt_long_only(argc, argv, shorts, longs, 0);
  }
}

static void run(const char *shorts, enum form form, char **argv) {
  int argc = 0, code;
  while (argv[argc])
    argc++;
  optind = 0; // anew
  do {
    code = next(shorts, form, argc, argv);
    printf("%d(%s,%d,%d) ", code, optarg ? optarg : "-", optind, optopt);
  } while (code != -1);
  for (int i = 1; i < argc; i++)
    printf("%s%s", argv[i], i + 1 < argc ? " " : "\n");
}

#define RUN(shorts, form, ...)                \
  do {                                        \
    char *words[] = {"program", __VA_ARGS__}; \
    run(shorts, form, words);                 \
  } while (0)

int main(void) {
  opterr = 0;
  RUN("n:x", SHORT, "-xn2", "y", "-x", "--", "-x", 0);
  RUN("n:x", SHORT, "-n", 0);
  RUN(":n:x", SHORT, "-n", 0);
  RUN("+n:x", SHORT, "y", "-x", 0);
  RUN("-n:x", SHORT, "y", "-x", "z", 0);
  RUN("n::x", SHORT, "-n", "2", "-n3", 0);
  RUN("", LONG, "--alpha", "--beta", "1", "--beta=2", "x", "--bells",
      "--bells=3", 0);
  RUN("ab", LONG, "--be", "--fla", "--al", "--alpha=3", "--nope", "--beta", 0);
  RUN("a", ONLY, "-alpha", "-beta", "1", "-be", "-ab", "rest", 0);
}
