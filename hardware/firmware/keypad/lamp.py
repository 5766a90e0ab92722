"""The light, and the buzzer that calls when it comes on."""

from machine import PWM, Pin

BLINK = 250
"""Milliseconds on, and so many off."""
CALL = 100
"""Milliseconds."""
TONE = 2000
"""Hertz: near where small piezo discs are loudest; an active buzzer sounds as well."""


class Lamp:
    """A light at a pin."""

    def __init__(self, number: int) -> None:
        self._pin = Pin(number, Pin.OUT, value=0)

    def show(self, light: str, now: int) -> None:
        """`off`, `on` or `blink`."""
        self._pin.value(light == "on" or (light == "blink" and now // BLINK % 2 == 0))


class Buzzer:
    """Calls once when the light comes on, and never otherwise: everybody hears it.

    A key's click would tell how long a sealed bid is, a refusal's that there was one.
    """

    def __init__(self, number: int) -> None:
        self._tone = PWM(Pin(number), freq=TONE, duty_u16=0)
        self._light = "off"
        self._ends: int | None = None

    def show(self, light: str, now: int) -> None:
        """What the light does."""
        if light != "off" and self._light == "off":
            self._tone.duty_u16(1 << 15)
            self._ends = now + CALL
        self._light = light
        if self._ends is not None and now >= self._ends:
            self._tone.duty_u16(0)
            self._ends = None
