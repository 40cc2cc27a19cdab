#include "report/page_files.h"

/* The compiler runs in the root of the tree. */
#define PAGE_FILE(name, path)                                      \
  extern const char name##_start[], name##_end[];                  \
  __asm__(".pushsection .rodata\n" #name "_start:\n"               \
          ".incbin \"src/report/page/" path "\"\n" #name "_end:\n" \
          ".popsection\n")

PAGE_FILE(page_body_html, "body.html");
PAGE_FILE(page_page_css, "page.css");
PAGE_FILE(page_data_js, "data.js");
PAGE_FILE(page_lanes_js, "lanes.js");
PAGE_FILE(page_side_js, "side.js");
PAGE_FILE(page_main_js, "main.js");

const struct page_file page_body = {page_body_html_start, page_body_html_end};
const struct page_file page_style = {page_page_css_start, page_page_css_end};

const struct page_file page_scripts[] = {
    {page_data_js_start, page_data_js_end},
    {page_lanes_js_start, page_lanes_js_end},
    {page_side_js_start, page_side_js_end},
    {page_main_js_start, page_main_js_end},
};
const size_t page_script_count = sizeof page_scripts / sizeof *page_scripts;
