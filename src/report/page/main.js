// Tabs, the slider, the keyboard, printing.

const get = id => document.getElementById(id);
const lanes = new Lanes(index => go(index)), side = new Side(index => go(index));
const tabs = [];
let current = null; // the schedule that is open

// ---- where we are ----

function go(index) {
  if (!current || !current.steps.length) return;
  current.at = Math.max(0, Math.min(index, current.steps.length - 1));
  draw();
  lanes.reveal();
}

function goRow(row) {
  if (current && current.rows.length)
    go(current.rows[Math.max(0, Math.min(row, current.rows.length - 1))]);
}

function goBy(rows) {
  if (current) goRow(current.rowOf[current.at] + rows);
}

// The next row, in this direction, that another thread takes.
function goSwitch(direction) {
  const s = current;
  let row = s.rowOf[s.at] + direction;
  const thread = i => s.steps[s.rows[i]].thread;
  while (row > 0 && row < s.rows.length && thread(row) === thread(row - 1)) row += direction;
  goRow(row);
}

function draw() {
  const row = current.rowOf[current.at], step = current.steps[current.at];
  const slider = get("slider");
  slider.max = Math.max(0, current.rows.length - 1);
  slider.value = row;
  get("position").textContent = step
    ? "step " + step.number + " of " + current.steps[current.steps.length - 1].number
    : "no steps";
  lanes.draw();
  side.draw(current);
}

// ---- tabs ----

function openSchedule(schedule) {
  current = schedule;
  for (const id of ["outcomes", "nothing"]) get(id).hidden = true;
  get("schedule").hidden = false;
  get("shown").value = schedule.shown;
  drawMessage(schedule);
  lanes.open(schedule);
  draw();
  lanes.reveal();
}

function drawMessage(schedule) {
  const kind = make("span", "kind" + (schedule.warning ? " warning" : ""), schedule.headline);
  const message = get("message");
  message.replaceChildren(kind, schedule.message ? ": " + schedule.message : "");
  if (schedule.place) message.append(" ", make("span", "place", "(" + schedule.place + ")"));
  if (schedule.critical >= 0) {
    const critical = make("button", "to_critical", "\u2605 critical step " + schedule.steps[schedule.critical].number);
    critical.title = CRITICAL;
    critical.addEventListener("click", () => go(schedule.critical));
    message.append(" ", critical);
  }
  if (schedule.replay) message.append(make("br"), make("code", "replay", "heddle replay --gdb " + schedule.replay));
}

function openOutcomes() {
  current = null;
  for (const id of ["schedule", "nothing"]) get(id).hidden = true;
  get("outcomes").hidden = false;
}

function select(tab) {
  for (const other of tabs) other.button.setAttribute("aria-selected", String(other === tab));
  tab.open();
}

function addTab(title, mark, open) {
  const button = make("button");
  button.setAttribute("role", "tab");
  if (mark) button.append(make("span", "mark " + mark, "\u25CF "));
  button.append(title);
  const tab = { button, open };
  button.addEventListener("click", () => select(tab));
  tabs.push(tab);
  get("tabs").append(button);
  return tab;
}

function addOutcomes() {
  const rows = report.outcomes.map(outcome => {
    const row = make("tr"), cell = make("td"), last = make("td");
    cell.append(make("pre", "", outcome.output === "" ? "(nothing)" : outcome.output));
    row.append(cell, make("td", "count", outcome.exit), make("td", "count", outcome.count), last);
    if (outcome.schedule) {
      const schedule = new Schedule(outcome.schedule);
      const button = make("button", "", "a schedule");
      button.addEventListener("click", () => openSchedule(schedule));
      last.append(button);
    }
    return row;
  });
  get("outcome_rows").replaceChildren(...rows);
  addTab("outcomes (" + rows.length + ")", "", openOutcomes);
}

