"""Plays in the page of a server by clicks and keys: browser.py URL POSITION [FOLDER FOR PICTURES].

Prints what the page says each move of the position is worth."""

import json
import re
import sys

from chromium import Page

OURS = "document.querySelector('.point.can') !== null"
OVER = "/wins|Draw/.test(document.querySelector('#status').textContent)"
PUZZLE = "document.querySelector('#puzzle-sentences').textContent"
WRONG = f"{PUZZLE}.includes('Wrong: ')"
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
# No small tablebase and no book has the positions after ten and more of these moves.
SEARCHED = "d6 f4 d2 b4 a1 g1 g7 a7 e5 e3 c3 c5 d3 d5 e4 c4"
# The longest win of three against three men, ninety slides after the last capture.
CURSED = "@@OO@O**/********/******** w m s 3 0 3 0 0 0 0 0 0 0 0 90 60"
# Collects where in the window the board and all buttons are whenever the search has got further.
WATCH = """(() => {
  window.depths = new Set();
  window.places = new Set();
  const place = (it) => {
    const { x, y, width, height } = it.getBoundingClientRect();
    return [it.id || it.querySelector("b")?.textContent, x, y, width, height].map(String);
  };
  window.watch?.disconnect();
  window.watch = new MutationObserver(() => {
    const depth = document.querySelector("#effort").textContent.match(/depth (\\d+)/)?.[1];
    if (!depth || document.querySelectorAll("#values li").length === 0) return;
    window.depths.add(depth);
    const shown = [...document.querySelectorAll("#board svg, .panel, button:not(.step)")];
    window.places.add(JSON.stringify(shown.map(place).sort()));
  });
  window.watch.observe(document.querySelector("#effort"), { childList: true });
})()"""
SIZES = {"light": (1280, 900, False), "dark": (1280, 900, True), "phone": (390, 844, False)}


def choose(page, values):
    """Begins a new game with some values of the dialog."""
    page.click("#new")
    page.wait("document.querySelector('#new-dialog').open")
    for name, value in values.items():
        page.run(f"document.getElementById({name!r}).value = {value!r}")
    page.run("document.querySelector('#game-name').append(' before')")
    page.click("#start")
    wanted = values.get("variant", "Nine Men's Morris")
    page.wait("!document.querySelector('#new-dialog').open")
    page.wait(f"document.querySelector('#game-name').textContent === {json.dumps(wanted)}")


def points(page, state):
    return page.run(f"[...document.querySelectorAll('.point.{state}')].map(p => p.dataset.point)")


def label(page, point):
    return page.run(f"document.querySelector('[data-point={point}]').ariaLabel")


def played(page):
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


def begin_by_keys(page):
    """Begins a new game against level 3 by keys alone."""
    tab_to(page, "document.activeElement.id === 'new'")
    page.key("Enter")
    page.wait("document.querySelector('#new-dialog').open")
    for player, wanted in (("white-player", ""), ("black-player", "3")):
        tab_to(page, f"document.activeElement.id === '{player}'")
        way = f"document.activeElement.selectedIndex - [...document.activeElement.options].findIndex(it => it.value === '{wanted}')"
        steps = page.run(way)
        for _ in range(abs(steps)):
            page.key("ArrowUp" if steps > 0 else "ArrowDown")
    tab_to(page, "document.activeElement.id === 'start'")
    page.run("document.querySelector('#game-name').append(' before')")
    page.key("Enter")
    page.wait("!document.querySelector('#new-dialog').open")
    page.wait("!document.querySelector('#game-name').textContent.includes('before')")


