"""A headless Chromium, driven through its DevTools protocol over two pipes."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 120  # seconds for one answer


class Browser:
    def __init__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if not program:
            raise SystemExit("chromium is not installed; apt-get install chromium")
        self.folder = tempfile.mkdtemp()
        read_end, self.to = os.pipe()
        self.come, write_end = os.pipe()
        self.process = self.start(program, read_end, write_end)
        os.close(read_end)
        os.close(write_end)
        self.count = 0
        self.bytes = b""
        self.session = None
        self.problems = []  # messages in the console, exceptions
        self.requests = []  # what the page fetches

    # The browser expects its pipes at descriptors 3 and 4.
    def start(self, program, read_end, write_end):
        words = [program, "--headless=new", "--remote-debugging-pipe", "--no-first-run",
                 "--disable-gpu", "--disable-extensions", "--disable-background-networking",
                 "--disable-dev-shm-usage", "--hide-scrollbars", "--user-data-dir=" + self.folder]
        if os.getuid() == 0:
            words.append("--no-sandbox")
        command = 'exec 3<&"$0" 4>&"$1"; shift; exec "$@"'
        return subprocess.Popen(["bash", "-c", command, str(read_end), str(write_end), *words],
                                pass_fds=(read_end, write_end), stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    # ---- messages ----

    def receive(self, deadline):
        while b"\0" not in self.bytes:
            ready = select.select([self.come], [], [], max(0, deadline - time.time()))[0]
            more = os.read(self.come, 1 << 20) if ready else b""
            if not more:
                raise SystemExit("the browser does not answer")
            self.bytes += more
        message, self.bytes = self.bytes.split(b"\0", 1)
        return json.loads(message)

    def note(self, message):
        method, what = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled":
            self.problems.append(str([a.get("value") for a in what["args"]]))
        elif method == "Log.entryAdded":
            self.problems.append(what["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(what["request"]["url"])

    def ask(self, method, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        deadline = time.time() + PATIENCE
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise SystemExit(method + ": " + answer["error"]["message"])
                return answer.get("result", {})
            self.note(answer)

    # ---- a page ----

    def open(self, path, width=1280, height=800):
        self.session = None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(domain + ".enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)
        self.problems.clear()
        self.requests.clear()
        self.ask("Page.navigate", url="file://" + os.path.abspath(path))
        deadline = time.time() + PATIENCE
        while not self.run("document.readyState === 'complete' && location.protocol === 'file:'"):
            if time.time() > deadline:
                raise SystemExit(path + ": the page does not load")
            time.sleep(0.02)

    def run(self, expression):
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True,
                          awaitPromise=True)
        if "exceptionDetails" in answer:
            raise SystemExit(expression + ": " +
                             answer["exceptionDetails"].get("exception", {}).get("description", "?"))
        return answer["result"].get("value")

    def effort(self, expression):
        """How many blocks of the page's scripts are run for it: the same on every machine."""
        self.ask("Profiler.enable")
        self.ask("Profiler.startPreciseCoverage", callCount=True, detailed=True)
        self.run(expression)
        scripts = self.ask("Profiler.takePreciseCoverage")["result"]
        self.ask("Profiler.stopPreciseCoverage")
        return sum(part["count"] for script in scripts for function in script["functions"]
                   for part in function["ranges"])

    def key(self, key):
        codes = {"ArrowDown": 40, "ArrowUp": 38, "Home": 36, "End": 35}
        code = codes.get(key, ord(key[0].upper()))
        text = {} if key in codes else {"text": key}
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def place(self, selector):
        """The middle of an element, or of the first that matches."""
        return self.run("(() => { const r = document.querySelector(%s).getBoundingClientRect();"
                        " return [r.x + r.width / 2, r.y + r.height / 2]; })()" % json.dumps(selector))

    def hover(self, selector):
        x, y = self.place(selector)
        self.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, selector):
        x, y = self.place(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def dark(self, on):
        value = "dark" if on else "light"
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": value}])

    def screenshot(self, path):
        with open(path, "wb") as to:
            to.write(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def printed(self):
        """The page on paper, as the bytes of a PDF."""
        return base64.b64decode(self.ask("Page.printToPDF", printBackground=True)["data"])

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