// "data race 2" where there are several.
function titleOf(found) {
  const same = report.found.filter(other => other.headline === found.headline);
  return same.length > 1 ? found.headline + " " + (same.indexOf(found) + 1) : found.headline;
}

function begin() {
  for (const file of report.files) file.lines = file.text === null ? null : file.text.split("\n");
  get("verdict").textContent = report.verdict_text;
  get("verdict").className = report.verdict;
  get("summary").textContent = report.summary;
  for (const found of report.found) {
    const schedule = new Schedule(found);
    addTab(titleOf(found), found.warning ? "warning" : "error", () => openSchedule(schedule));
  }
  if (report.outcomes) addOutcomes();
  if (tabs.length) return select(tabs[0]);
  get("tabs").hidden = true;
  get("nothing").hidden = false;
  get("nothing").textContent = "There is no schedule to show.";
}

// ---- the keyboard and the mouse ----

const KEYS = {
  ArrowDown: () => goBy(1), j: () => goBy(1), ArrowUp: () => goBy(-1), k: () => goBy(-1),
  ArrowRight: () => goBy(1), ArrowLeft: () => goBy(-1),
  PageDown: () => goBy(20), PageUp: () => goBy(-20),
  Home: () => goRow(0), End: () => goRow(Infinity),
  n: () => goSwitch(1), p: () => goSwitch(-1),
  c: () => { if (current.critical >= 0) go(current.critical); },
  f: () => { const from = current.steps[current.at].follows; if (from >= 0) go(from); },
};

addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
  const tab = /^[1-9]$/.test(event.key) ? tabs[event.key - 1] : null;
  if (tab) return select(tab);
  if (!current || !current.steps.length || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});

get("slider").addEventListener("input", event => goRow(Number(event.target.value)));
get("first").addEventListener("click", () => goRow(0));
get("back").addEventListener("click", () => goBy(-1));
get("forth").addEventListener("click", () => goBy(1));
get("last").addEventListener("click", () => goRow(Infinity));
get("shown").addEventListener("change", event => {
  current.show(event.target.value);
  lanes.open(current);
  go(current.at);
});
get("field").addEventListener("mouseover", event => {
  const box = event.target.closest(".box");
  if (box) showTip(get("tip"), current, box);
  else get("tip").hidden = true;
});
get("field").addEventListener("mouseleave", () => { get("tip").hidden = true; });

// ---- on paper ----

const MOST_PRINTED = 3000;

function printedRow(schedule, index) {
  const step = schedule.steps[index], row = make("tr");
  row.append(make("td", "", (index === schedule.critical ? "\u2605 " : "") + (step.flags & LOCAL ? "" : step.number)));
  for (const thread of schedule.lanes)
    row.append(make("td", "", thread.number === step.thread ? step.words : ""));
  row.append(make("td", "", placeText(step)));
  return row;
}

function printedEnds(schedule) {
  const known = schedule.threads.filter(thread => thread.end);
  if (!known.length) return [];
  const foot = make("tbody");
  for (const thread of known) {
    const row = make("tr"), words = make("td", "", thread.end + (thread.stack ? " in " + thread.stack : ""));
    words.colSpan = schedule.lanes.length + 1;
    row.append(make("td", "", threadTitle(thread) + " at the end"), words);
    foot.append(row);
  }
  return [foot];
}

addEventListener("beforeprint", () => {
  const paper = get("paper");
  paper.replaceChildren();
  if (!current) return;
  const head = make("thead"), titles = make("tr");
  for (const title of ["step", ...current.lanes.map(threadTitle), "place"]) titles.append(make("th", "", title));
  head.append(titles);
  const body = make("tbody");
  body.append(...current.rows.slice(0, MOST_PRINTED).map(index => printedRow(current, index)));
  paper.append(head, body, ...printedEnds(current));
  if (current.rows.length > MOST_PRINTED)
    paper.append(make("caption", "", "The first " + MOST_PRINTED + " of " + current.rows.length + " steps"));
});

begin();
