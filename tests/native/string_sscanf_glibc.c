// sscanf does what glibc's does, with formats and strings put together at random:
// the number is what this program prints without heddle.
// expect all: executions 1
// expect output "3255049731\n"
// algorithms optimal
#include <stdio.h>
#include <string.h>

static const char *const formats[] = {
    "%d",  "%i",  "%u",    "%x",     "%o",    "%hd", "%hhd", "%ld", "%lld",
    "%5d", "%2i", "%f",    "%lf",    "%4lf",  "%s",  "%3s",  "%p",  "%[a-z]",
    "%c",  "%3c", "%[^,]", "%[]x]",  "%*d",   "%n",  "%*s",  "%%",  "%[0-9.-]",
    " ",   ",",   "x",     "%1d",   "%g",  "%2x",  "%zu", "%jd"};
static const char *const strings[] = {
    "12",  "-3",  "0x1f", "0x",   "0xg",      "+7",  "abc",      "ABC",
    " ",   "\n",  ",",    "x",    "]",        "1.5", "-2e3",     "1e",
    "1e+", "inf", "nan",  "infi", "infinity", ".5",  "0x1.8p3",  ".",
    "-",   "+",   "017",  "089",  "(nil)",    "(ni", "99999999999999999999",
    "%",   "0",   "00",   "\t",   "3.",       "na",  "-99999999999999999999"};

static unsigned next_random(void) {
  static unsigned state = 7;
  state = state * 1103515245 + 12345;
  return state >> 16;
}

int main(void) {
  unsigned sum = 0;
  for (int n = 0; n < 400; n++) {
    char format[64] = "", string[128] = "";
    unsigned char values[3][160];
    memset(values, 0x55, sizeof values);
    for (unsigned i = 0; i <= n % 3; i++)
      strcat(format, formats[next_random() % (sizeof formats / sizeof *formats)]);
    for (unsigned i = next_random() % 5; i > 0; i--)
      strcat(string, strings[next_random() % (sizeof strings / sizeof *strings)]);
    sum = sum * 31 + (unsigned)sscanf(string, format, values[0], values[1], values[2]);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 24; k++)
        sum = sum * 31 + values[i][k];
  }
  printf("%u\n", sum);
}
