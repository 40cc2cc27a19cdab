// Regular expressions: what is compiled in one execution serves all others.
// expect optimal: executions 2, blocked 0
// expect output "ab12 1\n"
// expect output "12 1\n"
#include <assert.h>
#include <pthread.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static regex_t words, numbers;
static char found[20];

static void *number(void *text) {
  regmatch_t at[2];
  assert(!regexec(&numbers, text, 2, at, 0) && at[0].rm_so == 3);
  pthread_mutex_lock(&lock);
  strncat(found, (char *)text + at[1].rm_so, (size_t)(at[1].rm_eo - at[1].rm_so));
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  char message[50];
  regmatch_t at = {.rm_so = 0, .rm_eo = 2};
  assert(!regcomp(&words, "^[a-z]+", REG_EXTENDED | REG_NOSUB) && words.re_nsub == 0);
  assert(!regcomp(&numbers, "=([0-9]+)", REG_EXTENDED) && numbers.re_nsub == 1);
  int error = regcomp(&words, "(", REG_EXTENDED);
  assert(error == REG_EPAREN && regerror(error, &words, message, sizeof message) > 5);
  assert(!strcmp(message, "Unmatched ( or \\("));
  assert(!regcomp(&words, "^[a-z]+", REG_EXTENDED | REG_ICASE));
  assert(regexec(&words, "12", 0, 0, 0) == REG_NOMATCH);
  assert(!regexec(&words, "ABC12", 1, &at, REG_STARTEND) && at.rm_eo == 2);
  pthread_create(&thread, 0, number, "ab =12 ");
  pthread_mutex_lock(&lock);
  if (!*found)
    strcpy(found, "ab");
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  printf("%s %d\n", found, !regexec(&words, "q", 0, 0, 0));
  regfree(&words);
  regfree(&numbers);
}
