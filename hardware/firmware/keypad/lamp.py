"""The keypad's light, and the buzzer that beeps when the light comes on."""

from machine import PWM, Pin

BLINK_HALF_PERIOD_MS = 250
"""Milliseconds for which a blinking light is on, and then off."""
LIGHT_ON_BEEP_MS = 100
"""Milliseconds of the beep when the light comes on."""
BUZZER_TONE_HERTZ = 2000
"""Frequency at which small piezo discs are loudest; an active buzzer sounds as well."""


class Lamp:
    """The keypad's light at a pin."""

    def __init__(self, number: int) -> None:
        self._pin = Pin(number, Pin.OUT, value=0)

    def set_state(self, light_state: str, now_ms: int) -> None:
        """Sets the light to `off`, `on` or `blink`."""
        self._pin.value(
            light_state == "on" or (light_state == "blink" and now_ms // BLINK_HALF_PERIOD_MS % 2 == 0)
        )


class Buzzer:
    """The keypad's buzzer, which beeps once when the light comes on.

    It never sounds otherwise, because everybody hears it. A key's click would reveal how long a sealed bid
    is; the sound of a refusal would reveal that there was one.
    """

    def __init__(self, number: int) -> None:
        self._tone = PWM(Pin(number), freq=BUZZER_TONE_HERTZ, duty_u16=0)
        self._last_light_state = "off"
        self._beep_ends_at: int | None = None

    def beep_if_light_comes_on(self, light_state: str, now_ms: int) -> None:
        """Starts the beep if the light comes on, and ends it when its time is up."""
        if light_state != "off" and self._last_light_state == "off":
            self._tone.duty_u16(1 << 15)
            self._beep_ends_at = now_ms + LIGHT_ON_BEEP_MS
        self._last_light_state = light_state
        if self._beep_ends_at is not None and now_ms >= self._beep_ends_at:
            self._tone.duty_u16(0)
            self._beep_ends_at = None