def take_turn(page, press, seed):
    """One move of ours: any that is shown. Returns whether it removed a man."""
    prey, targets, movers = (points(page, state) for state in ("prey", "target", "mover"))
    before = page.run("document.querySelector('#status').textContent + document.querySelectorAll('.turn').length")
    if prey:
        assert "can be removed" in label(page, prey[0])
        press(page, prey[seed % len(prey)])
    elif targets:
        press(page, targets[seed % len(targets)])
    else:
        press(page, movers[seed % len(movers)])
        shown = points(page, "target")
        assert shown, "a chosen man shows where it may go"
        press(page, shown[seed % len(shown)])
    page.wait(f"document.querySelector('#status').textContent + document.querySelectorAll('.turn').length !== {json.dumps(before)}")
    return bool(prey)


def play_to_the_end(page, press, most):
    moves = 0
    while not page.run(OVER) and moves < most:
        take_turn(page, press, 7 * moves)
        page.wait(f"{OURS} || {OVER}")
        moves += 1
    return moves


def begin_by_mouse(page):
    choose(page, {"white-player": "", "black-player": "3"})


def whole_game(page, begin, press):
    begin(page)
    moves = play_to_the_end(page, press, 120)
    assert moves > 8, played(page)


def reload(page):
    page.run("window.isOld = true")
    page.call("Page.reload")
    page.wait("window.isOld === undefined && document.querySelector('#moves .turn') !== null")


def clock(page, player):
    """What a clock shows in seconds."""
    minutes, seconds = page.text(f"#{player} .clock").split(":")
    return 60 * int(minutes) + float(seconds)


def reload_with_clock(page):
    """The time that was thought is gone, nobody gets an increment, and an engine that waits goes on waiting."""
    choose(page, {"white-player": "", "black-player": "", "clock": "1+2"})
    for point in ("d6", "f4"):
        press_by_mouse(page, point)
        page.wait(f"document.querySelector('[data-point={point}]').ariaLabel.includes('just moved')")
    page.click("#undo")
    page.wait("document.querySelectorAll('.point.white, .point.black').length === 1")
    page.wait("parseFloat(document.querySelector('#top-player .clock').textContent.split(':').pop()) < 59")
    looked_at = [clock(page, player) for player in ("top-player", "bottom-player")]
    page.click("#redo")
    page.wait("document.querySelectorAll('.point.white, .point.black').length === 2")
    page.click("#moves .turn")
    page.wait("document.querySelectorAll('.point.white, .point.black').length === 1")
    page.click("#moves .turn.black")
    page.wait("document.querySelectorAll('.point.white, .point.black').length === 2")
    late = clock(page, "top-player")
    assert late <= looked_at[0] + 2, "looking back gives no time back"
    page.click("#undo")
    page.wait("document.querySelectorAll('.point.white, .point.black').length === 1")
    before = [clock(page, player) for player in ("top-player", "bottom-player")]
    for _ in range(2):
        reload(page)
    after = [clock(page, player) for player in ("top-player", "bottom-player")]
    assert all(late <= early for early, late in zip(before, after)), (before, after)
    assert played(page) == ["d6", "f4"]
    choose(page, {"white-player": "1", "black-player": "1"})
    page.wait("document.querySelectorAll('#moves .turn').length >= 2")
    page.click("#pause")
    page.wait("document.querySelector('#pause').textContent === 'Resume'")
    reload(page)
    assert page.text("#pause") == "Resume"


def undo_and_redo(page):
    begin_by_mouse(page)
    for seed in (0, 3):
        page.wait(OURS)
        take_turn(page, press_by_mouse, seed)
        page.wait(OURS)
    all_turns = played(page)
    page.click("#undo")
    page.wait("document.querySelectorAll('.point.white, .point.black').length === 2")
    page.click("#undo")
    page.wait("document.querySelectorAll('.point.white, .point.black').length === 0")
    page.click("#redo")
    page.click("#redo")
    page.wait("document.querySelectorAll('.point.white, .point.black').length === 4")
    assert played(page) == all_turns
    page.click("#undo")
    page.wait("document.querySelectorAll('.point.white, .point.black').length === 2")
    reload(page)
    page.wait("document.querySelectorAll('.point.white, .point.black').length === 2")
    assert played(page) == all_turns and page.text("#top-player .name") == "Black Millstone, level 3"


