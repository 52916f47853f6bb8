"""Faults that the page once had."""

import json
import pathlib
import shutil

from browser_tools import MEN, OURS, analyse, box, choose, downloaded, open_game, place, played, points, press_by_mouse, tab_to

# A game with its players, of which a review finds errors.
GAME = """[Event "World Cup"]
[White "Anna"]
[Black "Bruno"]

1. d6 f4 2. d2 b4 3. b6 f6 4. d7 d5 5. c5 a7 6. f2 b2 7. e3 c3 8. g4 g7 9. a4 a1 *
"""
SIZES = [(1366, 768), (768, 1024), (375, 667), (320, 568), (683, 384), (667, 375)]
# What the window is too narrow for.
WIDE = """[...document.querySelectorAll("main *, header, header *, footer")]
  .filter((it) => it.checkVisibility() && !it.closest("svg, .lines, #best-lines") && it.getBoundingClientRect().right > innerWidth + 1)
  .map((it) => it.id || it.className || it.tagName)"""
# Four men against four: no small sector.
LATER = "@@OO@O**/*O*@****/******** w m s 4 0 4 0 0 0 0 0 0 0 0 0 10"


def names_and_sizes(page):
    """An opened game keeps its names; a review fits every window, and its graph stays where it is."""
    open_game(page, GAME)
    page.wait("document.querySelector('#bottom-player').textContent.includes('Anna')")
    assert "World Cup" in page.text("#tags")
    page.click("#review")
    page.wait("document.querySelector('#summary table') !== null")
    for width, height in SIZES:
        page.resize(width, height)
        assert page.run("document.documentElement.scrollWidth") <= width
        assert page.run(WIDE) == [], (width, page.run(WIDE))
        page.run("document.querySelector('#summary').scrollIntoView()")
        for player in ("top-player", "bottom-player"):
            x, y, wide, high = box(page, f"#{player} .name")
            is_beside = width > height and height < 500
            assert wide > 60 and 0 <= x <= width and (is_beside or 0 <= y <= height - high), (width, player)
            assert page.run(f"(it => it.scrollWidth <= it.clientWidth)(document.querySelector('#{player} .name'))")
        x, y, wide, high = box(page, "#board svg")
        assert 0 <= x and x + wide <= width and 0 <= y and y + high <= height, (width, height)
        page.run("scrollTo(0, 0)")
    page.resize(1280, 900)
    page.click("#first")
    page.wait(f"{MEN} === 0")
    places = set()
    for turn in range(18):
        places.add(json.dumps(box(page, "#graph")))
        page.key("ArrowRight")
        page.wait(f"{MEN} === {turn + 1}")
    assert len(places) == 1, places
    # A better move of a later turn is a variation; the game and its review stay.
    page.run("[...document.querySelectorAll('#moves .turn')].find((it) => it.textContent.includes('?')).click()")
    page.wait("document.querySelector('#better .step') !== null")
    page.click("#better .step")
    page.wait("document.querySelector('#moves .branch[aria-current]') !== null")
    assert len(played(page)) == 18 and page.run("document.querySelector('#summary table') !== null")
    page.click("#remove")
    page.wait("document.querySelector('#moves .branch') === null")
    page.click("#first")
    page.wait(f"{MEN} === 0")
    place(page, "a1", "a4")
    text = download_by_enter(page)
    assert all(kept in text for kept in ('[White "Anna"]', '[Event "World Cup"]', "(1. a1 a4)")), text


def result_stays(page):
    """A game that was given up stays so, and can be looked at further."""
    open_game(page, GAME.replace("a4 a1 *", "a4 1-0"))
    page.wait("document.querySelector('#status').textContent.includes('White has won.')")
    place(page, "a1")
    page.key("ArrowLeft")
    page.wait("document.querySelector('#status').textContent.includes('White has won.')")
    text = downloaded(page, lambda: page.click("#save"))
    assert '[Result "1-0"]' in text, text


def download_by_enter(page):
    """Enter downloads, wherever in the dialog the focus is."""
    def press():
        page.run("document.querySelector('#with-review').focus()")
        page.key("Enter")
        page.wait("!document.querySelector('#share-dialog').open")
    return downloaded(page, press)


def puzzle_of_another_game(page):
    """The first puzzle of a game waits for its small sectors."""
    choose(page, variant="Morabaraba")
    page.click("#puzzle")
    page.wait("document.querySelector('#puzzle-sentences').textContent.includes(' to play and ')"
              " || document.querySelector('#error').textContent")
    assert page.text("#error") == "", page.text("#error")


