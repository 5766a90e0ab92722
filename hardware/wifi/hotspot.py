"""The hotspot of an evening: its name and key, the text of its QR code, and its profile for NetworkManager.

    credentials = make_credentials()
    encode_wifi_qr(credentials)

docs/adr/0041-the-hotspot-routes-nothing.md has the reasons for the profile.
"""

from __future__ import annotations

import re
import secrets

import msgspec

HOTSPOT_PROFILE_ID = "Companion hotspot"
"""The name of the profile, by which another run of this program finds its hotspot."""
HOTSPOT_ADDRESS = "10.193.78.1"
"""Our address in the hotspot; companion-dhcp.service gives the phones the others of this network."""
HOTSPOT_PREFIX_LENGTH = 24
PREVIOUS_PROFILE_KEY = "companion.previous-profile"
"""The key in the profile for the UUID of the profile that was active before the hotspot."""
LETTERS = "bcdfghjknprstvxyz"
"""The letters of keys and names: none looks like another, and without vowels they make no words."""
KEY_LETTERS = 12
"""The length of a key: 49 bits, years of guessing for a graphics card that recorded a phone joining."""
NAME_LETTERS = 2

_TERNARY_TRUE = 1
_PMF_DISABLED = 1

VariantMap = dict[str, tuple[str, object]]
"""A D-Bus a{sv}: the signature and the value of each entry."""


class WifiCredentials(msgspec.Struct, frozen=True):
    """The name (SSID) of a network and its key."""

    name: str
    key: str


def make_credentials() -> WifiCredentials:
    """Returns a new key with a new name.

    A phone that remembers a name with an old key would not ask for the new one.
    """
    letters = "".join(secrets.choice(LETTERS) for _ in range(NAME_LETTERS))
    key = "".join(secrets.choice(LETTERS) for _ in range(KEY_LETTERS))
    return WifiCredentials(f"Companion {letters.upper()}", key)


def encode_wifi_qr(credentials: WifiCredentials) -> str:
    """Returns the text of a QR code by which a phone joins a network.

    https://github.com/zxing/zxing/wiki/Barcode-Contents describes the text.
    """
    name, key = (re.sub(r'([\\;,":])', r"\\\1", text) for text in (credentials.name, credentials.key))
    return f"WIFI:T:WPA;S:{name};P:{key};;"


def make_hotspot_profile(credentials: WifiCredentials, previous_uuid: str) -> dict[str, VariantMap]:
    """Returns the profile of the hotspot for NetworkManager.

    `previous_uuid` is the profile that was active before, or an empty text. NetworkManager keeps it in the
    hotspot's profile, so that another run of this program can restore it.
    """
    profile: dict[str, VariantMap] = {
        "connection": {
            "id": ("s", HOTSPOT_PROFILE_ID),
            "type": ("s", "802-11-wireless"),
            "autoconnect": ("b", False),
        },
        "802-11-wireless": {
            "ssid": ("ay", credentials.name.encode()),
            "mode": ("s", "ap"),
            "band": ("s", "bg"),
            "ap-isolation": ("i", _TERNARY_TRUE),
        },
        "802-11-wireless-security": {
            "key-mgmt": ("s", "wpa-psk"),
            "proto": ("as", ["rsn"]),
            "pairwise": ("as", ["ccmp"]),
            "group": ("as", ["ccmp"]),
            # A Raspberry Pi's radio offers protected management frames, but phones that use them can't join:
            # https://github.com/raspberrypi/linux/issues/3619
            "pmf": ("i", _PMF_DISABLED),
            "psk": ("s", credentials.key),
        },
        # With the method "shared", NetworkManager would forward packets into the house network.
        "ipv4": {
            "method": ("s", "manual"),
            "address-data": (
                "aa{sv}",
                [{"address": ("s", HOTSPOT_ADDRESS), "prefix": ("u", HOTSPOT_PREFIX_LENGTH)}],
            ),
            "never-default": ("b", True),
        },
        "ipv6": {"method": ("s", "disabled")},
    }
    if previous_uuid:
        profile["user"] = {"data": ("a{ss}", {PREVIOUS_PROFILE_KEY: previous_uuid})}
    return profile
