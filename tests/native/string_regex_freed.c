// A regular expression that was freed.
// expect error misuse
// expect message was freed
#include <regex.h>

int main(void) {
  regex_t numbers;
  regcomp(&numbers, "[0-9]", 0);
  regfree(&numbers);
  regexec(&numbers, "1", 0, 0, 0);
}
