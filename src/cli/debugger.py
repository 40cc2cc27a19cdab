"""gdb's side of `heddle replay --gdb`.

The threads of the program are coroutines of one kernel thread, so gdb knows one
thread only.  This script shows the others: it puts the registers of a paused
thread into the processor, so that bt, up, info locals and print work on it, and
puts the real ones back before the program goes on.

What it reads is in src/system/native/engine/debugger.h."""

import json
import struct

import gdb

VERSION = 1
NOBODY = (1 << 64) - 1
GO_ON, BACK, SWITCH = 0, 1, 2
NONE, RUNNING, ENDED, GONE, FAILED, ASSUMED, STOPPED = range(7)
STATES = {NONE: "has not begun", ENDED: "has ended", GONE: "has ended with the process",
          FAILED: "has failed", ASSUMED: "stopped by an assumption",
          STOPPED: "stopped by --loop-bound"}
STATE_FIELDS = ("version", "on", "stop_at", "at", "next", "running", "request", "argument",
                "threads", "table")
THREAD_FIELDS = ("sp", "state", "enabled", "start", "words", "object", "site", "target")

# Where heddle_switch keeps the registers of a paused thread: offsets from its
# stack pointer, and what that pointer is when the thread goes on.
LAYOUTS = {
    "i386:x86-64": ({"r15": 0, "r14": 8, "r13": 16, "r12": 24, "rbx": 32, "rbp": 40, "rip": 48},
                    "rsp", 56),
    "aarch64": (dict([("x%d" % (19 + i), 8 * i) for i in range(11)] + [("x30", 88), ("pc", 88)]),
                "sp", 160),
}

facts = {}  # what heddle knows of the error: message, threads, steps, stops


# ---- the program's memory ----

def read_words(address, count):
    return struct.unpack("<%dQ" % count, gdb.selected_inferior().read_memory(address, 8 * count))


def read_string(address):
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string(errors="replace")


def state_address():
    return int(gdb.parse_and_eval("(unsigned long)&heddle_debug"))


class State:
    """heddle_debug at a stop."""

    def __init__(self):
        for name, value in zip(STATE_FIELDS, read_words(state_address(), len(STATE_FIELDS))):
            setattr(self, name, value)
        if self.version != VERSION:
            raise gdb.GdbError("the program has not begun, or was built by another heddle")

    def thread(self, number):
        if number >= self.threads:
            raise gdb.GdbError("there is no thread %d; see heddle threads" % number)
        values = read_words(self.table + 8 * len(THREAD_FIELDS) * number, len(THREAD_FIELDS))
        return dict(zip(THREAD_FIELDS, values))


def set_field(name, value):
    address = state_address() + 8 * STATE_FIELDS.index(name)
    gdb.selected_inferior().write_memory(address, struct.pack("<Q", value))


# ---- threads ----

def thread_name(number):
    return "T%d" % number if number else "main"


def title(number, start=0):
    function = facts["threads"].get(str(number))
    if not function and start:
        symbol = gdb.execute("info symbol 0x%x" % start, to_string=True)
        function = symbol.split(" ")[0]
    return thread_name(number) + (" " + function if function and number else "")


def object_text(thread):
    if thread["site"]:
        name = read_string(thread["site"]).split("\t")[0]
        if name:
            return name
    if thread["object"]:
        symbol = gdb.execute("info symbol 0x%x" % thread["object"], to_string=True)
        if not symbol.startswith("No symbol"):
            return symbol.split(" ")[0]
        return "0x%x" % thread["object"]
    return "memory"


def pending_text(thread):
    words = read_string(thread["words"])
    return words.replace("%v", object_text(thread)).replace("%t", title(thread["target"]))


# ---- looking at a thread ----

class View:
    """The registers of the processor, while those of a thread are in it."""

    real = None    # name -> value, or None: they are in the processor
    thread = None  # the thread that is looked at

    @classmethod
    def layout(cls):
        name = gdb.selected_inferior().architecture().name()
        if name not in LAYOUTS:
            raise gdb.GdbError("threads cannot be looked at on %s" % name)
        return LAYOUTS[name]

    @classmethod
    def put(cls, registers):
        gdb.newest_frame().select()
        for name, value in registers.items():
            gdb.execute("set $%s = 0x%x" % (name, value), to_string=True)

    @classmethod
    def restore(cls):
        if cls.real:
            cls.put(cls.real)
        cls.real = cls.thread = None

    @classmethod
    def look(cls, number):
        state = State()
        thread = state.thread(number)
        cls.restore()
        cls.thread = number
        if number == state.running:
            return
        if not thread["sp"]:
            cls.thread = None
            raise gdb.GdbError("%s %s" % (title(number, thread["start"]),
                                          STATES.get(thread["state"], "is not paused")))
        places, pointer, size = cls.layout()
        frame = gdb.newest_frame()
        frame.select()
        cls.real = {name: int(frame.read_register(name)) & NOBODY for name in [*places, pointer]}
        registers = {name: read_words(thread["sp"] + offset, 1)[0]
                     for name, offset in places.items()}
        cls.put({pointer: thread["sp"] + size, **registers})


