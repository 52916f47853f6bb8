"""What all steps do in the page: begin and open games, press points, read what is shown."""

import json
import re

OURS = "document.querySelector('.point.can') !== null"
OVER = "/wins|Draw/.test(document.querySelector('#status').textContent)"
MEN = "document.querySelectorAll('.point.white, .point.black').length"
# The arrow keys from the point that has the focus to another, the fewest that lead there.
WAY = """async (wanted) => {
  const { neighbour, place } = await import("./geometry.js");
  const a1 = document.querySelector("[data-point=a1]").getAttribute("transform");
  const isFlipped = a1.startsWith(`translate(${place("a1", true).x} `);
  const points = [...document.querySelectorAll(".point")].map((it) => it.dataset.point);
  const here = document.activeElement.dataset.point;
  const ways = new Map([[here, []]]);
  for (const [point, way] of ways) {
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
      const next = neighbour(key, point, points, isFlipped);
      if (!ways.has(next)) ways.set(next, [...way, key]);
    }
  }
  return ways.get(wanted);
}"""


def choose(page, players="white", variant="Nine Men's Morris", **values):
    """Begins a new game with some values of the dialog, by their ids."""
    page.click("#new")
    page.wait("document.querySelector('#new-dialog').open")
    page.click(f"[name=players][value={players}]")
    for name, value in {"variant": variant, "clock": "", **values}.items():
        page.run(f"document.getElementById({name.replace('_', '-')!r}).value = {value!r}")
    page.run("document.querySelector('#about-title').append(' before')")
    page.click("#start")
    page.wait("!document.querySelector('#new-dialog').open")
    page.wait(f"document.querySelector('#about-title').textContent === {json.dumps(variant)}")


def points(page, state):
    return page.run(f"[...document.querySelectorAll('.point.{state}')].map(p => p.dataset.point)")


def label(page, point):
    return page.run(f"document.querySelector('[data-point={point}]').ariaLabel")


def played(page):
    """The main line."""
    return page.run("[...document.querySelectorAll('#moves .turn')].map(t => t.textContent)")


def press_by_mouse(page, point):
    page.click(f"[data-point={point}]")


def press_by_keys(page, point):
    """Goes to the board by Tab, to a point by the arrow keys, and presses the space bar."""
    tab_to(page, "document.activeElement.dataset.point")
    for key in page.run(f"({WAY})('{point}')"):
        page.key(key)
    assert page.run("document.activeElement.dataset.point") == point
    page.key(" ")


def tab_to(page, condition):
    """Presses Tab until the focus is where a condition holds."""
    for _ in range(200):
        if page.run(condition):
            return
        page.key("Tab")
    raise AssertionError(f"Tab does not lead to {condition}")


def place(page, *turns):
    """Plays some turns by the mouse."""
    for turn in turns:
        for point in filter(None, re.split("[-x]", turn)):
            press_by_mouse(page, point)
            page.wait(f"document.querySelector('[data-point={point}]').matches('.last, .chosen, .taken')")


def reload(page):
    page.run("window.isOld = true")
    page.call("Page.reload")
    page.wait("window.isOld === undefined && document.querySelector('#moves .turn') !== null")


def open_game(page, text):
    page.click("#open")
    page.run(f"document.getElementById('text').value = {json.dumps(text)}")
    page.click("#load")
    page.wait("!document.querySelector('#open-dialog').open")


def downloaded(page, press):
    """The text that is downloaded once the dialog is open and `press` has been called."""
    page.click("#share")
    page.run("window.written = null; window.usual = URL.createObjectURL; URL.createObjectURL = (blob) => {"
             " if (blob.size > 0) blob.text().then((text) => (window.written = text)); return usual.call(URL, blob); }")
    press()
    page.wait("window.written")
    return page.run("URL.createObjectURL = window.usual; window.written")


def speak(page, language):
    """Chooses a language, that of the browser if it is empty."""
    page.run(f"window.isOld = true; document.querySelector('#language').value = {language!r};"
             "document.querySelector('#language').dispatchEvent(new Event('change'))")
    page.wait("!window.isOld && document.querySelectorAll('.point').length === 24 && document.querySelector('#status').textContent !== ''")


def analyse(page):
    """Switches the analysis on, or off again."""
    page.click("#truth-switch")


def box(page, selector):
    """Where an element is in the window: left, top, width, height."""
    return page.run(f"(() => {{ const r = document.querySelector({selector!r}).getBoundingClientRect();"
                    " return [r.x, r.y, r.width, r.height]; })()")
