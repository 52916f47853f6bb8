"""Drives a headless Chromium by the pipe of its debugging protocol, with the standard library alone."""

import base64
import json
import os
import subprocess
import tempfile
import time

PATIENCE = 60
PROGRAM = "/usr/bin/chromium"
KEYS = {
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
    "Enter": 13, " ": 32, "Escape": 27, "Tab": 9, "Home": 36, "End": 35,
}


class Page:
    """A page in a browser of its own."""

    def __init__(self, url, width=1280, height=900, dark=False):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        options += ["--remote-debugging-pipe", f"--user-data-dir={self.folder.name}"]

        def place_pipes():
            # Above 4 first, as one of them may stand where the other has to go.
            ends = [os.dup2(os.dup(fd), fd + 20) for fd in (to_browser, from_browser)]
            os.dup2(ends[0], 3, inheritable=True)
            os.dup2(ends[1], 4, inheritable=True)

        self.process = subprocess.Popen(
            [PROGRAM, *options, "about:blank"], close_fds=False, preexec_fn=place_pipes,
            stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.rest, self.errors, self.session = 0, b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        self.call("Runtime.enable")
        self.call("Page.enable")
        self.call("Network.enable")
        self.resize(width, height)
        self.darken(dark)
        self.call("Page.navigate", url=url)

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)

    def darken(self, dark, is_calm=False):
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        motion = {"name": "prefers-reduced-motion", "value": "reduce" if is_calm else ""}
        self.call("Emulation.setEmulatedMedia", features=[scheme, motion])

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(answer["params"]["exceptionDetails"])
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]

    def read(self):
        while b"\0" not in self.rest:
            data = os.read(self.input, 1 << 16)
            assert data, "the browser has ended"
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def run(self, expression):
        """The value of an expression of JavaScript, awaited."""
        found = self.call("Runtime.evaluate", expression=expression, awaitPromise=True,
                          returnByValue=True)
        assert "exceptionDetails" not in found, (expression, found["exceptionDetails"])
        return found["result"].get("value")

    def wait(self, expression):
        """Waits until an expression is true, and gives its value."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                value = self.run(expression)
            except AssertionError as error:
                # Another page has come meanwhile.
                value = None
                if "navigated" not in str(error):
                    raise
            if value:
                return value
            time.sleep(0.05)
        raise AssertionError(f"still not so: {expression}; {self.text('#status')}")

    def text(self, selector):
        return self.run(f"document.querySelector({selector!r}).textContent")

    def middle(self, selector):
        return self.run(
            f"(() => {{ const it = document.querySelector({selector!r});"
            " it.scrollIntoView({block: 'nearest'}); const r = it.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()")

    def mouse(self, kind, place, button="left", modifiers=0):
        self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button=button,
                  clickCount=1, modifiers=modifiers)

    def click(self, selector):
        """Clicks into the middle of an element, as a mouse does."""
        place = self.middle(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, place)

    def drag(self, start, end, button="left", modifiers=0):
        """Drags from the middle of an element to that of another."""
        a, b = self.middle(start), self.middle(end)
        self.mouse("mousePressed", a, button, modifiers)
        for share in (0.3, 0.7, 1):
            between = [x + share * (y - x) for x, y in zip(a, b)]
            self.mouse("mouseMoved", between, button, modifiers)
        self.mouse("mouseReleased", b, button, modifiers)

    def connect(self, is_on):
        """Cuts the network, or joins it again."""
        self.call("Network.emulateNetworkConditions", offline=not is_on, latency=0,
                  downloadThroughput=-1, uploadThroughput=-1)

    def key(self, key):
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        code = KEYS.get(key, ord(key[0].upper()))
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text,
                  windowsVirtualKeyCode=code, nativeVirtualKeyCode=code)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def picture(self, path):
        data = self.call("Page.captureScreenshot")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()