def put_aside(page):
    """A game that is played comes back from a puzzle, from a line of play and from another game."""
    begin_by_mouse(page)
    page.wait(OURS)
    take_turn(page, press_by_mouse, 1)
    page.wait(OURS)
    before = played(page), page.text("#top-player .name")
    assert len(before[0]) >= 2 and before[1] == "Black Millstone, level 3", before
    page.click("#puzzle")
    page.wait(f"{PUZZLE}.includes(' to play and ')")
    take_back(page, before)
    page.click("#truth-switch")
    page.wait("document.querySelector('#best-line .step') !== null")
    page.click("#best-line .step")
    page.wait(f"document.querySelectorAll('#moves .turn').length > {len(before[0])}")
    take_back(page, before)
    page.click("#truth-switch")
    page.click("#moves .turn")
    page.wait("document.querySelectorAll('.point.white, .point.black').length === 1")
    open_game(page, "d6 f4 d2")
    page.wait("document.querySelectorAll('#moves .turn').length === 3")
    take_back(page, before)
    page.wait(OURS)
    page.run("window.asked = []; window.usual = window.fetch;"
             "window.fetch = (path, sent) => { window.asked.push(sent?.body ?? ''); return usual(path, sent); }")
    page.click("#download")
    page.click("#save")
    page.wait("!document.querySelector('#download-dialog').open")
    page.run("window.fetch = window.usual")
    assert any('"black":"Millstone, level 3"' in body for body in page.run("window.asked"))


def take_back(page, before):
    page.click("#back")
    page.wait(f"document.querySelectorAll('#moves .turn').length === {len(before[0])}")
    assert (played(page), page.text("#top-player .name")) == before
    page.wait(OURS)


def games_take_turns(page):
    """Of several games that were put aside none is lost, whatever the server refuses."""
    for turns in (["d6", "f4"], ["a1"], []):
        choose(page, {"white-player": "", "black-player": ""})
        for count, point in enumerate(turns, start=1):
            press_by_mouse(page, point)
            page.wait(f"document.querySelectorAll('#moves .turn').length === {count}")
    come_back(page, ["a1"])
    come_back(page, ["d6", "f4"])
    page.click("#moves .turn")
    page.wait("document.querySelectorAll('.point.white, .point.black').length === 1")
    page.run("window.usual = window.fetch; window.fetch = () => Promise.reject(new TypeError('gone'))")
    press_by_mouse(page, "g1")
    page.wait("document.querySelector('#error').textContent.includes('gone')")
    page.run("window.fetch = window.usual")
    assert played(page) == ["d6", "f4"]
    others = 0
    while others < 8 and played(page) != ["a1"]:
        before = page.text("#moves")
        page.click("#back")
        page.wait(f"document.querySelector('#moves').textContent !== {json.dumps(before)}")
        others += 1
    come_back(page, ["d6", "f4"])


def come_back(page, turns):
    page.click("#back")
    page.wait(f"[...document.querySelectorAll('#moves .turn')].map(t => t.textContent).join() === '{','.join(turns)}'")


def removal(page):
    choose(page, {"white-player": "", "black-player": ""})
    for point in ("d6", "a1", "d5", "a4", "d7"):
        press_by_mouse(page, point)
        page.wait(f"document.querySelector('[data-point={point}]').ariaLabel.includes('just moved')")
    assert points(page, "prey") == ["a1", "a4"]
    assert page.run("document.querySelectorAll('.mills line').length") == 1
    press_by_keys(page, "a4")
    page.wait("document.querySelector('[data-point=a4]').ariaLabel.includes('just removed')")
    assert played(page)[-1] == "d7xa4"


def open_game(page, text):
    page.click("#open")
    page.run(f"document.getElementById('text').value = {json.dumps(text)}")
    page.click("#load")
    page.wait("!document.querySelector('#open-dialog').open")


