"""`companion screen --simulate`: the same hardware.toml without metal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hardware.simulated.pins import ManualClock
from hardware.simulated.table import SimulatedTable, run_script_line
from hardware.wiring import read_machine_wiring
from ui.screen import make_app


async def test_a_simulated_button_answers_on_the_screen(
    open_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is the one for the metal; what is pressed by a line of text moves the game on."""
    (tmp_path / "hardware.toml").write_text(
        "[[buttons]]\nseat = 1\ntap = 'GPIO5'\n[[light]]\nseat = 1\npin = 'GPIO6'\n"
    )
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    clock = ManualClock(0.0)
    with SimulatedTable(read_machine_wiring(), clock) as metal:
        table = await open_app(make_app(tmp_path / "state", simulated_table=metal, lang="en"))
        controller = table.app.controller
        assert controller.start_new_game("egypt", ["Aki", "Ben", "Chie"], ["orange", "sky", "green"], {})
        controller.handle_device_signals()
        assert metal.is_light_on(1)
        clock.wait(1e9)  # long after the question appeared, so that no test waits
        assert run_script_line(metal, "1 tap") == ""
        assert run_script_line(metal, "1 tap 0.7") == ""
        await table.wait_until(lambda: controller.view.question_number == 2)


async def test_a_wrong_section_is_said_when_the_screen_starts(
    open_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one sentence, over home; the devices beside it play."""
    path = tmp_path / "hardware.toml"
    path.write_text("[[buttons]]\nseat = 9\ntap = 'GPIO4'\n[[buttons]]\nseat = 1\ntap = 'GPIO5'\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    with SimulatedTable(read_machine_wiring(), ManualClock(0.0)) as metal:
        table = await open_app(make_app(tmp_path / "state", simulated_table=metal, lang="en"))
        fault = f"{path}: buttons[1].seat: 9 isn't allowed here; allowed: a whole number from 1 to 5"
        assert fault in table.texts()
        await table.wait_until(lambda: not table.app.controller._devices.lost_devices)
        assert metal.buttons.keys() == {1}