def is_program(frame):
    """Is it a frame of the program?  The runtime has no lines."""
    return frame.find_sal().symtab is not None and frame.function() is not None


class ProgramFrames:
    """Leaves the runtime's frames out of gdb's own lists of calls."""

    name, enabled, priority = "heddle", True, 100

    def filter(self, frames):
        return (frame for frame in frames if is_program(frame.inferior_frame()))


def program_frames():
    frame, found = gdb.newest_frame(), []
    while frame:
        if is_program(frame):
            found.append(frame)
        frame = frame.older()
    return found


def select_program_frame():
    frames = program_frames()
    if frames:
        frames[0].select()
    return bool(frames)


def frame_text(level, frame):
    sal, arguments = frame.find_sal(), []
    block = frame.block()
    while block and not block.function:
        block = block.superblock
    for symbol in block or []:
        if symbol.is_argument:
            arguments.append("%s=%s" % (symbol.name, symbol.value(frame)))
    return "#%d  %s (%s) at %s:%d" % (level, frame.name(), ", ".join(arguments),
                                      sal.symtab.filename, sal.line)


def place_text():
    """" at FILE:LINE", or nothing if the thread is not in the program."""
    frames = program_frames()
    if not frames:
        return ""
    sal = frames[0].find_sal()
    return " at %s:%d" % (sal.symtab.filename, sal.line)


def show_frame():
    """As gdb does at a stop: the frame and its line."""
    if select_program_frame():
        gdb.execute("frame")


# ---- stops ----

def step_text(at):
    """The move at this position in words."""
    if at < len(facts["steps"]) and not facts.get("left"):
        number, thread, words, place = facts["steps"][at]
        return "step %d: %s %s (%s)" % (number, title(thread), words, place)
    return "step beyond the recorded schedule"


def say(text):
    gdb.write(text + "\n")


def say_next(state):
    if state.next == NOBODY:
        return
    number = state.next
    say("\nNext is %s" % step_text(state.at))
    View.look(number)
    show_frame()


def say_end(state):
    say("\nThe schedule is at its end: %s" % facts["message"])
    number = facts["thread"]
    waiting = [n for n in range(state.threads)
               if state.thread(n)["state"] == RUNNING and state.thread(n)["sp"]]
    Threads().invoke("", False)
    if waiting:
        View.look(number if number in waiting else waiting[0])
        say("\n%s:" % title(View.thread))
        show_frame()


def say_failed(state):
    say("\n%s fails here: %s" % (title(state.running), facts["message"]))
    View.thread = state.running
    show_frame()


def at_stop(event):
    View.real = View.thread = None
    for breakpoint in getattr(event, "breakpoints", []):
        say_where = PLACES.get(breakpoint.location)
        if say_where:
            state = State()
            set_field("stop_at", next_stop(state.at))  # for gdb's own continue
            say_where(state)


PLACES = {"heddle_debug_move": say_next, "heddle_debug_end": say_end,
          "heddle_debug_failed": say_failed}


# ---- going on ----

def go_on(stop_at, request=GO_ON, argument=0):
    View.restore()
    set_field("stop_at", stop_at)
    set_field("request", request)
    set_field("argument", argument)
    gdb.execute("continue")


def next_stop(at):
    """The next access of a data race, or the end."""
    return min([stop for stop in facts["stops"] if stop > at], default=NOBODY)


def count_of(argument):
    if not argument:
        return 1
    try:
        count = int(argument)
    except ValueError:
        raise gdb.GdbError("%s is not a number" % argument)
    if count < 0:
        raise gdb.GdbError("%s is not a number of steps" % argument)
    return count


def number_of(argument):
    """1, T1 or main"""
    word = argument.strip()
    if word == "main":
        return 0
    if word[:1] == "T":
        word = word[1:]
    if not word.isdigit():
        raise gdb.GdbError("name a thread: main, T1, T2, ...; see heddle threads")
    return int(word)


class Heddle(gdb.Command):
    """The replay of a schedule: heddle threads, thread, bt, step, back, goto, switch, continue."""

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_RUNNING, prefix=True)