def truth(page, position):
    """What the list of values says of each move, which is what the board says too."""
    open_game(page, position)
    page.click("#truth-switch")
    page.wait("document.querySelectorAll('#values li').length > 0")
    listed = page.run("Object.fromEntries([...document.querySelectorAll('#values b')]"
                      ".map(b => [b.textContent, b.nextSibling.textContent.trim()]))")
    shown = "Object.fromEntries([...document.querySelectorAll('.point.{}')]" \
            ".map(p => [p.dataset.point, p.querySelector('.value').textContent]))"
    on_board = page.run(shown.format("target"))
    for man in points(page, "mover"):
        press_by_mouse(page, man)
        page.wait("document.querySelector('.point.chosen') !== null")
        reached = page.run(shown.format("target"))
        on_board |= {f"{man}-{point}": value for point, value in reached.items()}
        press_by_keys(page, man)
        page.wait("document.querySelector('.point.chosen') === null")
    assert on_board == listed, (on_board, listed)
    page.click("#truth-switch")
    page.wait("document.querySelector('#truth').hidden")
    return listed


def cursed(page):
    """A win for which the draw rules leave too few turns is told as one."""
    open_game(page, CURSED)
    page.click("#truth-switch")
    page.wait("document.querySelectorAll('#values li').length > 0")
    said = "White to move: won in 25 turns, but perhaps not within the draw rules; 1 of 54 moves hold."
    assert page.text("#verdict") == said, page.text("#verdict")
    page.click("#truth-switch")


def moved(page):
    """What was at more than one place."""
    first, *later = map(json.loads, page.run("[...window.places]"))
    return [pair for places in later for pair in zip(first, places) if pair[0] != pair[1]]


def steady(page):
    """Nothing moves while a search deepens, and the button with the focus keeps it."""
    for count, (width, height, _) in enumerate(SIZES.values(), 10):
        page.resize(width, height)
        open_game(page, " ".join(SEARCHED.split()[:count]))
        page.run(WATCH)
        page.click("#truth-switch")
        page.wait("window.depths.size > 0")
        page.run("document.querySelector('#values button').focus({ preventScroll: true })")
        page.wait("window.depths.size > 1")
        assert page.run("window.places.size") == 1, moved(page)
        assert page.run("document.activeElement.closest('#values') !== null")
        page.click("#truth-switch")
    page.resize(1280, 900)


def teaching(page, position):
    """The sentence about a turn that throws a win away, only while that is asked for."""
    open_game(page, position)
    assert "press a large point" in page.text("#no-moves"), page.text("#no-moves")
    page.click("#teach-switch")
    assert page.text("#lessons").startswith("Play a turn"), page.text("#lessons")
    page.click("#teach-switch")
    open_game(page, f"{position} moves d1-e3")
    assert page.text("#lessons") == page.text("#no-moves") == ""
    page.click("#teach-switch")
    page.wait("document.querySelector('#lessons').textContent.includes('This turns a win into')")
    assert page.text("#lessons").startswith("White, d1-e3: This turns a win into a loss in "), page.text("#lessons")
    page.click("#teach-switch")
    assert page.text("#lessons") == ""


def review(page, position):
    """A game that throws a win away, as the tablebase knows."""
    open_game(page, f"{position} moves d1-e3")
    page.wait("document.querySelectorAll('#moves .turn').length === 1")
    page.click("#review")
    page.wait("document.querySelectorAll('#summary tr').length === 3")
    assert page.run("document.querySelector('#graph polygon') !== null")
    page.wait("document.querySelector('#comment').textContent.includes('better')")
    assert played(page) == ["d1-e3??"], played(page)
    assert "a win for White into a win for Black" in page.text("#comment"), page.text("#comment")
    assert page.run("document.querySelector('.arrow line') !== null")
    page.click("#comment .step")
    page.wait("document.querySelector('#moves .turn').textContent !== 'd1-e3??'")


