"""What the keys of a number pad for computers stand for, by the kernel's names of them.

A pad that NumLock has switched over to arrows sends other keys for its digits; they mean the digits too.
Keys that aren't named here do nothing: NumLock, Tab, / and =.
"""

from collections.abc import Mapping

from hardware.signals import PadCap

STANDS_FOR: Mapping[PadCap, tuple[str, ...]] = {
    "0": ("KEY_KP0", "KEY_0", "KEY_INSERT"),
    "1": ("KEY_KP1", "KEY_1", "KEY_END"),
    "2": ("KEY_KP2", "KEY_2", "KEY_DOWN"),
    "3": ("KEY_KP3", "KEY_3", "KEY_PAGEDOWN"),
    "4": ("KEY_KP4", "KEY_4", "KEY_LEFT"),
    "5": ("KEY_KP5", "KEY_5"),
    "6": ("KEY_KP6", "KEY_6", "KEY_RIGHT"),
    "7": ("KEY_KP7", "KEY_7", "KEY_HOME"),
    "8": ("KEY_KP8", "KEY_8", "KEY_UP"),
    "9": ("KEY_KP9", "KEY_9", "KEY_PAGEUP"),
    ".": ("KEY_KPDOT", "KEY_DOT", "KEY_KPCOMMA", "KEY_COMMA", "KEY_DELETE", "KEY_KPPLUS"),
    "DEL": ("KEY_BACKSPACE",),
    "NO": ("KEY_KPMINUS", "KEY_MINUS", "KEY_ESC"),
    "OK": ("KEY_KPENTER", "KEY_ENTER"),
    "OWN": ("KEY_KPASTERISK",),
}
"""Each meaning with its keys; the first is the one that pads usually have."""
