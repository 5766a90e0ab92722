"""What Kivy is told before it starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
from pathlib import Path
from ui.kivy_env import WindowSettings, configure_kivy
configure_kivy(Path(sys.argv[1]), WindowSettings(touch=sys.argv[2]))
from kivy.config import Config
print([Config.get("input", name, raw=True) for name, _ in Config.items("input", raw=True)])
"""


@pytest.mark.parametrize(
    ("touch", "providers"),
    [
        ("mouse", ["mouse,disable_multitouch"]),
        ("panel", ["probesysfs,provider=mtdev"]),
        ("none", []),
    ],
)
def test_there_is_exactly_one_source_of_touches(tmp_path: Path, touch: str, providers: list[str]) -> None:
    """Two of them would give two releases for one tap; a start says nothing and needs no file."""
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "kivy"), touch],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert f"{providers}\n" == run.stdout
    assert not run.stderr
    assert not list((tmp_path / "kivy").glob("*.ini"))


def test_it_comes_too_late_after_kivy(kivy_window: object, tmp_path: Path) -> None:
    """Then nothing of it would count, so it says so."""
    from ui.kivy_env import WindowSettings, configure_kivy

    with pytest.raises(RuntimeError, match="before the first kivy import"):
        configure_kivy(tmp_path, WindowSettings())


def test_each_pixel_has_one_sample(kivy_window: object) -> None:
    """Edges are smooth without several samples of each pixel, which would take half of every frame."""
    from kivy.config import Config

    assert Config.getint("graphics", "multisamples") == 0
