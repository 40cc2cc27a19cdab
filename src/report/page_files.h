/* The parts of the page that are the same for every report: the files in
 * src/report/page, as they are. */
#ifndef REPORT_PAGE_FILES_H
#define REPORT_PAGE_FILES_H

#include "util/embed.h"

extern const struct embedded page_body, page_style;

/* In the order in which they make the script. */
extern const struct embedded page_scripts[];
extern const size_t page_script_count;

#endif
