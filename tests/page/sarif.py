"""Reports in SARIF 2.1.0, against what the standard demands of the objects that
heddle writes.  Every property must be known here, and have the type and the
range that the standard gives it.

    tests/page/sarif.py FILE..."""

import json
import os
import re
import sys
from urllib.parse import urlsplit

LEVELS = ("none", "note", "warning", "error")
IMPORTANCE = ("important", "essential", "unimportant")
URI = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*:)?[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*$")


class Wrong(Exception):
    pass


def fail(path, what):
    raise Wrong("%s: %s" % (path, what))


# ---- what a value may be: functions of the value and its path ----

def text(value, path):
    if not isinstance(value, str) or not value:
        fail(path, "not a text")


def boolean(value, path):
    if not isinstance(value, bool):
        fail(path, "not a boolean")


def uri(value, path):
    text(value, path)
    urlsplit(value)
    if not URI.match(value) or re.search(r"%(?![0-9A-F]{2})", value):
        fail(path, "not a URI reference: " + value)


def number(least):
    def check(value, path):
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            fail(path, "not a number from %d on" % least)
    return check


def one_of(words):
    def check(value, path):
        if value not in words:
            fail(path, "%r is none of %s" % (value, words))
    return check


def list_of(item, least=0):
    def check(value, path):
        if not isinstance(value, list) or len(value) < least:
            fail(path, "not a list of at least %d" % least)
        for i, element in enumerate(value):
            item(element, "%s[%d]" % (path, i))
    return check


def object_of(required, optional):
    def check(value, path):
        if not isinstance(value, dict):
            fail(path, "not an object")
        for key in required:
            if key not in value:
                fail(path, "lacks " + key)
        for key, inner in value.items():
            known = required.get(key) or optional.get(key)
            if not known:
                fail(path, "%s is not a property of it" % key)
            known(inner, path + "." + key)
    return check


def values_of(item):
    def check(value, path):
        if not isinstance(value, dict):
            fail(path, "not an object")
        for key, inner in value.items():
            item(inner, path + "." + key)
    return check


def anything(value, path):
    if not isinstance(value, dict):
        fail(path, "not a property bag")


message = object_of({"text": text}, {})
physical = object_of({"artifactLocation": object_of({"uri": uri}, {})},
                     {"region": object_of({"startLine": number(1)}, {})})
logical = object_of({"name": text}, {"kind": text})
location = object_of({}, {"id": number(0), "message": message, "physicalLocation": physical,
                          "logicalLocations": list_of(logical)})
flow_step = object_of({"location": location},
                      {"executionOrder": number(0), "importance": one_of(IMPORTANCE),
                       "state": values_of(message)})
thread_flow = object_of({"locations": list_of(flow_step, 1)}, {"id": text, "message": message})
code_flow = object_of({"threadFlows": list_of(thread_flow, 1)}, {"message": message})
result = object_of({"message": message, "ruleId": text, "level": one_of(LEVELS)},
                   {"ruleIndex": number(0), "locations": list_of(location),
                    "relatedLocations": list_of(location), "codeFlows": list_of(code_flow),
                    "partialFingerprints": values_of(text), "properties": anything})
rule = object_of({"id": text}, {"shortDescription": message})
driver = object_of({"name": text}, {"version": text, "rules": list_of(rule)})
notification = object_of({"message": message}, {"level": one_of(LEVELS)})
invocation = object_of({"executionSuccessful": boolean},
                       {"toolExecutionNotifications": list_of(notification)})
run = object_of({"tool": object_of({"driver": driver}, {}), "results": list_of(result)},
                {"invocations": list_of(invocation), "properties": anything})
log = object_of({"version": one_of(("2.1.0",)), "runs": list_of(run)}, {"$schema": uri})


# ---- what no type says ----

def orders(flow):
    return [step["executionOrder"] for thread in flow["threadFlows"] for step in thread["locations"]]


def check_result(found, rules):
    if rules[found["ruleIndex"]]["id"] != found["ruleId"]:
        fail(found["ruleId"], "ruleIndex is another rule's")
    for flow in found.get("codeFlows", []):
        for thread in flow["threadFlows"]:
            inner = [step["executionOrder"] for step in thread["locations"]]
            if inner != sorted(set(inner)):
                fail(found["ruleId"], "executionOrder does not rise")
        if len(orders(flow)) > 1000:
            fail(found["ruleId"], "a flow has more than 1000 steps")
    flows = [sorted(orders(flow)) for flow in found.get("codeFlows", [])]
    if len(flows) > 1 and flows[0] != flows[1]:
        fail(found["ruleId"], "the flows have different steps")


def check_file(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    log(report, os.path.basename(path))
    for one in report["runs"]:
        for found in one["results"]:
            check_result(found, one["tool"]["driver"]["rules"])
    return report["runs"][0]


def check_contents(name, one):
    """What the reports that tests/page.sh makes must say."""
    levels = [found["level"] for found in one["results"]]
    wanted = {"deadlock": ["error"], "several": ["error", "warning", "warning"], "safe": [],
              "incomplete": [], "model": ["error"], "long": ["error"]}.get(name)
    if wanted is not None and levels != wanted:
        fail(name, "levels %s, expected %s" % (levels, wanted))
    if name == "incomplete" and "toolExecutionNotifications" not in one["invocations"][0]:
        fail(name, "does not say that it is incomplete")
    if name == "deadlock":
        found = one["results"][0]
        threads = [flow["id"] for flow in found["codeFlows"][1]["threadFlows"]]
        if threads != ["main", "T1 worker"]:
            fail(name, "threads %s" % threads)
        place = found["locations"][0]["physicalLocation"]
        if place["artifactLocation"]["uri"] != "examples/shutdown.c":
            fail(name, "uri " + place["artifactLocation"]["uri"])


bad = 0
for argument in sys.argv[1:]:
    title = os.path.basename(argument)[:-len(".sarif")]
    try:
        check_contents(title, check_file(argument))
        print("ok - page: SARIF, " + title)
    except (Wrong, ValueError, KeyError, IndexError) as problem:
        print("  %r" % problem)
        print("not ok - page: SARIF, " + title)
        bad = 1
sys.exit(bad)
