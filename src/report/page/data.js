"use strict";
// The report, as the page's own JSON has it, with names for what is in arrays.

const report = JSON.parse(document.getElementById("report").textContent);

const STEP_FIELDS = ["thread", "number", "op", "words", "variable", "value", "file", "line",
  "fn", "flags", "follows", "link", "address"];
const LINKS = ["data", "lock", "thread"];
const PREEMPTS = 1, FAILED = 2, LOCAL = 4, WRITES = 8;

function namedStep(values, index) {
  const step = { index };
  STEP_FIELDS.forEach((field, i) => { step[field] = values[i]; });
  return step;
}

// One schedule with all that is asked about it again and again.
class Schedule {
  constructor(found) {
    Object.assign(this, found);
    this.steps = found.steps.map(namedStep);
    this.lanes = this.findLanes();
    this.variables = this.findVariables();
    this.followers = this.findFollowers();
    this.shown = "steps";
    this.rows = this.findRows();
    this.at = this.rows.at(-1) ?? 0;
  }

  // Threads that move, by number.
  findLanes() {
    const moved = new Set(this.steps.map(step => step.thread));
    return this.threads.filter(thread => moved.has(thread.number));
  }

  // Every variable with the steps that touch it.  Locals of one name are told
  // apart by their address.
  findVariables() {
    const all = new Map();
    for (const step of this.steps) {
      if (step.variable === null) continue;
      const key = step.variable + "@" + step.address;
      if (!all.has(key)) all.set(key, { name: step.variable, steps: [], threads: new Set() });
      const variable = all.get(key);
      variable.steps.push(step.index);
      variable.threads.add(step.thread);
      step.touches = variable;
    }
    return [...all.values()];
  }

  findFollowers() {
    const followers = this.steps.map(() => []);
    for (const step of this.steps)
      if (step.follows >= 0) followers[step.follows].push(step.index);
    return followers;
  }

  isLink(step) {
    return step.follows >= 0 && this.steps[step.follows].thread !== step.thread;
  }

  connects(step) {
    const before = this.steps[step.index - 1];
    return !before || before.thread !== step.thread || this.isLink(step) ||
      step.index === this.steps.length - 1 || this.isMarked(step) ||
      this.followers[step.index].some(i => this.isLink(this.steps[i]));
  }

  // One of the two accesses of a data race.
  isAccess(step) {
    return step.index === this.access || step.index === this.other;
  }

  isShown(step) {
    if (this.shown === "all") return true;
    if (this.shown === "linked") return this.connects(step);
    return !(step.flags & LOCAL) || this.isMarked(step);
  }

  // A step that every view shows.
  isMarked(step) {
    return this.isAccess(step) || step.index === this.critical;
  }

  // The steps that are shown, and for each step the row it is in or after.
  findRows() {
    const rows = this.steps.filter(step => this.isShown(step)).map(step => step.index);
    this.rowOf = new Int32Array(this.steps.length);
    for (let i = 0, row = -1; i < this.steps.length; i++) {
      if (rows[row + 1] === i) row++;
      this.rowOf[i] = Math.max(row, 0);
    }
    return rows;
  }

  show(which) {
    this.shown = which;
    this.rows = this.findRows();
    if (this.rows.length) this.at = this.rows[this.rowOf[this.at]];
  }

  // The last of these rising indices that is at most `at`, or -1.
  latest(indices) {
    let low = 0, high = indices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (indices[middle] <= this.at) low = middle + 1;
      else high = middle;
    }
    return low ? indices[low - 1] : -1;
  }

  threadSteps(number) {
    this.byThread ??= new Map();
    if (!this.byThread.has(number))
      this.byThread.set(number, this.steps.filter(s => s.thread === number).map(s => s.index));
    return this.byThread.get(number);
  }
}

function fileName(step) {
  return step.file >= 0 ? report.files[step.file].name : "?";
}

function placeText(step) {
  return step.line ? fileName(step) + ":" + step.line : fileName(step);
}

function threadTitle(thread) {
  return thread.fn && thread.number ? thread.name + " " + thread.fn : thread.name;
}
