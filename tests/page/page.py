"""The page of --html, looked at in a real browser.  Prints a line for each test.

    tests/page/page.py FOLDER [SCREENSHOTS]

FOLDER has the pages that tests/page.sh made."""

import os
import sys
import time

from browser import Browser

folder = sys.argv[1]
shots = sys.argv[2] if len(sys.argv) > 2 else None
browser = Browser()
failures = 0


def check(name, condition, *facts):
    global failures
    print(("ok" if condition else "not ok") + " - page: " + name)
    if not condition:
        failures += 1
        print("  " + "; ".join(map(str, facts)))


def open_page(name):
    browser.open(os.path.join(folder, name + ".html"))


def shoot(name):
    if shots:
        for dark in (False, True):
            browser.dark(dark)
            browser.screenshot(os.path.join(shots, name + ("-dark" if dark else "") + ".png"))
        browser.dark(False)


def text(selector):
    return browser.run("document.querySelector(%r).textContent" % selector)


def count(selector):
    return browser.run("document.querySelectorAll(%r).length" % selector)


def quiet(name):
    check(name + ": nothing in the console", not browser.problems, browser.problems)
    check(name + ": nothing is fetched", len(browser.requests) == 1, browser.requests)


# ---- a deadlock ----

open_page("deadlock")
check("the verdict", text("#verdict") == "ERROR: deadlock", text("#verdict"))
check("a tab for the error", count("#tabs [role=tab]") == 1)
check("a lane for each thread", browser.run(
    "[...document.querySelectorAll('#names .name')].map(e => e.textContent).join('|')") == "main|T1 worker")
check("it opens at the last step", text("#position") == "step 21 of 21", text("#position"))
check("boxes with words and lines", text(".row.now .box") == "waits on changed:21", text(".row.now .box"))
check("the source beside it", "pthread_cond_wait" in text("#code .l.now") and
      text("#file").endswith("shutdown.c:21 in worker()"), text("#file"))
check("preemptions are marked", count(".row.preempts") == 2, count(".row.preempts"))
check("values", browser.run("[...document.querySelectorAll('#values tr')].some("
                            "r => r.cells[0].textContent === 'stopping' && r.cells[1].textContent === 'true')"))
check("arrows for data, locks and threads", count("#arrows path.data") >= 1 and
      count("#arrows path.lock") >= 1, count("#arrows path"))

browser.key("Home")
check("Home", text("#position") == "step 1 of 21", text("#position"))
for _ in range(8):
    browser.key("ArrowDown")
check("arrow keys", text("#position") == "step 9 of 21", text("#position"))
check("the arrow of this step is strong", count("#arrows path.near") == 1)
check("later steps are dim", count(".row.later") == 12, count(".row.later"))
check("values follow the slider", browser.run(
    "[...document.querySelectorAll('#values tr')].find(r => r.cells[0].textContent === 'jobs').cells[1].textContent") == "1")
browser.hover(".row.now .box")
check("hovering tells whose write was read", "step 5: main writes jobs = 1" in text("#tip"), text("#tip"))
shoot("deadlock")
browser.key("f")
check("f goes to the write that was read", text("#position") == "step 5 of 21", text("#position"))
browser.key("c")
check("c goes to the critical step", text("#position") == "step 20 of 21" and
      count(".row.now .box.critical .star") == 1, text("#position"))
check("where the threads stand", "waits on condition variable changed" in text("#end_rows") and
      "in worker examples/shutdown.c:21" in text("#end_rows"), text("#end_rows"))
browser.key("Home")
browser.key("n")
check("n goes to the next switch", text("#position") == "step 8 of 21", text("#position"))
browser.key("p")
check("p goes back", text("#position") == "step 1 of 21", text("#position"))
browser.run("slider.value = 18; slider.dispatchEvent(new Event('input'))")
check("the slider", text("#position") == "step 19 of 21" and
      "stopping = true" in text("#code .l.now"), text("#position"), text("#code .l.now"))
browser.click("#back")
check("the buttons", text("#position") == "step 18 of 21", text("#position"))
browser.click("#field .row .box")
check("a click on a box", text("#position") == "step 1 of 21", text("#position"))
browser.run("shown.value = 'all'; shown.dispatchEvent(new Event('change'))")
check("every access", count(".box.local") == 1, count(".box.local"))
browser.run("shown.value = 'linked'; shown.dispatchEvent(new Event('change'))")
check("what connects threads", 3 < count(".row") < 21, count(".row"))
light = browser.run("getComputedStyle(document.body).backgroundColor")
browser.dark(True)
check("dark mode", browser.run("getComputedStyle(document.body).backgroundColor") != light)
browser.dark(False)
paper = browser.printed()
check("it can be printed", paper.startswith(b"%PDF") and count("#paper tbody tr") == count(".row") + 2 and
      "T1 worker at the end" in text("#paper"), text("#paper"))
quiet("deadlock")

# ---- several errors, data races, outcomes ----

open_page("several")
titles = browser.run("[...document.querySelectorAll('#tabs [role=tab]')].map(e => e.textContent).join('|')")
check("tabs for errors, races and outcomes",
      titles == "\u25cf assertion failed|\u25cf data race 1|\u25cf data race 2|outcomes (2)", titles)
browser.key("2")
check("a data race has both accesses marked", count(".box.fails") == 2, count(".box.fails"))
shoot("race")
browser.key("4")
check("outcomes in a table", count("#outcome_rows tr") == 2 and "</script>" in text("#outcome_rows"),
      text("#outcome_rows"))
shoot("outcomes")
browser.click("#outcome_rows button")
check("an execution for an outcome", browser.run("!schedule.hidden") and count(".row") > 5 and
      text("#outcome_rows tr pre").strip() in text("#output"), text("#output"))
quiet("several")

# ---- nothing to show ----

open_page("safe")
check("no error", text("#verdict").startswith("SAFE") and browser.run("schedule.hidden && !nothing.hidden"))
quiet("safe")

# ---- 10 000 steps ----

open_page("long")
steps = browser.run("current.steps.length")
check("a long schedule", steps >= 10000, steps)
check("only rows in view are in the document", count(".row") < 100, count(".row"))
spent = browser.effort("for (let i = 0; i < 50; i++) { go(i * 200); document.body.offsetHeight; }") / 50
check("a step in a long schedule is quick", spent < steps / 2, spent)
built = browser.effort("void new Schedule(report.found[0])") / steps
check("a long schedule opens quickly", built < 100, built)
browser.run("go(5000)")
for _ in range(50):  # rows are drawn when the box has scrolled
    if count(".row.now"):
        break
    time.sleep(0.1)
check("the current row is in view", browser.run(
    "(() => { const r = document.querySelector('.row.now').getBoundingClientRect();"
    " const b = lanes.box.getBoundingClientRect(); return r.top > b.top && r.bottom < b.bottom; })()"))
shoot("long")
quiet("long")

browser.close()
sys.exit(failures != 0)
