// The threads as lanes from top to bottom.  Only the rows in view are in the
// document, so that long schedules stay quick.

const ROW = 26, GUTTER = 56, NARROWEST = 228, GAP = 38, HEAD = 30, BEYOND = 12;
const HUES = [212, 145, 28, 275, 340, 180, 55, 100];

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function makeSvg(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function hueOf(number) {
  return HUES[number % HUES.length];
}

function badge(thread, text) {
  const element = make("span", "badge", text ?? thread.name);
  element.style.setProperty("--hue", hueOf(thread.number));
  return element;
}

// In a box there is little room; the tooltip has all the words.
function shortWords(step) {
  return step.words.replace(/^atomically /, "").replace(/^(creates|joins) a thread: (\S+).*/, "$1 $2");
}

class Lanes {
  constructor(pick) {
    this.box = document.getElementById("lanes");
    this.names = document.getElementById("names");
    this.field = document.getElementById("field");
    this.pick = pick;
    this.box.addEventListener("scroll", () => this.draw());
    addEventListener("resize", () => { if (this.schedule) this.open(this.schedule); });
  }

  open(schedule) {
    this.schedule = schedule;
    const count = Math.max(1, schedule.lanes.length);
    this.width = Math.max(NARROWEST, Math.floor((this.box.clientWidth - GUTTER - 8) / count));
    this.laneOf = new Map(schedule.lanes.map((thread, i) => [thread.number, i]));
    const total = GUTTER + count * this.width;
    this.names.style.width = this.field.style.width = total + "px";
    this.field.style.height = schedule.rows.length * ROW + "px";
    this.names.replaceChildren(...schedule.lanes.map(thread => this.nameOf(thread)));
    this.draw();
  }

  left(number) {
    return GUTTER + this.laneOf.get(number) * this.width;
  }

  nameOf(thread) {
    const element = make("div", "name", thread.name);
    if (thread.fn && thread.number) element.append(" ", make("small", "", thread.fn));
    element.style.setProperty("--hue", hueOf(thread.number));
    element.style.left = this.left(thread.number) + "px";
    element.style.width = this.width - 8 + "px";
    return element;
  }

  // The first row in view and the one behind the last.
  range() {
    const rows = this.schedule.rows.length;
    const first = Math.floor(this.box.scrollTop / ROW) - BEYOND;
    const count = Math.ceil(this.box.clientHeight / ROW) + 2 * BEYOND;
    return [Math.max(0, Math.min(first, rows - count)), Math.min(rows, first + count)];
  }

  draw() {
    if (!this.schedule) return;
    const [first, end] = this.range();
    const drawn = this.schedule.lanes.map(thread => this.laneLine(thread));
    for (let row = first; row < end; row++) drawn.push(this.rowElement(row));
    drawn.push(this.arrows(first, end));
    this.field.replaceChildren(...drawn);
  }

  laneLine(thread) {
    const element = make("div", "lane");
    element.style.left = this.left(thread.number) - 4 + "px";
    return element;
  }

  rowElement(row) {
    const s = this.schedule, step = s.steps[s.rows[row]];
    const before = row ? s.steps[s.rows[row - 1]] : null;
    const element = make("div", "row");
    element.style.top = row * ROW + "px";
    element.classList.toggle("now", step.index === s.at);
    element.classList.toggle("later", step.index > s.at);
    element.classList.toggle("switch", !!before && before.thread !== step.thread);
    element.classList.toggle("preempts", !!(step.flags & PREEMPTS));
    element.append(make("span", "number", step.flags & LOCAL ? "" : step.number), this.boxOf(step));
    return element;
  }

  boxOf(step) {
    const s = this.schedule;
    const element = make("button", "box");
    element.tabIndex = -1;
    element.dataset.step = step.index;
    element.style.setProperty("--hue", hueOf(step.thread));
    element.style.left = this.left(step.thread) + "px";
    element.style.width = this.width - GAP + "px";
    element.classList.toggle("writes", !!(step.flags & WRITES));
    element.classList.toggle("local", !!(step.flags & LOCAL));
    element.classList.toggle("fails", s.isAccess(step) || step.index === s.fails);
    element.classList.toggle("critical", step.index === s.critical);
    if (step.index === s.critical) element.append(make("span", "star", "\u2605 "));
    element.append(make("span", "words", shortWords(step)), make("span", "at", step.line ? ":" + step.line : ""));
    element.addEventListener("click", () => this.pick(step.index));
    return element;
  }

  // Arrows between threads that begin or end in view.
  arrows(first, end) {
    const s = this.schedule;
    const svg = makeSvg("svg", { id: "arrows", width: "100%", height: (end - first) * ROW });
    svg.style.top = first * ROW + "px";
    svg.append(this.tips());
    const from = s.rows[first] ?? 0, to = s.rows[end - 1] ?? -1;
    const seen = new Set();
    const add = i => {
      const step = s.steps[i];
      if (!seen.has(i) && s.isLink(step) && s.isShown(step) && s.isShown(s.steps[step.follows]))
        svg.append(this.arrow(step, first));
      seen.add(i);
    };
    for (let i = from; i <= to; i++) {
      add(i);
      s.followers[i].forEach(add);
    }
    return svg;
  }

  tips() {
    const all = makeSvg("defs", {});
    for (const kind of LINKS) {
      const tip = makeSvg("marker", { id: kind + "_tip", viewBox: "0 0 8 8", refX: 7, refY: 4,
        markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" });
      tip.append(makeSvg("path", { d: "M0 0 L8 4 L0 8 z", class: kind + "_tip" }));
      all.append(tip);
    }
    return all;
  }

  arrow(step, first) {
    const s = this.schedule, source = s.steps[step.follows], kind = LINKS[step.link];
    const rightwards = this.laneOf.get(source.thread) < this.laneOf.get(step.thread);
    const x1 = this.left(source.thread) + (rightwards ? this.width - GAP : 0);
    const x2 = this.left(step.thread) + (rightwards ? 0 : this.width - GAP);
    const y1 = (s.rowOf[source.index] - first + .5) * ROW, y2 = (s.rowOf[step.index] - first + .5) * ROW;
    const bend = rightwards ? 26 : -26;
    const near = step.index === s.at || source.index === s.at;
    return makeSvg("path", { class: kind + (near ? " near" : ""), "marker-end": `url(#${kind}_tip)`,
      d: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` });
  }

  // Brings the row of the current step into view.
  reveal() {
    const top = this.schedule.rowOf[this.schedule.at] * ROW, box = this.box;
    const height = box.clientHeight - HEAD;
    if (top < box.scrollTop + ROW || top > box.scrollTop + height - 2 * ROW)
      box.scrollTop = Math.max(0, top - height / 2);
    const left = this.left(this.schedule.steps[this.schedule.at].thread);
    if (left < box.scrollLeft + GUTTER || left + this.width - GAP > box.scrollLeft + box.clientWidth)
      box.scrollLeft = Math.max(0, left - (box.clientWidth - this.width) / 2);
  }
}
