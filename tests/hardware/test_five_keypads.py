"""Five keypads with their real firmware at one table, over damaged cables that are pulled again and again."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.half_numbers import WholeOrHalf
from hardware.device_drivers import SeatPanel
from hardware.keypads import Keypads
from hardware.signals import NumbersAnswer
from hardware.simulated.keypads import CableNoise
from hardware.wiring import Keypad
from tests.support.hardware.device_helpers import NoisyCable, SignalListener
from tests.support.hardware.micropython_keypad import MICROPYTHON, SKIP_REASON, MicroPythonKeypad
from tests.support.soak import SOAK

pytestmark = pytest.mark.skipif(not MICROPYTHON.is_file(), reason=SKIP_REASON)

KEYPADS = 5
BIDS, UNPLUGS = (1_000, 20) if SOAK else (50, 5)
"""Acknowledged bids of all together, and how often a plug is pulled meanwhile."""
PATIENCE = 20 + 0.5 * BIDS
"""Seconds until the test gives up."""


class Player:
    """A seat: types a bid when it is asked, and knows a bid to be taken when the display says so."""

    def __init__(self, number: int, folder: Path) -> None:
        self.device = f"keypad {number}"
        self.host = folder / f"port-{number}"
        self.noise = CableNoise(seed=number, damaged_share=0.3)
        self.pico = MicroPythonKeypad(
            folder / f"pico-{number}", folder / f"pad-{number}", f'id = "kp-{number}"\n'
        )
        self.typed: list[tuple[int, int]] = []
        self.acknowledged: list[tuple[int, int]] = []
        self.arrived: list[tuple[WholeOrHalf, WholeOrHalf]] = []
        self._bidding = False
        self._sent = False
        self._plug_in()

    @property
    def question(self) -> int:
        """The number of the question that is open for this seat."""
        return len(self.arrived) + 1

    @property
    def panel(self) -> SeatPanel:
        """What is asked."""
        return SeatPanel(self.question, f"Bid {self.question}", "on")

    def look(self) -> None:
        """Reads all that the display showed, and types the next bid when it is time."""
        self.pico.read_pin_events()
        for line, own in self.pico.display_states:
            self._read(line, own)
        self.pico.display_states.clear()

    def _read(self, line: str, own: str) -> None:
        if self._sent and own == "":
            self.acknowledged.append(self.typed[-1])
            self._bidding = self._sent = False
        if self._bidding:
            self._sent = own.startswith(">")
        elif line == f"Bid {self.question}" and own == "":
            self.typed.append((self.question, len(self.typed)))
            self.pico.type(f"{self.question}.{len(self.typed) - 1} OK")
            self._bidding = True

    def replug(self) -> None:
        """Pulls the plug out of the computer and pushes it in again; the keypad starts again."""
        self.close()
        self._bidding = self._sent = False
        self._plug_in()

    def close(self) -> None:
        """Pulls it for good."""
        self._cable.unplug_host()
        self.pico.unplug()

    def _plug_in(self) -> None:
        self.pico.plug_in()
        self._cable = NoisyCable(self.pico.port, self.host, self.noise)


@pytest.fixture
def players(tmp_path: Path) -> Iterator[list[Player]]:
    """Five of them."""
    players = [Player(number, tmp_path) for number in range(1, KEYPADS + 1)]
    yield players
    for player in players:
        player.close()


def _plays(host: Keypads, game: SignalListener, players: list[Player]) -> None:
    """Until so many bids are acknowledged; plugs are pulled by chance, mostly in the middle of a bid."""
    chance = random.Random(5)
    by_device = {player.device: player for player in players}
    pulls = sorted((chance.randrange(BIDS - KEYPADS) for _ in range(UNPLUGS)), reverse=True)
    end = time.monotonic() + PATIENCE
    while (taken := sum(len(player.acknowledged) for player in players)) < BIDS:
        assert time.monotonic() < end, f"only {taken} bids"
        for signal in game.listen(0.01):
            if isinstance(signal, NumbersAnswer):
                player = by_device[signal.device]
                number, bid = signal.numbers
                player.arrived.append((number, bid))
                host.handle_answer_accepted(signal)
                host.show_panel(signal.device, player.panel)
        for player in players:
            player.look()
        if pulls and taken >= pulls[-1]:
            pulls.pop()
            chance.choice(players).replug()
    assert not pulls


def test_each_acknowledged_bid_arrives_once(players: list[Player]) -> None:
    """30 % of all chunks damaged, plugs pulled in the middle of bids: none lost, doubled or changed.

    A bid whose acknowledgement the pulled plug cut off may have arrived or not, once at most.
    """
    game = SignalListener()
    wired = [Keypad(seat=n, port=str(player.host)) for n, player in enumerate(players, 1)]
    with Keypads(wired, game.inbox) as host:
        for player in players:
            host.show_panel(player.device, player.panel)
        _plays(host, game, players)
    for player in players:
        assert set(player.arrived) <= set(player.typed), "a bid arrived changed"
        assert len(set(player.arrived)) == len(player.arrived), "a bid arrived twice"
        arrived = iter(player.arrived)
        assert all(bid in arrived for bid in player.acknowledged), "an acknowledged bid is missing"
        assert player.noise.damaged_count > len(player.acknowledged) / 2
