# Compares the reports of a program with its head: see expect.sh.
#
#   awk -v folder=DIR -f expect.awk SOURCE RUNS FACTS
#
# RUNS has a line for each run, NAME ALGORITHM EXIT-CODE LABEL, tabs between
# them; the report is DIR/NAME.json, and DIR/NAME.txt its text.  FACTS is what
# facts() says of the reports.  A line is printed for each difference.
BEGIN {
  FS = "\t"
}

function say(text) {
  print "  " label ": " text
}

# ---- the program ------------------------------------------------------------

function note_place(line,    other) {
  if (line ~ /race with line [0-9]+/) {
    other = line
    sub(/.*race with line /, "", other)
    sub(/[^0-9].*/, "", other)
    place_other[places + 1] = other
  }
  place[++places] = FNR
}

FILENAME == ARGV[1] {
  if ($0 ~ /\/\/ expect (race with line [0-9]+|[a-z]+ here)/)
    note_place($0)
  if ($0 ~ /^\/\/ counts differ/)
    counts_differ = 1
  if ($0 ~ /^\/\/ waits for several places/)
    several_places = 1
  if ($0 !~ /^(\/\/|#) expect /)
    next
  sub(/^(\/\/|#) expect /, "")
  if ($0 ~ /^incomplete/)
    incomplete = 1
  if (sub(/^error /, "")) {
    sub(/ .*/, "")
    wanted_kind[$0]
    erroneous = 1
  } else if (sub(/^output /, ""))
    wanted_output[++outputs] = $0
  else if (sub(/^message /, ""))
    message[++messages] = $0
  else if ($0 ~ /: /)
    count[++counts] = $0
  next
}

FILENAME == ARGV[2] {
  run[++runs] = $1
  algorithm[$1] = $2
  code[$1] = $3
  label_of[$1] = $4
  next
}

# ---- the reports ------------------------------------------------------------

{
  name = substr($1, length(folder) + 2)
  sub(/\.json$/, "", name)
  if ($2 == "error")
    found_kind[name, $3]
  else if ($2 == "output")
    found_output[name, ++found_outputs[name]] = $3
  else
    value[name, $2] = $3
}

function check_verdict(name,    i, part, found, wanted) {
  split("", found)
  for (i in found_kind) {
    split(i, part, SUBSEP)
    if (part[1] == name)
      found[part[2]]
  }
  for (i in found)
    if (!(i in wanted_kind))
      say("unexpected error: " i)
  for (i in wanted_kind)
    if (!(i in found))
      say("no error: " i)
  wanted = erroneous ? 1 : incomplete ? 3 : 0
  if (code[name] "" != wanted "")
    say("exit code " code[name] ", expected " wanted)
}

# What stateful counts means nothing, so "all" does not mean it.  Of pop the
# counts of optimal are expected.
function concerns(who, name) {
  if (who == "all")
    return name != "stateful" && name !~ / --retries/
  return who == (name == "pop" ? "optimal" : name)
}

function check_counts(name,    i, j, at, n, item, pair, found) {
  for (i = 1; i <= counts; i++) {
    at = index(count[i], ":")
    if (!concerns(substr(count[i], 1, at - 1), algorithm[name]))
      continue
    n = split(substr(count[i], at + 1), item, ",")
    for (j = 1; j <= n; j++) {
      if (split(item[j], pair, " +") != 3 || pair[1] != "")
        say("this is no expectation: " item[j])
      found = value[name, pair[2]]
      if (found "" != pair[3] "")
        say(pair[2] " is " found ", expected " pair[3])
    }
  }
}

# Models: the last value of a variable is no behaviour if no event reads it.
function behaviour(text, name) {
  if (ARGV[1] ~ /\.model$/ && algorithm[name] ~ /^(observers|dc)$/)
    sub(/^"[^|]*/, "\"", text)
  return text
}

function check_outputs(name,    i, wanted, found) {
  split("", wanted)
  split("", found)
  for (i = 1; i <= outputs; i++)
    wanted[behaviour(wanted_output[i], name)]
  for (i = 1; i <= found_outputs[name]; i++)
    found[behaviour(found_output[name, i], name)]
  if (!outputs)
    return
  for (i in wanted)
    if (!(i in found))
      say("not printed: " i)
  for (i in found)
    if (!(i in wanted))
      say("unexpected output: " i)
}

function check_printed(name) {
  if (code[name] !~ /^[13]$/)
    say("exit code " code[name])
  value[name, "lost"] = outputs - found_outputs[name]
  check_counts(name)
}

# ---- what the report says ---------------------------------------------------

function mentions(text, number) {
  return text ~ (":" number "([^0-9A-Za-z_]|$)")
}

function in_order(text, one, other) {
  return text ~ (":" one "[^0-9A-Za-z_].*:" other "([^0-9A-Za-z_]|$)")
}

function check_text(name,    file, line, i, rest) {
  if (!messages && !places)
    return
  split("", said)
  races = ""
  file = folder "/" name ".txt"
  while ((getline line < file) > 0) {
    for (i = 1; i <= messages; i++)
      if (index(line, message[i]))
        said["message", i]
    for (i = 1; i <= places; i++)
      if (mentions(line, place[i]))
        said["place", i]
    if (line ~ /data race/)
      rest = 4
    if (rest-- > 0)
      races = races line " "
  }
  close(file)
  for (i = 1; i <= messages; i++)
    if (!(("message", i) in said))
      say("the report lacks: " message[i])
  for (i = 1; i <= places; i++)
    check_place(i)
}

function check_place(i) {
  if (!(i in place_other)) {
    if (!(("place", i) in said))
      say("nothing reported at line " place[i])
  } else if (!in_order(races, place[i], place_other[i]) &&
             !in_order(races, place_other[i], place[i]))
    say("no race between lines " place[i] " and " place_other[i])
}

# ---- reports that are compared with each other ------------------------------

# Whatever the way of going back, the report is the same, times and steps aside.
function compare_modes(name,    other) {
  other = name
  if (!sub(/-replay$/, "-undo", other) || !(other in code))
    return
  label = algorithm[name]
  if (value[name, "stable"] "" != value[other, "stable"] "")
    say("undo and replay differ: " folder "/" label "-{undo,replay}.json")
}

# optimal and pop explore as many executions as naive sees traces.  They begin
# none in vain, except where a thread waits in a loop for several places at once.
function compare_with_naive(name,    sum) {
  if (!(("naive-undo", "traces") in value) ||
      !((name, "executions") in value) || incomplete ||
      "nondeterminism" in wanted_kind)
    return
  sum = value[name, "executions"] + value[name, "blocked"]
  if (value["naive-undo", "traces"] "" != sum "" &&
      !(counts_differ && value["naive-undo", "traces"] + 0 > sum + 0))
    print "  naive sees " value["naive-undo", "traces"] " traces, " name " " sum
  if (value[name, "blocked"] "" != "0" && !several_places)
    print "  " name " is blocked"
}

END {
  for (i = 1; i <= runs; i++) {
    name = run[i]
    label = label_of[name]
    if (algorithm[name] ~ / --as-printed$/) {
      check_printed(name)
      continue
    }
    check_verdict(name)
    check_counts(name)
    check_outputs(name)
    check_text(name)
    if (algorithm[name] == "optimal")
      last_optimal = name
    if (algorithm[name] == "pop" && first_pop == "")
      first_pop = name
  }
  for (i = 1; i <= runs; i++)
    compare_modes(run[i])
  compare_with_naive(last_optimal)
  compare_with_naive(first_pop)
}
