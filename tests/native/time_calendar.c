// Dates from times and text from dates, in UTC.
// expect output "2000-01-01 Sat Sat Jan  1 00:00:00 2000\nTue Feb 29 12:30:00 2000\n1709208000 60\n"
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(void) {
  time_t then = 946684800, leap = 951827400;
  char text[64], line[32];
  struct tm date, parsed = {0};
  localtime_r(&then, &date);
  if (strftime(text, 14, "%Y-%m-%d %a", &date) != 0) // one byte too small
    abort();
  strftime(text, sizeof text, "%Y-%m-%d %a", &date);
  printf("%s %s", text, asctime(gmtime(&then)));
  printf("%s", ctime_r(&leap, line));
  if (!strptime("2024-02-29 12:00", "%Y-%m-%d %H:%M", &parsed))
    abort();
  struct tm odd = {.tm_year = 124, .tm_mon = 0, .tm_mday = 61};
  time_t end = timegm(&odd);
  if (odd.tm_mon != 2 || odd.tm_mday != 1 || mktime(localtime(&end)) != end)
    abort();
  printf("%lld %d\n", (long long)timegm(&parsed), odd.tm_yday);
}
