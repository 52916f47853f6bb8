"""What only a page with an engine of its own can: without a network it goes on."""

import json

from browser_faults import LATER
from browser_tools import OURS, analyse, choose, open_game, place, played, reload


def weights(page):
    """The weights of the board with diagonals come when a game needs them."""
    choose(page, "white", "Twelve Men's Morris", black_level="3")
    place(page, "d6")
    page.wait("document.querySelectorAll('#moves .turn').length === 2")
    assert page.run("caches.keys().then((names) => caches.open(names[0]))"
                    ".then((cache) => cache.match('weights_with_diagonals.bin')).then(Boolean)")


def without_network(page):
    """The page is there again without a network, and so are its engine and its book."""
    page.wait("navigator.serviceWorker.controller !== null")
    choose(page, "white", black_level="30")
    place(page, "d6")
    page.wait("document.querySelectorAll('#moves .turn').length === 2")
    page.connect(False)
    reload(page)
    page.wait(OURS)
    place(page, "g1")
    page.wait("document.querySelectorAll('#moves .turn').length === 4")
    assert len(played(page)) == 4
    page.connect(True)


def sectors(page, address):
    """What sector files of another host say; a position of which they are not there is searched. Their address is kept."""
    page.run("window.isOld = true")
    page.run(f"location.href = '?tablebase=' + encodeURIComponent({json.dumps(address)})")
    page.wait(f"!window.isOld && {OURS}")
    analyse(page)
    for game, is_known in ((LATER, True), (LATER.replace("****/***", "OO**/@@*").replace("4 0 4", "6 0 6"), False)):
        open_game(page, game)
        page.wait("document.querySelector('#effort').textContent.includes('depth')")
        assert ("by the tablebase" in page.text("#effort")) == is_known, (game, page.text("#effort"))
    analyse(page)
    for search, is_kept in (("", True), ("?tablebase=", False)):
        page.run("window.isOld = true")
        page.run(f"location.href = location.pathname + {json.dumps(search)}")
        page.wait(f"!window.isOld && {OURS}")
        assert page.run("Boolean(JSON.parse(localStorage['millstone.tablebase']))") == is_kept
