"""What the page coaches: puzzles to their end, and turns that are better than the bad ones of a game."""

import re

from browser_tools import analyse, box, choose, open_game, place, played, points, press_by_keys, press_by_mouse, speak, tab_to

PUZZLE = "document.querySelector('#puzzle-sentences').textContent"
WRONG = f"{PUZZLE}.includes('Wrong: ')"
SOLVED = f"{PUZZLE}.includes('Solved!')"
STANDING = "document.querySelector('#puzzle-standing').textContent"
COACH = "document.querySelector('#coach-sentences').textContent"
# The best move where the board stands, by the API.
BEST = """(async () => {
  const [{ decode }, { listen }] = await Promise.all(["./link.js", "./api.js"].map((name) => import(name)));
  const { variant, start, moves, at } = decode(location.hash);
  let best;
  const game = { variant, start, moves: moves.slice(0, at) };
  await listen("analysis", { game, limits: { depth: 1 } }, { done: ({ lines }) => (best = lines[0].moves[0]) });
  return best;
})()"""


# Men slide.
SLIDES = "@@OO@O**/*O*@****/******** w m s 4 0 4 0 0 0 0 0 0 0 0 0 10"
# What the analysis would tell is asked for.
HIDDEN = "document.querySelector('#truth').hidden && document.querySelector('.sign.best') === null"


def press_turn(page, turn):
    """Plays a turn such as d6-d5xa1 by keys."""
    for point in filter(None, re.split("[-x]", turn)):
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


def solve(page):
    """Plays the best moves until the puzzle is solved; the opponent answers each turn."""
    while not page.run(SOLVED):
        page.wait(f"document.querySelector('.point.can') !== null || {SOLVED}")
        if not page.run(SOLVED):
            move = page.run(BEST)
            before = page.run("location.hash")
            press_turn(page, move)
            page.wait(f"location.hash !== {before!r}")


def puzzle(page):
    """One that is helped with counts as not solved; another one is solved to its end, and kept as such."""
    analyse(page)
    page.click("#puzzle")
    page.wait(f"{PUZZLE}.includes(' to play and ') && {HIDDEN}")
    page.click("#puzzle-solution")
    page.wait(f"!({HIDDEN})")
    analyse(page)
    page.wait("document.querySelector('#puzzle-line .step') !== null && document.querySelector('.sign.better') !== null")
    steps = page.run("[...document.querySelectorAll('#puzzle-line .step')].map(it => it.textContent)")
    first = steps[0] + (steps[1] if steps[1:] and steps[1].startswith("x") else "")
    assert page.run(f"{STANDING}.includes('0 of 1 solved')"), page.text("#puzzle-standing")
    other_turn(page, first)
    page.wait(f"{WRONG} && {PUZZLE}.includes('This turns ')")
    assert page.run("document.querySelector('.point.can') === null")
    page.click("#puzzle-again")
    page.wait(f"!{WRONG} && document.querySelectorAll('#moves .turn').length === 0")
    solve(page)
    assert page.run(f"{STANDING}.includes('0 of 1 solved')")
    page.run("document.querySelector('#puzzle-level').value = '3'; document.querySelector('#puzzle-level').dispatchEvent(new Event('change'))")
    tab_to(page, "document.activeElement.id === 'puzzle-next'")
    page.key("Enter")
    page.wait(f"{PUZZLE}.startsWith('Level 3: ') && document.activeElement.dataset.point !== undefined")
    assert played(page) == []
    solve(page)
    page.wait(f"{STANDING}.includes('1 of 2 solved') && {STANDING}.includes('streak 1')")
    choose(page, "both")
    assert page.text("#puzzle-sentences") == ""
    assert page.run("document.querySelector('#puzzle-next').checkVisibility()") is False


def better_turn(page, position):
    """A review stops before a bad turn, and asks for a better one; what would be better is a secret until then."""
    open_game(page, f"{position} moves d1-e3")
    page.wait("document.querySelectorAll('#moves .turn').length === 1")
    page.click("#review")
    page.wait("document.querySelector('#summary table') !== null && document.querySelectorAll('#follows .step').length > 1")
    page.run("document.querySelectorAll('#follows .step')[1].click()")
    page.wait("document.querySelectorAll('#moves .turn').length === 2")
    assert page.run("document.querySelector('#summary table') !== null"), "the review is gone"
    page.click("#remove")
    page.wait("document.querySelectorAll('#moves .turn').length === 1")
    analyse(page)
    page.click("#coach-begin")
    page.wait(f"{COACH}.startsWith('1 of 1: 30. d1-e3?? was played.')")
    page.wait(HIDDEN)
    assert page.text("#better") == "" and page.run("document.querySelector('.sign.better') === null")
    assert page.run("document.querySelector('#hint').disabled")
    assert page.run("document.querySelector('.sign.bad') !== null")
    place(page, "d1-b6")
    page.wait(f"{COACH}.includes('Not the best: d1-b6.') || {COACH}.includes('Good: d1-b6.')")
    page.click("#coach-solution")
    page.wait(f"document.querySelector('.sign.better') !== null && !({HIDDEN})")
    analyse(page)
    press_turn(page, page.run(BEST))
    page.wait("document.querySelector('.point.prey') !== null")
    press_turn(page, page.run(BEST))
    page.wait(f"{COACH}.includes('Good: ')")
    assert "d1-e3" in page.text("#comment"), "why the bad turn fails"
    page.click("#coach-next")
    page.wait("document.querySelector('#coach').hidden")
    assert played(page) == ["d1-e3??"]
    # Who plays the bad turn itself can go on to the next one, which may follow at once.
    open_game(page, f"{position} moves d1-e3 b4-a7")
    page.click("#review")
    page.wait("document.querySelector('#summary table') !== null")
    page.click("#coach-begin")
    page.wait(f"{COACH}.startsWith('1 of 2: ')")
    place(page, "d1-e3")
    page.wait(f"{COACH}.includes('Not the best: d1-e3.')")
    page.click("#coach-next")
    page.wait(f"{COACH}.startsWith('2 of 2: ') && !{COACH}.includes('Not the best') && document.querySelector('.point.can') !== null")
    page.click("#coach-end")


