"""What only a page with an engine of its own can: without a network it goes on."""

from browser_tools import OURS, choose, place, played, reload

LOADED = "performance.getEntriesByType('resource').map((it) => it.name.split('/').pop())"


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
