"""Setting up, sharing and keeping: the editor, links, the tree of variations, the list of games, claims."""

import json

from browser_tools import MEN, OURS, choose, downloaded, open_game, place, played, press_by_keys, press_by_mouse, reload

VERDICT = "document.querySelector('#editor-verdict').textContent"
YES = "#ask-dialog button[value=yes]"


def editor(page):
    """A position is set up by mouse and keys, and said to be good or bad."""
    choose(page, "both")
    page.click("#set-up")
    page.click("#editor-clear")
    page.wait(f"{VERDICT}.includes('Not yet')")
    for white, black, flaw in ((2, 9, "a side has fewer than 3 men."), (0, 0, "both sides have fewer than 3 men.")):
        page.run(f"document.querySelector('#editor-white').value = {white}; document.querySelector('#editor-black').value = {black};"
                 "document.querySelector('#editor-black').dispatchEvent(new Event('input'))")
        page.wait(f"{VERDICT} === 'Not yet a position to play: {flaw}'")
    for point in ("a1", "d1", "g1"):
        press_by_mouse(page, point)
    page.click("#editor-men [value=Black]")
    for point in ("a7", "d7"):
        press_by_mouse(page, point)
    press_by_keys(page, "d5")
    page.drag("[data-point=d5]", "[data-point=e5]")
    page.wait(f"{VERDICT}.includes('can be played')")
    page.key("ArrowLeft")
    assert not page.run("document.querySelector('#editor-panel').hidden"), "a step ends the editor"
    page.click("#editor-done")
    page.wait("document.querySelector('#editor-panel').hidden")
    place(page, "a1-d6")
    assert played(page) == ["a1-d6"] and page.run("document.querySelector('[data-point=e5]').matches('.black')")
    page.key("ArrowLeft")


def engine_waits(page):
    """The engine waits until the position is set up."""
    choose(page, black_level="30", move_time="1000")
    press_by_mouse(page, "a1")
    page.wait("document.querySelector('#top-player').textContent.includes('thinking')")
    page.click("#set-up")
    page.run("new Promise((done) => setTimeout(done, 1500))")
    assert page.run(f"!document.querySelector('#editor-panel').hidden && {MEN} === 1")
    page.click("#editor-cancel")
    page.wait(f"{MEN} === 2")


def link(page):
    """A link brings a game back, in the address or in the dialog."""
    open_game(page, "d6 f4 d2 b4")
    page.key("ArrowLeft")
    page.wait(f"{MEN} === 3")
    page.click("#share")
    found = page.run("[...document.querySelectorAll('#copies input')].map(it => it.value)")
    page.key("Escape")
    assert found[0] == page.run("location.href") and "moves=d6.f4.d2.b4&at=3" in found[0], found
    assert found[2] == "d6 f4 d2 b4" and found[3].startswith("MFEN/1.0 "), found
    for text, turns, men in ((found[0], 4, 3), (found[1], 0, 3), (found[2], 4, 4), (found[3], 0, 3)):
        choose(page, "both")
        open_game(page, text)
        page.wait(f"{MEN} === {men}")
        assert len(played(page)) == turns, (text, played(page))
    choose(page, "both")
    page.run(f"location.href = {json.dumps(found[0])}")
    page.wait(f"{MEN} === 3 && document.querySelectorAll('#moves .turn').length === 4")


def written(page, notation):
    """The game in a notation, as it is downloaded."""
    page.run(f"document.querySelector('#notation').value = '{notation}'")
    return downloaded(page, lambda: page.click("#save"))


def marks(page):
    """What SGF alone has stays while a game is annotated, and the comment of a variation stays before it."""
    choose(page, "both")
    open_game(page, r"(;GM[5]AP[Board:1]C[begin](;W[d6]TR[d6][f4];B[f4])(;C[or]MA[b2];W[a1]))")
    page.wait("document.querySelectorAll('#moves .turn').length === 2")
    page.key("Home")
    page.key("ArrowRight")
    page.wait(f"{MEN} === 1")
    page.click("#glyphs [data-glyph='1']")
    text = written(page, "sgf").replace("\n", "")
    for kept in ("AP[Board:1]", "C[begin]", "W[d6]TE[1]TR[d6][f4]", "(;C[or]MA[b2];W[a1])"):
        assert kept in text, text


