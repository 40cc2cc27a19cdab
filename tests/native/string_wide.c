// Wide characters behave as those of the C library.
// expect all: executions 1
// expect output "step 3: wide x|caf\nwords"
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static wchar_t text[20], *block;

static void strings(void) {
  assert(wcslen(L"word") == 4 && wcsnlen(L"word", 2) == 2);
  assert(wcscpy(text, L"ab") == text && wcpcpy(text + 2, L"cd") == text + 4);
  assert(!wcscmp(text, L"abcd") && wcscmp(text, L"abd") < 0);
  assert(!wcsncmp(text, L"abx", 2) && !wcscasecmp(text, L"ABCD"));
  assert(!wcsncasecmp(text, L"ABX", 2) && wcscoll(L"b", L"a") > 0);
  wcsncpy(text, L"xy", 4);
  assert(text[3] == 0 && !wmemcmp(text, L"xy\0", 3));
  assert(!wcscmp(wcscat(text, L"z"), L"xyz"));
  assert(!wcscmp(wcsncat(text, L"123", 2), L"xyz12"));
  assert(wcschr(text, 'z') == text + 2 && !wcschr(text, 'q') && !*wcschr(text, 0));
  assert(wcsrchr(L"abab", 'b')[1] == 0 && wcsstr(text, L"z1") == text + 2);
  assert(!wcsstr(text, L"zz") && wcsspn(text, L"zyx") == 3);
  assert(wcscspn(text, L"21") == 3 && wcspbrk(text, L"2") == text + 4);
  assert(wmemchr(text, '1', 5) == text + 3 && wmemset(text, 'q', 2)[1] == 'q');
  block = wcsdup(L"copy");
  assert(!wcscmp(block, L"copy"));
  free(block);
}

static void conversions(void) {
  wchar_t c, *end;
  char bytes[10];
  const char *from = "12é";
  const wchar_t *wide = L"xyz";
  mbstate_t state = {0};
  assert(wcstol(L"0x1fg", &end, 0) == 31 && *end == 'g');
  assert(wcstod(L"2.5", 0) == 2.5 && wcstoul(L"7", 0, 10) == 7);
  assert(mbstowcs(text, "abc", 20) == 3 && !wcscmp(text, L"abc"));
  assert(mbstowcs(0, "abc", 0) == 3 && mbstowcs(text, "xyz", 2) == 2);
  assert(text[1] == 'y' && text[2] == 'c');
  assert(wcstombs(bytes, L"abc", 10) == 3 && !strcmp(bytes, "abc"));
  assert(mbrtowc(&c, "q", 1, &state) == 1 && c == 'q');
  assert(mbrtowc(&c, "", 1, &state) == 0 && mbtowc(&c, "z", 1) == 1);
  assert(wcrtomb(bytes, 'k', &state) == 1 && *bytes == 'k');
  assert(mbsrtowcs(text, &from, 2, &state) == 2 && *from != '1');
  assert(wcsrtombs(bytes, &wide, 10, &state) == 3 && !wide);
  assert(wctob('a') == 'a' && btowc('a') == 'a' && wctob(300) == EOF);
  errno = 0;
  assert(wcrtomb(bytes, 0x20ac, &state) == (size_t)-1 && errno == EILSEQ);
  assert(wcwidth('a') == 1 && wcswidth(L"abc", 2) == 2);
}

int main(void) {
  char bytes[40];
  strings();
  conversions();
  assert(swprintf(text, 20, L"%d %ls %s", 5, L"wide", "narrow") == 13);
  assert(!wcscmp(text, L"5 wide narrow"));
  assert(swprintf(text, 4, L"%d", 123456) == -1);
  snprintf(bytes, sizeof bytes, "%2$s %1$d %3$*4$d %5$.2s", 5, "x", 7, 4, "abc");
  assert(!strcmp(bytes, "x 5    7 ab"));
  snprintf(bytes, sizeof bytes, "%.3ls|%lc", wcscpy(text, L"caf"), L'q');
  assert(!strcmp(bytes, "caf|q"));
  wprintf(L"step %d: %ls %c|%ls\n", 3, L"wide", 'x', text);
  fputws(L"words", stdout);
}
