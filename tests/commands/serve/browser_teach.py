"""What the page tells: values by the tablebase and the search, lessons, reviews, puzzles."""

import json

from browser_tools import open_game, played, points, press_by_keys, press_by_mouse

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
    """A game that throws a win away, as the tablebase knows, and what would have been better."""
    open_game(page, f"{position} moves d1-e3")
    page.wait("document.querySelectorAll('#moves .turn').length === 1")
    page.click("#review")
    page.wait("document.querySelector('#summary table') !== null")
    assert page.run("document.querySelector('#graph polygon') !== null")
    assert played(page) == ["d1-e3??"], played(page)
    assert page.text("#comment").startswith("30. d1-e3??: This turns a win into a loss in "), page.text("#comment")
    # What was played has a mark; the arrows belong to the position before it.
    assert page.text(".badge") == "??" and page.run("document.querySelector('.sign.better') === null")
    page.key("ArrowLeft")
    page.wait("document.querySelector('polygon.sign.bad') !== null && document.querySelector('.sign.better') !== null")
    assert page.text(".badge") == ""
    assert page.text("#follows").startswith("Best play after it: ") and "Black" in page.text("#comment")
    page.click("#better .step")
    page.wait("document.querySelector('#moves .branch[aria-current]') !== null")
    assert played(page) == ["d1-e3??"] and page.run("document.querySelector('#summary table') !== null")
    page.click("#moves .turn")
    page.wait("document.querySelector('#better').textContent.includes('Better')")
    assert "accuracy0 %100 %" in page.text("#summary"), page.text("#summary")
