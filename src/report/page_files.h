/* The parts of the page that are the same for every report: the files in
 * src/report/page, as they are. */
#ifndef REPORT_PAGE_FILES_H
#define REPORT_PAGE_FILES_H

#include <stddef.h>

struct page_file {
  const char *start;
  const char *end;
};

extern const struct page_file page_body, page_style;

/* In the order in which they make the script. */
extern const struct page_file page_scripts[];
extern const size_t page_script_count;

#endif