class Threads(gdb.Command):
    """heddle threads: all threads of the program, and what each is about to do."""

    def __init__(self):
        super().__init__("heddle threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        state, looked = State(), View.thread
        for number in range(state.threads):
            say(self.line(state, number, looked))
        if looked is not None:
            View.look(looked)
            select_program_frame()

    def line(self, state, number, looked):
        thread = state.thread(number)
        mark = "*" if number == looked else " "
        text = STATES.get(thread["state"])
        if thread["state"] == RUNNING:
            text = self.running(state, number, thread)
        return "%s %-20s %s" % (mark, title(number, thread["start"]), text)

    def running(self, state, number, thread):
        if number != state.running and not thread["sp"]:
            return "is in the middle of a step, in which a new thread began"
        View.look(number)
        where = place_text()
        if number == state.running:
            return "runs" + where
        return ("" if thread["enabled"] else "blocked: ") + pending_text(thread) + where


class Thread(gdb.Command):
    """heddle thread N: look at thread N: bt, up, info locals and print are about it."""

    def __init__(self):
        super().__init__("heddle thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if argument:
            View.look(number_of(argument))
        elif View.thread is None:
            raise gdb.GdbError("no thread is looked at")
        say("[%s]" % title(View.thread))
        show_frame()


class Backtrace(gdb.Command):
    """heddle bt [N|all]: the calls of the program in this thread, in thread N or in all."""

    def __init__(self):
        super().__init__("heddle bt", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        state, looked = State(), View.thread
        if argument == "all":
            threads = [n for n in range(state.threads)
                       if n == state.running or state.thread(n)["sp"]]
        else:
            threads = [number_of(argument)] if argument else [looked]
        for number in threads:
            self.show(state, number, len(threads) > 1 or bool(argument))
        if looked is not None:
            View.look(looked)
            select_program_frame()

    def show(self, state, number, named):
        if number is not None:
            View.look(number)
        if named:
            say("%s:" % title(number, state.thread(number)["start"]))
        for level, frame in enumerate(program_frames()):
            say(frame_text(level, frame))


class Step(gdb.Command):
    """heddle step [COUNT]: take the next step of the schedule, or COUNT of them."""

    def __init__(self):
        super().__init__("heddle step", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        go_on(State().at + count_of(argument))


class Back(gdb.Command):
    """heddle back [COUNT]: take the last step back, or COUNT of them."""

    def __init__(self):
        super().__init__("heddle back", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        state = State()
        target = max(0, state.at - count_of(argument))
        go_on(target, BACK, target)


class Goto(gdb.Command):
    """heddle goto N: to the state before step N of the report, back or on."""

    def __init__(self):
        super().__init__("heddle goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        wanted, state = count_of(argument), State()
        target = next((i for i, step in enumerate(facts["steps"]) if step[0] >= wanted),
                      len(facts["steps"]))
        if target < state.at:
            go_on(target, BACK, target)
        else:
            go_on(target)


class Switch(gdb.Command):
    """heddle switch N: let thread N take the next step.  This leaves the recorded schedule."""

    def __init__(self):
        super().__init__("heddle switch", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        number, state = number_of(argument), State()
        thread = state.thread(number)
        if state.running != NOBODY:
            raise gdb.GdbError("a thread has failed here; heddle back first")
        if not thread["enabled"]:
            raise gdb.GdbError("%s cannot take a step now" % title(number, thread["start"]))
        facts["left"] = facts.get("left") or number != state.next
        go_on(state.at + 1, SWITCH, number)


class Continue(gdb.Command):
    """heddle continue: on to the failure, or to the next access of a data race."""

    def __init__(self):
        super().__init__("heddle continue", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        go_on(next_stop(State().at))


class Restore(gdb.Command):
    """Puts the real registers back: before every command of gdb that lets the program go on."""

    def __init__(self):
        super().__init__("heddle restore", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        View.restore()


def begin(path):
    with open(path, encoding="utf-8") as file:
        facts.update(json.load(file))
    for command in (Heddle, Threads, Thread, Backtrace, Step, Back, Goto, Switch, Continue, Restore):
        command()
    for word in ("continue", "step", "stepi", "next", "nexti", "finish", "until", "advance", "jump"):
        gdb.execute("define hook-%s\nheddle restore\nend" % word)
    for place in PLACES:
        gdb.Breakpoint(place, internal=True).silent = True
    # The runtime's handler stops where the signal came.
    gdb.execute("handle SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT nostop noprint pass", to_string=True)
    gdb.frame_filters[ProgramFrames.name] = ProgramFrames()
    gdb.events.stop.connect(at_stop)


def run():
    """From the start to the failure: before the first move the program stops once."""
    gdb.execute("run", to_string=True)
    View.restore()
    go_on(next_stop(-1))
