// What stands beside the lanes: the source, values, threads, and the tooltip.

const MOST_LINES = 4000, AROUND = 300, MOST_VALUES = 60;

class Side {
  constructor(pick) {
    this.file = document.getElementById("file");
    this.code = document.getElementById("code");
    this.values = document.getElementById("values");
    this.threads = document.getElementById("threads");
    this.pick = pick;
    this.window = { file: -1, first: 0, end: 0 };
  }

  draw(schedule) {
    this.schedule = schedule;
    const step = schedule.steps[schedule.at];
    if (!step) return;
    this.drawSource(step);
    this.drawValues(step);
    this.drawThreads();
    this.drawEnds();
    const output = schedule.output + schedule.stderr;
    document.getElementById("printed").hidden = !output;
    document.getElementById("output").textContent = output;
  }

  // ---- the source ----

  drawSource(step) {
    this.file.textContent = placeText(step) + (step.fn ? " in " + step.fn + "()" : "");
    if (step.file < 0 || report.files[step.file].lines === null) {
      this.code.replaceChildren(make("pre", "", "The source is not at hand."));
      this.window.file = -1;
      return;
    }
    this.putLines(step.file, step.line);
    this.markLines(step);
  }

  putLines(file, line) {
    const lines = report.files[file].lines, w = this.window;
    if (w.file === file && line > w.first && line <= w.end) return;
    const all = lines.length <= MOST_LINES;
    w.file = file;
    w.first = all ? 0 : Math.max(0, line - AROUND);
    w.end = all ? lines.length : Math.min(lines.length, line + AROUND);
    this.code.replaceChildren(...lines.slice(w.first, w.end).map((text, i) => this.lineElement(text, w.first + i + 1)));
  }

  lineElement(text, number) {
    const element = make("div", "l");
    element.append(make("span", "who"), make("span", "n", number), make("span", "t", text));
    return element;
  }

  // The threads whose latest steps are in this file, by line.
  threadsByLine(file) {
    const s = this.schedule, lines = new Map();
    for (const thread of s.lanes) {
      const latest = s.steps[s.latest(s.threadSteps(thread.number))];
      if (!latest || latest.file !== file) continue;
      lines.set(latest.line, [...(lines.get(latest.line) ?? []), thread]);
    }
    return lines;
  }

  putBadges(line, threads) {
    if (!line) return;
    const shown = threads.length > 2 ? threads.slice(0, 1) : threads;
    line.firstChild.append(...shown.map(thread => badge(thread)));
    if (threads.length > 2) line.firstChild.append(badge(threads[1], "+" + (threads.length - 1)));
    line.firstChild.title = threads.map(threadTitle).join(", ");
  }

  // The line of the step, and where the threads are.
  markLines(step) {
    const s = this.schedule, first = this.window.first;
    for (const old of this.code.querySelectorAll(".l.now")) old.classList.remove("now");
    for (const old of this.code.querySelectorAll(".badge")) old.remove();
    for (const [line, threads] of this.threadsByLine(step.file)) this.putBadges(this.code.children[line - first - 1], threads);
    const line = this.code.children[step.line - first - 1];
    if (!line) return;
    line.classList.add("now");
    const top = line.offsetTop - this.code.offsetTop;
    if (top < this.code.scrollTop + 18 || top > this.code.scrollTop + this.code.clientHeight - 36)
      this.code.scrollTop = top - this.code.clientHeight / 2;
  }

  // ---- values ----

  // What several threads touch, and what this step touches.
  involved(step) {
    const all = this.schedule.variables.filter(v => v.threads.size > 1 || v === step.touches);
    if (all.length <= MOST_VALUES) return all;
    const recent = v => this.schedule.latest(v.steps);
    return all.sort((a, b) => recent(b) - recent(a)).slice(0, MOST_VALUES);
  }

  drawValues(step) {
    const s = this.schedule, rows = [];
    for (const variable of this.involved(step)) {
      const known = s.latest(variable.steps.filter(i => s.steps[i].value !== null));
      const touched = s.latest(variable.steps);
      if (touched < 0) continue;
      const row = make("tr", variable === step.touches ? "touched" : "");
      const by = s.steps[touched];
      row.append(make("td", "", variable.name), known < 0 ? make("td", "dim", by.words) : make("td", "", s.steps[known].value),
        make("td", "by", threadNamed(s, by.thread) + " " + by.number));
      row.title = by.words;
      rows.push(row);
    }
    this.values.replaceChildren(...rows);
  }

  // ---- threads ----

  drawThreads() {
    const s = this.schedule, rows = [];
    for (const thread of s.lanes) {
      const latest = s.steps[s.latest(s.threadSteps(thread.number))];
      const row = make("tr"), name = make("td");
      name.append(badge(thread), " " + (thread.number ? thread.fn ?? "" : ""));
      row.append(name, make("td", "", latest ? latest.words : "has not begun"),
        make("td", "by", latest ? placeText(latest) : ""));
      if (latest) row.addEventListener("click", () => this.pick(latest.index));
      rows.push(row);
    }
    this.threads.replaceChildren(...rows);
  }

  // The state, the locks and the calls of each thread; they do not depend on the step.
  drawEnds() {
    const known = this.schedule.threads.filter(thread => thread.end);
    document.getElementById("ends").hidden = !known.length;
    document.getElementById("end_rows").replaceChildren(...known.map(thread => {
      const row = make("tr"), name = make("td"), words = make("td", "", thread.end);
      name.append(badge(thread), " " + (thread.number ? thread.fn ?? "" : ""));
      if (thread.stack) words.append(make("div", "by", "in " + thread.stack));
      row.append(name, words);
      return row;
    }));
  }
}

const CRITICAL = "The critical step: before it other schedules end well, after it none that was tried.";

function threadNamed(schedule, number) {
  const thread = schedule.threads.find(t => t.number === number);
  return thread ? thread.name : "T" + number;
}

// ---- the tooltip ----

const FOLLOWS = ["sees what was written in", "comes after the release in", "comes after"];

function tipLines(schedule, step) {
  const thread = schedule.threads.find(t => t.number === step.thread);
  const lines = [(thread ? threadTitle(thread) : "T" + step.thread) + " " + step.words,
    (step.fn ? step.fn + "(), " : "") + placeText(step)];
  if (step.follows >= 0) {
    const source = schedule.steps[step.follows];
    lines.push(FOLLOWS[step.link] + " step " + source.number + ": " +
      threadNamed(schedule, source.thread) + " " + source.words);
  }
  if (step.index === schedule.critical) lines.push(CRITICAL);
  if (step.flags & PREEMPTS) lines.push("A preemption: the thread before could have gone on.");
  if (step.flags & LOCAL) lines.push("No step of its own in the search: no other thread can notice it.");
  return lines;
}

function showTip(tip, schedule, box) {
  const step = schedule.steps[box.dataset.step];
  tip.replaceChildren(...tipLines(schedule, step).map(line => make("div", "", line)));
  tip.hidden = false;
  const place = box.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(place.left, innerWidth - tip.offsetWidth - 8)) + "px";
  const below = place.bottom + 6, fits = below + tip.offsetHeight < innerHeight;
  tip.style.top = (fits ? below : place.top - tip.offsetHeight - 6) + "px";
}
