"""A connection to NetworkManager over D-Bus, with timeouts, and its errors as sentences."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.errors import UserError
from companion.texts import say

if TYPE_CHECKING:
    from jeepney import Message

BUS_NAME = "org.freedesktop.NetworkManager"
MANAGER_PATH = "/org/freedesktop/NetworkManager"
SETTINGS_PATH = f"{MANAGER_PATH}/Settings"
NO_OBJECT = "/"
"""The path that stands for no object."""

CALL_TIMEOUT_SECONDS = 3.0
"""NetworkManager answers each call at once: activating goes on after the answer."""

_MESSAGE_BUS = "org.freedesktop.DBus"
_MISSING_ERRORS = {f"{_MESSAGE_BUS}.Error.{name}" for name in ("ServiceUnknown", "NameHasNoOwner", "NoReply")}
_GONE_ERRORS = {
    f"{_MESSAGE_BUS}.Error.UnknownObject",
    f"{_MESSAGE_BUS}.Error.UnknownMethod",
    f"{BUS_NAME}.ConnectionNotActive",
}
_FORBIDDEN_ERRORS = {
    f"{_MESSAGE_BUS}.Error.AccessDenied",
    f"{BUS_NAME}.PermissionDenied",
    f"{BUS_NAME}.Settings.PermissionDenied",
    f"{BUS_NAME}.Settings.Connection.PermissionDenied",
}


class WifiError(UserError):
    """Wi-Fi can't do what was asked for; the text says why and what to do."""


class RequestRefused(WifiError):
    """NetworkManager refuses a request."""


class NetworkManagerMissing(WifiError):
    """NetworkManager isn't installed, isn't running, or doesn't answer."""

    def __init__(self) -> None:
        super().__init__(
            say(
                "NetworkManager doesn't answer, so the Companion can't change the Wi-Fi. Restart the machine."
            )
        )


class ObjectGone(WifiError):
    """A device, network, profile or connection disappeared while it was in use."""

    def __init__(self) -> None:
        super().__init__(say("The Wi-Fi changed meanwhile. Try again."))


class Signal(NamedTuple):
    """A signal of an object; `interface` is without `BUS_NAME` at its beginning."""

    path: str
    interface: str
    member: str
    arguments: tuple[Any, ...]

    def changed_properties(self) -> Mapping[str, object]:
        """Returns the properties that the signal says have changed."""
        is_change = self.interface == f"{_MESSAGE_BUS}.Properties" and self.member == "PropertiesChanged"
        return self.arguments[1] if is_change else {}


class NetworkManagerBus:
    """NetworkManager on a message bus; `open_bus` opens one.

    Each method takes at most `CALL_TIMEOUT_SECONDS`, and raises `WifiError`.
    """

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._owner: str = self._send(
            _MESSAGE_BUS, "/org/freedesktop/DBus", _MESSAGE_BUS, "GetNameOwner", "s", (BUS_NAME,)
        )[0]

    def call(
        self, path: str, interface: str, method: str, signature: str = "", *arguments: object
    ) -> tuple[Any, ...]:
        """Calls a method, and returns what it returns.

        `interface` is the last part of its name, such as Device, or empty for the manager's own.
        """
        return self._send(BUS_NAME, path, _full_name(interface), method, signature, arguments)

    def properties(self, path: str, interface: str = "") -> Mapping[str, Any]:
        """Returns the properties of an object; `interface` as in `call`."""
        (values,) = self._send(
            BUS_NAME, path, f"{_MESSAGE_BUS}.Properties", "GetAll", "s", (_full_name(interface),)
        )
        return {name: value for name, (_, value) in values.items()}

    @contextmanager
    def signals(self, timeout_seconds: float) -> Iterator[Iterator[Signal]]:
        """Collects NetworkManager's signals from now on, for an iterator that ends at the timeout.

        The iterator raises `NetworkManagerMissing` if NetworkManager ends.
        """
        from jeepney import MatchRule

        ends_at = time.monotonic() + timeout_seconds
        ended = MatchRule(type="signal", sender=_MESSAGE_BUS, member="NameOwnerChanged")
        ended.add_arg_condition(0, BUS_NAME)
        rules = [MatchRule(type="signal", sender=self._owner), ended]
        messages: deque[Message] = deque()
        for rule in rules:
            self._send(
                _MESSAGE_BUS, "/org/freedesktop/DBus", _MESSAGE_BUS, "AddMatch", "s", (rule.serialise(),)
            )
        with (
            self._connection.filter(rules[0], queue=messages),
            self._connection.filter(rules[1], queue=messages),
        ):
            yield self._receive_signals(messages, ends_at)

    def _receive_signals(self, messages: deque[Message], ends_at: float) -> Iterator[Signal]:
        from jeepney import HeaderFields

        while True:
            try:
                seconds = max(0.0, ends_at - time.monotonic())
                message = self._connection.recv_until_filtered(messages, timeout=seconds)
            except TimeoutError:
                return
            except OSError as error:
                raise NetworkManagerMissing from error
            fields = message.header.fields
            if fields[HeaderFields.sender] == _MESSAGE_BUS:
                raise NetworkManagerMissing
            interface = fields[HeaderFields.interface].removeprefix(f"{BUS_NAME}.")
            yield Signal(fields[HeaderFields.path], interface, fields[HeaderFields.member], message.body)

    def _send(
        self,
        bus_name: str,
        path: str,
        interface: str,
        method: str,
        signature: str,
        arguments: tuple[object, ...],
    ) -> tuple[Any, ...]:
        from jeepney import DBusAddress, DBusErrorResponse, new_method_call
        from jeepney.wrappers import unwrap_msg

        address = DBusAddress(path, bus_name, interface)
        message = new_method_call(address, method, signature or None, arguments)
        try:
            reply = self._connection.send_and_get_reply(message, timeout=CALL_TIMEOUT_SECONDS)
            body: tuple[Any, ...] = unwrap_msg(reply)
        except DBusErrorResponse as error:
            raise _translate_error(error.name, error.data) from error
        except OSError as error:  # a TimeoutError is one
            raise NetworkManagerMissing from error
        return body


@contextmanager
def open_bus(address: str) -> Iterator[NetworkManagerBus]:
    """Opens NetworkManager on the bus at an address; `SYSTEM` is the machine's own bus.

    Raises `NetworkManagerMissing`.
    """
    from jeepney.io.blocking import open_dbus_connection

    try:
        connection = open_dbus_connection(address)
    except OSError as error:
        raise NetworkManagerMissing from error
    with connection:
        yield NetworkManagerBus(connection)


def _full_name(interface: str) -> str:
    return f"{BUS_NAME}.{interface}" if interface else BUS_NAME


def _translate_error(name: str, data: tuple[Any, ...]) -> WifiError:
    """Returns the error for a name of D-Bus and the sentence that came with it."""
    if name in _MISSING_ERRORS:
        return NetworkManagerMissing()
    if name in _GONE_ERRORS:
        return ObjectGone()
    if name in _FORBIDDEN_ERRORS:
        return RequestRefused(
            say("This machine doesn't let the Companion change the Wi-Fi. Run scripts/install.sh once more.")
        )
    return RequestRefused(say("NetworkManager refuses this: {why}", why=str(data[0]) if data else name))
