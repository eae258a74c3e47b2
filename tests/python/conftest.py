"""What the tests of the package share."""

import signal

import pytest


class Interrupts:
    """Raises one `KeyboardInterrupt` some time after `arm`; `armed` until then."""

    armed = False

    def arm(self, seconds):
        self.armed = True
        signal.setitimer(signal.ITIMER_REAL, seconds)

    def raise_once(self, *_):
        if self.armed:
            self.armed = False
            raise KeyboardInterrupt


@pytest.fixture
def interrupts():
    if not hasattr(signal, "setitimer"):
        pytest.skip("only POSIX has such timers")
    interrupts = Interrupts()
    before = signal.signal(signal.SIGALRM, interrupts.raise_once)
    yield interrupts
    signal.signal(signal.SIGALRM, before)
