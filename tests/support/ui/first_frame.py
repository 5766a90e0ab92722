"""Starts the app with its snapshot of home, and prints the modules that are loaded at its first frame.

    python -m tests.support.ui.first_frame FOLDER

The first start in a folder has no snapshot: it ends when home is there with all that can be reached from it.
"""

import sys
from pathlib import Path

from ui.evening.home_snapshot import SNAPSHOT_FILE_NAME
from ui.kivy_env import WindowSettings, configure_kivy
from ui.screen import make_app


def main(folder: Path) -> None:
    """Makes the snapshot, or prints the modules."""
    configure_kivy(folder / "kivy", WindowSettings())
    app = make_app(folder / "state")
    from kivy.clock import Clock
    from kivy.core.window import Window

    def print_modules_and_stop(_window: object) -> None:
        Window.unbind(on_flip=print_modules_and_stop)
        print(*sorted(sys.modules))
        app.stop()

    def stop_when_ready(_seconds: float) -> None:
        if hasattr(app, "table_flow"):
            app.stop()

    if (folder / "state" / SNAPSHOT_FILE_NAME).exists():
        app.bind(on_start=lambda _: Window.bind(on_flip=print_modules_and_stop))
    else:
        Clock.schedule_interval(stop_when_ready, 0)
    app.run()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