def tree(page):
    """Variations, comments and marks are kept, written and read."""
    open_game(page, "d6 f4 d2 b4")
    page.key("Home")
    page.key("ArrowRight")
    page.wait(f"{MEN} === 1")
    place(page, "a1", "a4")
    page.click("#note-text")
    page.call("Input.insertText", text="a quiet answer")
    page.click("#glyphs [data-glyph='5']")
    said = "document.querySelector('#moves .aside').textContent"
    page.wait(f"{said}.includes('a4!?') && {said}.includes('a quiet answer')")
    assert played(page) == ["d6", "f4", "d2", "b4"]
    reload(page)
    page.wait(f"{said}.includes('a4!?')")
    text = written(page, "wmd")
    assert "a quiet answer" in text and "(" in text, text
    choose(page, "both")
    open_game(page, text)
    # Its number comes once the server has told the turns of the variation.
    page.wait(f"{said}.includes('1…a1') && {said}.includes('a4!?') && {said}.includes('a quiet answer')")
    page.click("#moves .branch")
    page.wait("!document.querySelector('#promote').disabled")
    page.click("#promote")
    page.wait("document.querySelectorAll('#moves .turn')[1].textContent === 'a1'")
    page.click("#remove")
    page.wait("document.querySelectorAll('#moves .turn')[1].textContent === 'f4'")


def archive(page):
    """The list brings games back, in a tab that was closed, too."""
    choose(page, black_level="2")
    page.wait(OURS)
    press_by_mouse(page, "d6")
    page.wait(f"{MEN} === 2")
    turns = played(page)
    choose(page, "both")
    place(page, "g7")
    page.click("#archive")
    assert page.run("document.querySelectorAll('#games button').length") >= 2
    titles = page.run("[...document.querySelectorAll('#games li')].map(it => it.textContent)")
    number = next(index for index, title in enumerate(titles) if "level 2" in title)
    page.click(f"#games li:nth-child({number + 1}) button")
    page.wait(f"document.querySelectorAll('#moves .turn').length === {len(turns)}")
    assert played(page) == turns and page.text("#top-player .name") == "Black Millstone, level 2"
    page.run("sessionStorage.clear(); dispatchEvent(new Event('pagehide')); sessionStorage.clear()")
    reload(page)
    assert played(page) == turns
    page.click("#archive")
    games = page.run("document.querySelectorAll('#games li').length")
    page.click("#games li:last-child .forget")
    assert page.run("document.querySelectorAll('#games li').length") == games - 1
    page.key("Escape")


def claims(page):
    """A hint, a draw and a resignation; no engine agrees to a draw before anything has happened."""
    choose(page, black_level="1")
    page.click("#hint")
    page.wait("document.querySelector('.sign.better') !== null")
    page.click("#draw")
    page.wait("document.querySelector('#status').textContent.includes('declines')")
    choose(page, "both")
    place(page, "d6")
    page.wait("JSON.parse(sessionStorage['millstone.table']).snapshot.game.moves.length === 1")
    page.click("#draw")
    page.wait("document.querySelector('#ask-dialog').open")
    page.click(YES)
    page.wait("document.querySelector('#status').textContent.includes('Draw by agreement')")
    page.key("ArrowLeft")
    page.wait(f"{MEN} === 0")
    page.click("#archive")
    assert "1 turn · The game is drawn." in page.text("#games li"), page.text("#games li")
    page.key("Escape")
    choose(page, "both")
    place(page, "d6", "d7")
    page.key("ArrowLeft")
    page.wait(f"{MEN} === 1")
    page.click("#resign")
    page.wait("document.querySelector('#ask-dialog').open")
    page.click(YES)
    page.wait(f"document.querySelector('#status').textContent.includes('Black wins: White resigns.') && {MEN} === 2")
    assert page.run("document.querySelector('.point.can') === null")
    page.wait("document.querySelector('#resign').disabled")
    page.click("#undo")
    page.wait(f"!document.querySelector('#resign').disabled && {MEN} === 1")