def press_turn(page, turn):
    """Plays a turn such as d6-d5xa1 by keys."""
    for point in re.split("[-x]", turn):
        page.wait(f"document.querySelector('.point.can[data-point={point}]') !== null")
        press_by_keys(page, point)


def other_turn(page, solution):
    """Plays a turn that is not the solution by mouse."""
    first, *taken = solution.split("x")
    targets = [point for point in points(page, "target") if point != first]
    for man in points(page, "mover"):
        press_by_mouse(page, man)
        page.wait(f"document.querySelector('.point.chosen[data-point={man}]') !== null")
        targets = [point for point in points(page, "target") if f"{man}-{point}" != first]
        if targets:
            break
    if targets:
        taken = []
        press_by_mouse(page, targets[0])
    else:
        press_turn(page, first)
    page.wait(f"document.querySelector('.point.prey') !== null || {WRONG}")
    for prey in [point for point in points(page, "prey") if point not in taken][:1]:
        press_by_mouse(page, prey)


def puzzle(page):
    """One that is solved at the second attempt, and another."""
    page.click("#puzzle")
    page.wait(f"{PUZZLE}.includes(' to play and ')")
    page.click("#puzzle-solution")
    page.wait(f"{PUZZLE}.includes('Solution: ')")
    solution = page.text("#puzzle-sentences").split("Solution: ")[1]
    other_turn(page, solution)
    page.wait(f"{WRONG} && {PUZZLE}.includes('This turns ')")
    page.click("#puzzle-again")
    page.wait(f"!{WRONG}")
    press_turn(page, solution)
    page.wait(f"{PUZZLE}.includes('Correct: {solution}. ')")
    page.click("#puzzle-next")
    page.wait(f"{PUZZLE}.startsWith('Level ') && !{PUZZLE}.includes('Correct')")
    assert played(page) == [] and solution not in page.text("#puzzle-sentences")
    choose(page, {"white-player": "", "black-player": ""})
    assert page.text("#puzzle-sentences") == ""
    assert page.run("document.querySelector('#puzzle-next').checkVisibility()") is False


def morabaraba(page):
    choose(page, {"variant": "Morabaraba", "white-player": "", "black-player": "3"})
    assert page.run("document.querySelectorAll('.lines line').length") == 20
    assert play_to_the_end(page, press_by_mouse, 20) > 8


def engine_against_engine(page):
    players = {"white-player": "1", "black-player": "2", "clock": "5+5"}
    choose(page, {"variant": "Lasker Morris", **players})
    page.wait("document.querySelectorAll('#moves .turn').length >= 12")
    assert page.run("document.querySelector('.player .clock').textContent").startswith(("4:", "5:"))
    page.click("#undo")
    page.wait("document.querySelector('#pause').textContent === 'Resume'")
    page.click("#pause")
    page.wait(f"{OVER} || document.querySelectorAll('#moves .turn').length >= 20")


def main(url, position, folder=None):
    page = Page(url)
    try:
        page.wait("document.querySelectorAll('.point').length === 24")
        page.wait(OURS)
        removal(page)
        undo_and_redo(page)
        put_aside(page)
        games_take_turns(page)
        reload_with_clock(page)
        whole_game(page, begin_by_mouse, press_by_mouse)
        whole_game(page, begin_by_keys, press_by_keys)
        found = truth(page, position)
        cursed(page)
        steady(page)
        teaching(page, position)
        puzzle(page)
        review(page, position)
        if folder:
            for name, (width, height, dark) in SIZES.items():
                page.resize(width, height)
                page.darken(dark)
                page.picture(f"{folder}/review-{name}.png")
            page.resize(1280, 900)
        morabaraba(page)
        engine_against_engine(page)
        assert not page.errors, page.errors
    finally:
        page.close()
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
