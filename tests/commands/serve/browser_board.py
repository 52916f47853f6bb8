"""The board: coordinates, men that move, dragging, arrows, the evaluation bar, keys, sounds."""

import json

from browser_tools import MEN, analyse, box, choose, open_game, place, played, speak

SLIDES = "d6 f4 d2 b4 b6 f6 d7 f2 a7 xf2 f2 c3 c4 e4 a1 g1 d5 e5 c5 b2"
# The place of a man in the window, and whether it is on its way.
MAN = "(() => {{ const man = document.querySelector('.man.{}:not(.gone):last-child'); const r = man.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
SIGNS = "[...document.querySelectorAll('.sign')].map(it => it.getAttribute('class'))"
POSITION = "@*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30"


def setting(page, name, is_on):
    page.click("#settings")
    if page.run(f"document.querySelector('#setting-{name}').checked") != is_on:
        page.click(f"#setting-{name}")
    page.key("Escape")
    page.wait("!document.querySelector('#settings-dialog').open")


def coordinates(page):
    """Names of columns and rows, which turn with the board."""
    def first():
        return page.run("[...document.querySelectorAll('.names text')].sort((a, b) => a.getAttribute('x') - b.getAttribute('x'))"
                        ".filter(it => it.getAttribute('y') > 650).map(it => it.textContent).join('')")
    choose(page, "both")
    assert first() == "abcdefg"
    page.key("f")
    assert first() == "gfedcba"
    page.key("f")
    setting(page, "names", False)
    assert page.run("getComputedStyle(document.querySelector('.names')).display") == "none"
    setting(page, "names", True)


def men_move(page):
    """A man glides, a mill lights up, a man that is removed fades, and nothing of it where motion is reduced."""
    choose(page, "both")
    page.run("window.moved = new Set(); document.querySelector('#board').addEventListener('transitionrun', (event) => window.moved.add(event.propertyName));"
             "window.lit = new Set(); document.querySelector('#board').addEventListener('animationstart', (event) => window.lit.add(event.animationName))")
    place(page, "d6", "a1", "d5", "a4", "d7")
    page.wait("window.moved.has('transform') && window.lit.has('light')")
    place(page, "xa4")
    page.wait("window.lit.has('gone')")
    page.wait("document.querySelectorAll('.man').length === 4")
    page.darken(False, is_calm=True)
    assert page.run("getComputedStyle(document.querySelector('.man')).transitionDuration") == "0s"
    assert page.run("getComputedStyle(document.querySelector('.mills')).animationName") == "none"
    page.darken(False)


def dragging(page):
    """A man is dragged to another point, or back."""
    open_game(page, POSITION)
    page.drag("[data-point=d1]", "[data-point=b6]")
    page.wait("document.querySelectorAll('#moves .turn').length === 1")
    assert played(page) == ["d1-b6"], played(page)
    page.click("#undo")
    page.wait("document.querySelector('[data-point=d1]').matches('.white')")
    page.drag("[data-point=d1]", "[data-point=d5]")
    assert page.run("document.querySelector('.chosen') === null")
    assert played(page) == ["d1-b6"] and page.run("document.querySelector('[data-point=d1]').matches('.white')")


def arrows(page):
    """Arrows for the best moves, the one that was played, and by hand; the bar and the lines beside them."""
    open_game(page, POSITION)
    analyse(page)
    page.wait("document.querySelector('.sign.best') !== null")
    assert page.run("document.querySelector('#bar').matches('.on')")
    page.wait("document.querySelector('#bar i').style.transform === 'scaleY(1)'")
    assert page.run("document.querySelectorAll('#best-lines li').length") == 3
    page.wait("document.querySelector('#best-lines b').textContent.startsWith('W')")
    for name, part in (("arrows", ".sign.best"), ("bar", "#bar.on")):
        setting(page, name, False)
        assert page.run(f"document.querySelector('{part}') === null")
        setting(page, name, True)
    analyse(page)
    assert page.run(SIGNS) == []
    page.drag("[data-point=a1]", "[data-point=a7]", "right")
    page.drag("[data-point=d5]", "[data-point=d5]", "right", modifiers=8)
    assert page.run(SIGNS) == ["sign hand", "sign doubtful"], page.run(SIGNS)
    page.drag("[data-point=a1]", "[data-point=a7]", "right")
    assert page.run(SIGNS) == ["sign doubtful"]
    place(page, "d1-b6")
    assert page.run(SIGNS) == ["sign played"]


