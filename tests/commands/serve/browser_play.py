"""Whole games, by the mouse and by keys alone: against the engine, other games, games put aside."""

import json

from browser_tools import (MEN, OURS, OVER, analyse, choose, downloaded, label, open_game, place, played, points,
                           press_by_keys, press_by_mouse, reload, tab_to)

PUZZLE = "document.querySelector('#puzzle-sentences').textContent"


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
    choose(page, black_level="3")


def begin_by_keys(page):
    """Begins a new game against level 3 by keys alone, the level typed."""
    tab_to(page, "document.activeElement.id === 'new'")
    page.key("Enter")
    page.wait("document.querySelector('#new-dialog').open")
    tab_to(page, "document.activeElement.name === 'players'")
    while page.run("document.activeElement.value") != "white":
        page.key("ArrowLeft")
    tab_to(page, "document.activeElement.id === 'black-level'")
    page.run("document.activeElement.select()")
    page.key("3")
    tab_to(page, "document.activeElement.id === 'start'")
    page.run("document.querySelector('#about-title').append(' before')")
    page.key("Enter")
    page.wait("!document.querySelector('#new-dialog').open")
    page.wait("!document.querySelector('#about-title').textContent.includes('before')")
    assert page.text("#top-player .name") == "Black Millstone, level 3"


def whole_game(page, begin, press):
    begin(page)
    moves = play_to_the_end(page, press, 120)
    assert moves > 8, played(page)


def clock(page, player):
    """What a clock shows in seconds."""
    minutes, seconds = page.text(f"#{player} .clock").split(":")
    return 60 * int(minutes) + float(seconds)


def reload_with_clock(page):
    """The time that was thought is gone, nobody gets an increment, and an engine that waits goes on waiting."""
    choose(page, "both", clock="1+2")
    for point in ("d6", "f4"):
        press_by_mouse(page, point)
        page.wait(f"document.querySelector('[data-point={point}]').ariaLabel.includes('just moved')")
    page.click("#undo")
    page.wait(f"{MEN} === 1")
    page.wait("parseFloat(document.querySelector('#top-player .clock').textContent.split(':').pop()) < 59")
    looked_at = [clock(page, player) for player in ("top-player", "bottom-player")]
    page.click("#redo")
    page.wait(f"{MEN} === 2")
    page.click("#moves .turn")
    page.wait(f"{MEN} === 1")
    page.click("#moves .turn.black")
    page.wait(f"{MEN} === 2")
    late = clock(page, "top-player")
    assert late <= looked_at[0] + 2, "looking back gives no time back"
    page.click("#undo")
    page.wait(f"{MEN} === 1")
    before = [clock(page, player) for player in ("top-player", "bottom-player")]
    for _ in range(2):
        reload(page)
    after = [clock(page, player) for player in ("top-player", "bottom-player")]
    assert all(late <= early for early, late in zip(before, after)), (before, after)
    assert played(page) == ["d6", "f4"]
    choose(page, "none", white_level="1", black_level="1")
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
    page.wait(f"{MEN} === 2")
    page.click("#undo")
    page.wait(f"{MEN} === 0")
    page.click("#redo")
    page.click("#redo")
    page.wait(f"{MEN} === 4")
    assert played(page) == all_turns
    page.click("#undo")
    page.wait(f"{MEN} === 2")
    reload(page)
    page.wait(f"{MEN} === 2")
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
    analyse(page)
    page.wait("document.querySelector('#best-lines .step') !== null")
    page.click("#best-lines .step")
    page.wait(f"document.querySelectorAll('#moves .turn').length > {len(before[0])}")
    take_back(page, before)
    analyse(page)
    page.click("#moves .turn")
    page.wait(f"{MEN} === 1")
    open_game(page, "d6 f4 d2")
    page.wait("document.querySelectorAll('#moves .turn').length === 3")
    take_back(page, before)
    page.wait(OURS)
    assert '[Black "Millstone, level 3"]' in downloaded(page, lambda: page.click("#save"))


def take_back(page, before):
    page.click("#back")
    page.wait(f"document.querySelectorAll('#moves .turn').length === {len(before[0])}")
    assert (played(page), page.text("#top-player .name")) == before
    page.wait(OURS)


def games_take_turns(page):
    """Of several games that were put aside none is lost, whatever the server refuses."""
    for turns in (["d6", "f4"], ["a1"], []):
        choose(page, "both")
        for count, point in enumerate(turns, start=1):
            press_by_mouse(page, point)
            page.wait(f"document.querySelectorAll('#moves .turn').length === {count}")
    come_back(page, ["a1"])
    come_back(page, ["d6", "f4"])
    page.click("#moves .turn")
    page.wait(f"{MEN} === 1")
    page.connect(False)
    press_by_mouse(page, "g1")
    page.wait("!document.querySelector('#connection').hidden")
    page.connect(True)
    page.wait("document.querySelector('#connection').hidden")
    assert played(page) == ["d6", "f4"]
    others = 0
    while others < 8 and played(page) != ["a1"]:
        page.click("#back")
        # The game that comes may have the same moves.
        page.run("new Promise(done => setTimeout(done, 500))")
        others += 1
    come_back(page, ["d6", "f4"])


def come_back(page, turns):
    page.click("#back")
    page.wait(f"[...document.querySelectorAll('#moves .turn')].map(t => t.textContent).join() === '{','.join(turns)}'")


def removal(page):
    choose(page, "both")
    for point in ("d6", "a1", "d5", "a4", "d7"):
        press_by_mouse(page, point)
        page.wait(f"document.querySelector('[data-point={point}]').ariaLabel.includes('just moved')")
    assert points(page, "prey") == ["a1", "a4"]
    assert page.run("document.querySelectorAll('.mills line').length") == 1
    press_by_keys(page, "a4")
    page.wait("document.querySelector('[data-point=a4]').ariaLabel.includes('just removed')")
    assert played(page)[-1] == "d7xa4"


def morabaraba(page):
    choose(page, variant="Morabaraba", black_level="3")
    assert page.run("document.querySelectorAll('.lines line').length") == 20
    assert play_to_the_end(page, press_by_mouse, 20) > 8


def engine_against_engine(page):
    choose(page, "none", "Lasker Morris", white_level="1", black_level="2", clock="5+5")
    page.wait("document.querySelectorAll('#moves .turn').length >= 12")
    assert page.run("document.querySelector('.player .clock').textContent").startswith(("4:", "5:"))
    page.click("#undo")
    page.wait("document.querySelector('#pause').textContent === 'Resume'")
    page.click("#pause")
    page.wait(f"{OVER} || document.querySelectorAll('#moves .turn').length >= 20")
