"""Windows on a busy machine: neither a slow frame nor the end of the run makes a test fail."""

from __future__ import annotations

import os
import signal
from itertools import count
from typing import Any

import pytest

from tests.support.ui.clock_helpers import ManualSeconds, begin_egypt_auction, pass_time
from tests.support.ui.steady_time import MAX_STEP_SECONDS, SteadyTime

pytestmark = pytest.mark.usefixtures("without_motion")


def test_a_long_step_counts_as_a_short_one() -> None:
    """Otherwise the time passes as the machine's clock does, and it never goes back."""
    readings = iter([100.0, 100.01, 107.0, 90.0, 90.01])
    steady_time = SteadyTime(lambda: next(readings))
    steps = [100.01, 100.01 + MAX_STEP_SECONDS, 100.01 + MAX_STEP_SECONDS]
    assert [steady_time() for _ in steps] == pytest.approx(steps)
    steady_time.continue_from(200.0)
    assert steady_time() == pytest.approx(200.01)


async def test_a_notice_outlasts_slow_frames(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each frame takes longer than the notice is shown; a test that looks after three frames sees it."""
    from kivy.clock import Clock

    from ui import theme

    table = await open_app(make_app_with_clock())
    await begin_egypt_auction(table, "turn=1:00 ring")
    slow_seconds = count(Clock.time.seconds(), theme.EXPIRED_CLOCK_NOTICE_SECONDS + 1)
    monkeypatch.setattr(Clock.time, "seconds", lambda: next(slow_seconds))
    await pass_time(table, seconds, 61)
    assert "Time is up, Aki." in table.texts()


async def test_the_end_of_a_run_closes_no_window(open_app: Any, make_app_with_clock: Any) -> None:
    """What ends a run that has taken too long ends it like Ctrl-C, and isn't taken for a wish to quit."""
    table = await open_app(make_app_with_clock())
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGTERM)
    await table.wait_frames(3)
    assert not table.running.done()