def keys(page):
    """Arrow keys, Home and End step through the game; ? lists the keys."""
    open_game(page, "d6 f4 d2")
    page.wait(f"{MEN} === 3")
    for key, men in (("ArrowLeft", 2), ("Home", 0), ("ArrowRight", 1), ("End", 3)):
        page.key(key)
        page.wait(f"{MEN} === {men}")
    # The list of turns is one stop for Tab, and the focus steps with the game.
    assert page.run("[...document.querySelectorAll('#moves button')].filter((it) => it.tabIndex === 0).map((it) => it.textContent)") == ["d2"]
    page.run("document.querySelector('#moves [aria-current]').focus()")
    page.key("ArrowLeft")
    page.wait("document.activeElement.textContent === 'f4'")
    page.key("Home")
    place(page, "a1")
    page.key("ArrowUp")
    page.wait("document.querySelector('[data-point=d6]').matches('.white')")
    page.key("ArrowDown")
    page.wait("document.querySelector('[data-point=a1]').matches('.white')")
    page.key("?")
    page.wait("document.querySelector('#keys-dialog').open")
    assert page.run("document.querySelectorAll('#key-list dt').length") > 12
    page.key("Escape")
    page.wait("!document.querySelector('#keys-dialog').open")


def sounds(page):
    """A sound for each move, unless sounds are switched off."""
    page.run("window.tones = 0; const start = OscillatorNode.prototype.start;"
             "OscillatorNode.prototype.start = function (...all) { window.tones += 1; return start.apply(this, all); }")
    choose(page, "both")
    place(page, "d6")
    page.wait("window.tones > 0")
    setting(page, "sound", False)
    before = page.run("window.tones")
    place(page, "f4")
    assert page.run("window.tones") == before
    setting(page, "sound", True)


def filled(page):
    """A desk has no empty half."""
    page.resize(1366, 768)
    right = max(x + wide for x, _, wide, _ in (box(page, part) for part in (".tools", ".more")))
    assert right > 1366 * 0.95 and page.run("document.documentElement.scrollHeight") <= 768
    page.resize(1280, 900)


def languages(page):
    """Every text is there in each language, and the page speaks the one that is chosen."""
    missing = page.run("""(async () => {
      const [en, de] = await Promise.all(["en", "de"].map((code) => import(`./texts_${code}.js`)));
      return Object.keys(en.default).filter((key) => !(key in de.default));
    })()""")
    assert missing == ["lessons.turn", "said.turn"], missing
    choose(page, "both")
    for language, said in (("de", "Weiß setzt."), ("", "White to place.")):
        speak(page, language)
        assert page.text("#status") == said, page.text("#status")
        assert page.text("#about-title") == {"de": "Mühle"}.get(language, "Nine Men's Morris")
    page.click("#resign")
    page.click("#ask-dialog button[value=yes]")
    page.wait("document.querySelector('#status').textContent === 'Black wins: White resigns.'")
    speak(page, "de")
    assert page.text("#status") == "Schwarz gewinnt: Weiß gibt auf.", page.text("#status")
    assert page.text("#move-time option") == "0,3 s", page.text("#move-time option")
    page.click("#open")
    for text, said in (("1. d6 )", "Eine schließende Klammer hat keine öffnende."), ("{d6", "Der Text ist hier fehlerhaft.")):
        page.run(f"document.getElementById('text').value = {text!r}")
        page.click("#load")
        page.wait(f"document.querySelector('#open-error').textContent === 'Zeile 1: {said}'")
    page.key("Escape")
    speak(page, "")
