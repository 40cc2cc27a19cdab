#include "report/page_files.h"

EMBED(page_body_html, "src/report/page/body.html");
EMBED(page_page_css, "src/report/page/page.css");
EMBED(page_data_js, "src/report/page/data.js");
EMBED(page_lanes_js, "src/report/page/lanes.js");
EMBED(page_side_js, "src/report/page/side.js");
EMBED(page_main_js, "src/report/page/main.js");

const struct embedded page_body = EMBEDDED(page_body_html);
const struct embedded page_style = EMBEDDED(page_page_css);

const struct embedded page_scripts[] = {
    EMBEDDED(page_data_js),
    EMBEDDED(page_lanes_js),
    EMBEDDED(page_side_js),
    EMBEDDED(page_main_js),
};
const size_t page_script_count = sizeof page_scripts / sizeof *page_scripts;