def in_sight(page, position):
    """On a phone, a review and what its coach asks are seen below the board, and have the focus."""
    open_game(page, f"{position} moves d1-e3")
    page.resize(375, 667)
    for button, panel, part in (("review", "review-panel", "#review-title"), ("coach-begin", "coach", "#coach-sentences p")):
        page.wait(f"document.querySelector('#{button}').checkVisibility() && !document.querySelector('#{button}').disabled")
        page.run(f"document.querySelector('#{button}').click()")
        page.wait(f"document.activeElement.id === {panel!r}")
        (_, y, _, high), (_, top, _, tall) = box(page, part), box(page, ".stage")
        assert top + tall <= y and y + high <= 667, (panel, y, top + tall)
    page.resize(1280, 900)
    page.click("#coach-end")
    page.wait("document.activeElement.id === 'coach-begin'")


def in_german(page, position):
    """Lessons are told in the language of the page."""
    speak(page, "de")
    open_game(page, f"{position} moves d1-e3")
    page.click("#teach-switch")
    page.wait("document.querySelector('#lessons').textContent.includes('Vorher gewonnen, jetzt verloren in ')")
    told = page.text("#lessons")
    assert re.search(r"(hielt|hielten) das.*: Das schließt die Mühle ", told), told
    open_game(page, f"{position} moves g4-d3")
    page.wait("document.querySelector('#lessons').textContent.includes('g4-g1 hätte sofort gewonnen.')")
    page.click("#teach-switch")
    told = page.run("import('./values.js').then(({ ofScore, scoreOf }) => [ofScore({ cp: -50 }, 'White').label, scoreOf({ cp: -10000, word: '-won?' })])")
    assert told == ["−0,50", "−gewonnen?"], told
    speak(page, "")


def moves_of_the_archive(page):
    """The analysis says how often a move was played in games of the user, and how many replies hold a draw."""
    open_game(page, "d6 f4 d2 b4")
    page.wait("document.querySelectorAll('#moves .turn').length === 4")
    page.key("Home")
    page.click("#truth-switch")
    page.wait("[...document.querySelectorAll('#values button')].some((it) => it.textContent.startsWith('d6') && it.title.includes(' in your games'))")
    page.click("#truth-switch")


def drawn_by_touch(page):
    """A finger that rests on a point draws, one that does not plays, and one that rests on a man moves it."""
    choose(page, "both")
    a, b = (page.middle(f"[data-point={point}]") for point in ("a1", "a7"))
    def touch(kind, *places):
        page.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in places])
    page.call("Emulation.setTouchEmulationEnabled", enabled=True)
    touch("touchStart", a)
    page.run("new Promise((done) => setTimeout(done, 700))")
    touch("touchMove", b)
    touch("touchEnd")
    page.wait("document.querySelector('polygon.sign.hand') !== null")
    assert played(page) == []
    touch("touchStart", a)
    touch("touchEnd")
    page.wait("document.querySelector('[data-point=a1]').matches('.white')")
    open_game(page, SLIDES)
    page.wait("document.querySelector('.point.mover') !== null")
    man = points(page, "mover")[0]
    press_by_mouse(page, man)
    page.wait("document.querySelector('.point.target') !== null")
    to = points(page, "target")[0]
    press_by_mouse(page, man)
    page.wait("document.querySelector('.point.target') === null")
    touch("touchStart", page.middle(f"[data-point={man}]"))
    page.run("new Promise((done) => setTimeout(done, 700))")
    touch("touchMove", page.middle(f"[data-point={to}]"))
    touch("touchEnd")
    page.wait("document.querySelectorAll('#moves .turn').length === 1")
    assert played(page) == [f"{man}-{to}"]
    page.call("Emulation.setTouchEmulationEnabled", enabled=False)
