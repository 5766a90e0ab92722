"""The service installed in a chroot, where the image of a memory card is made: no systemd runs in there."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.appliance.box import CACHE, ROOT, missing
from tests.support.soak import SOAK

pytestmark = [
    pytest.mark.without_coverage,
    pytest.mark.skipif(not SOAK, reason="a machine is installed and booted in a soak"),
    pytest.mark.skipif(bool(missing()), reason=missing() or "nothing is missing"),
    pytest.mark.timeout(3600),
    pytest.mark.xdist_group("boot"),
]
IN_THERE = """
scripts/install.sh
scripts/install.sh | grep installed.already
ls /etc/systemd/system/multi-user.target.wants/companion.service
ls /etc/systemd/system/timers.target.wants/companion-backup.timer
runuser -u companion -- companion games | grep ^egypt
scripts/install.sh --uninstall
test ! -e /opt/companion
test ! -e /etc/systemd/system/multi-user.target.wants/companion.service
"""


@pytest.mark.parametrize("suite", ["bookworm", "trixie"])
def test_it_is_installed_and_taken_away_in_a_chroot(suite: str) -> None:
    """It starts with the machine that the image is for; a second installation changes nothing."""
    CACHE.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [ROOT / "scripts/fresh.sh", suite, IN_THERE],
        env={**os.environ, "FRESH_CACHE": str(CACHE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "wait for the next start of the machine, because systemd isn't running here" in done.stdout
