"""Plays in the page by clicks and keys:
browser.py URL POSITION FILES [OTHER-FOLDER [FOLDER FOR PICTURES]].

The server uses the tablebase of the folder FILES; files of the other one are added while it runs. Without another
one the page has an engine of its own, and FILES is an address of sector files. Prints what the page says each move of
the position is worth."""

import json
import sys

import browser_board as board
import browser_coach as coach
import browser_faults as faults
import browser_keep as keep
import browser_play as play
import browser_static as static
import browser_teach as teach
from browser_tools import OURS, press_by_keys, press_by_mouse
from chromium import Page

PICTURES = {"light": (1366, 768, False), "dark": (1366, 768, True), "phone": (375, 667, False), "turned": (683, 384, False)}


# What a page with an engine of its own does too: the others have a server that goes away, or look at what it is asked.
OWN = (
    play.removal, play.undo_and_redo, play.reload_with_clock,
    faults.level_by_keys, faults.explore_twice, faults.nothing_is_kept, faults.puzzle_of_another_game, faults.source_and_order,
    board.coordinates, board.men_move, board.dragging, board.arrows, board.keys, board.sounds, board.filled, board.languages,
    faults.names_and_sizes, faults.result_stays, play.put_aside,
    keep.editor, keep.engine_waits, keep.link, keep.archive, keep.claims, keep.tree, keep.marks,
)
OF_SERVER = (play.games_take_turns, faults.server_away, faults.refused_at_first)


def main(url, position, files, other=None, pictures=None):
    page = Page(url)
    try:
        page.wait("document.querySelectorAll('.point').length === 24")
        page.wait(OURS)
        for step in OWN + (OF_SERVER if other else (static.weights, static.without_network)):
            step(page)
        play.whole_game(page, play.begin_by_mouse, press_by_mouse)
        play.whole_game(page, play.begin_by_keys, press_by_keys)
        found = teach.truth(page, position)
        teach.cursed(page)
        teach.steady(page)
        teach.teaching(page, position)
        coach.puzzle(page)
        coach.better_turn(page, position)
        coach.in_sight(page, position)
        coach.in_german(page, position)
        coach.moves_of_the_archive(page)
        coach.drawn_by_touch(page)
        teach.review(page, position)
        if pictures:
            for name, (width, height, dark) in PICTURES.items():
                page.resize(width, height)
                page.darken(dark)
                page.picture(f"{pictures}/review-{name}.png")
            page.resize(1280, 900)
        if other:
            faults.files_built_later(page, files, other)
        else:
            static.sectors(page, files)
        play.morabaraba(page)
        play.engine_against_engine(page)
        assert not page.errors, page.errors
    finally:
        page.close()
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
