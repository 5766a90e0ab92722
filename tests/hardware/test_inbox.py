"""The inbox: one queue from many threads into the game's."""

import threading

from hardware.signals import ControlKeyAnswer, DeviceFound, Inbox


def test_signals_are_drained_in_the_order_they_came() -> None:
    """What was put first comes out first, and only once."""
    inbox = Inbox(wake=lambda: None)
    inbox.put(DeviceFound("keypad 1"))
    inbox.put(DeviceFound("keypad 2"))
    assert inbox.drain() == [DeviceFound("keypad 1"), DeviceFound("keypad 2")]
    assert inbox.drain() == []


def test_an_empty_inbox_wakes_once() -> None:
    """The game's thread is woken by the first signal after a drain, not by the ones behind it."""
    woken: list[str] = []
    inbox = Inbox(wake=lambda: woken.append("!"))
    inbox.put(DeviceFound("keypad 1"))
    inbox.put(DeviceFound("keypad 2"))
    assert woken == ["!"]
    inbox.drain()
    inbox.put(DeviceFound("keypad 3"))
    assert woken == ["!", "!"]


def test_no_signal_of_many_threads_is_lost() -> None:
    """Eight threads put 500 signals each: all arrive, each thread's in its order."""
    awake = threading.Event()
    inbox = Inbox(wake=awake.set)

    def put_many(device: str) -> None:
        for number in range(500):
            inbox.put(ControlKeyAnswer(device, number, "ok", 0.0, number))

    threads = [threading.Thread(target=put_many, args=(f"{name}",)) for name in range(8)]
    for thread in threads:
        thread.start()
    arrived: dict[str, list[int]] = {f"{name}": [] for name in range(8)}
    while sum(map(len, arrived.values())) < 4000:
        assert awake.wait(10), "a signal was put and nobody was woken"
        awake.clear()
        for signal in inbox.drain():
            assert isinstance(signal, ControlKeyAnswer)
            arrived[signal.device].append(signal.question)
    for thread in threads:
        thread.join()
    assert all(numbers == list(range(500)) for numbers in arrived.values())
