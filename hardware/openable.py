"""What is opened and closed again: devices of one kind, or what reads them."""

from __future__ import annotations

from typing import Protocol, Self


class Openable(Protocol):
    """Starts with `start` or `with`, ends with `close`."""

    def start(self) -> None:
        """Takes ports or pins; what can't be used is said with `Lost`, or stays dark."""

    def close(self) -> None:
        """Lets go."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()