def explore_twice(page):
    """No button moves under the finger that explores."""
    choose(page)
    press_by_mouse(page, "d6")
    page.wait(f"{MEN} === 2")
    before = box(page, "#explore")
    for _ in range(2):
        page.click("#explore")
    assert box(page, "#explore") == before
    assert page.run("document.querySelector('#truth-switch').ariaChecked") == "false"
    assert page.run("document.querySelector('#truth').hidden")


def server_away(page):
    """While the server does not answer the page says so, and goes on when it is back."""
    choose(page, black_level="1")
    page.connect(False)
    press_by_mouse(page, points(page, "target")[0])
    page.wait("!document.querySelector('#connection').hidden")
    assert page.text("#error") == ""
    analyse(page)
    page.connect(True)
    page.wait("document.querySelector('#connection').hidden && document.querySelector('#best-lines .step') !== null")
    analyse(page)
    press_by_mouse(page, points(page, "target")[0])
    page.wait("document.querySelectorAll('#moves .turn').length === 2")
    # The answer to the engine's request gets lost, too.
    page.run("window.usual = window.fetch; window.fetch = (path, sent) => /move$/.test(path)"
             " ? Promise.reject(new TypeError('gone')) : usual(path, sent)")
    press_by_mouse(page, points(page, "target")[0])
    page.wait("document.querySelectorAll('#moves .turn').length === 3")
    page.wait("!document.querySelector('#top-player').textContent.includes('thinking')")
    page.run("window.fetch = window.usual")
    page.wait("document.querySelectorAll('#moves .turn').length === 4")


def refused_at_first(page):
    """A page whose first request is refused asks again."""
    script = ("{ const usual = window.fetch; let refused = 2;"
              " window.fetch = (...all) => (refused-- > 0 ? Promise.reject(new TypeError('gone')) : usual(...all)); }")
    number = page.call("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
    page.run("window.isOld = true")
    page.call("Page.reload")
    page.wait("!window.isOld && document.querySelector('#connection')?.checkVisibility()")
    page.call("Page.removeScriptToEvaluateOnNewDocument", identifier=number)
    page.click("#retry")
    page.wait("document.querySelectorAll('.point').length === 24")


def nothing_is_kept(page):
    """A browser that keeps nothing for pages plays all the same."""
    script = "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get() { throw new Error('refused'); } })"
    number = page.call("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
    page.run("window.isOld = true")
    page.call("Page.reload")
    page.wait(f"!window.isOld && {OURS}")
    press_by_mouse(page, points(page, "target")[0])
    page.wait("document.querySelectorAll('#moves .turn').length > 0")
    page.call("Page.removeScriptToEvaluateOnNewDocument", identifier=number)
    page.run("window.isOld = true")
    page.call("Page.reload")
    page.wait(f"!window.isOld && {OURS}")


def source_and_order(page):
    """The opening book is called so, and equal moves come in the order of the search."""
    choose(page, "both")
    analyse(page)
    page.wait("document.querySelector('#best-lines .step') && document.querySelectorAll('#values b').length === 24")
    assert page.text("#effort").startswith("by the opening book; search"), page.text("#effort")
    for _ in range(20):
        best, first = page.run("[document.querySelector('#best-lines .step').textContent, document.querySelector('#values b').textContent]")
        assert best == first, (best, first)
    analyse(page)


def files_built_later(page, folder, other):
    """Files that are built after the start are used."""
    open_game(page, LATER)
    analyse(page)
    page.wait("document.querySelector('#effort').textContent.includes('depth')")
    assert "tablebase" not in page.text("#effort"), page.text("#effort")
    analyse(page)
    for file in pathlib.Path(other).glob("*.mill"):
        shutil.copy(file, folder)
    analyse(page)
    page.wait("document.querySelector('#effort').textContent.includes('by the tablebase')")
    analyse(page)


def level_by_keys(page):
    """A level that is typed is that level."""
    page.click("#new")
    page.run("document.querySelector('#black-level').select()")
    page.key("3")
    assert page.run("[document.querySelector('#black-level').value, document.querySelector('#black-range').value]") == ["3", "3"]
    page.key("Escape")
    page.wait("!document.querySelector('#new-dialog').open")
