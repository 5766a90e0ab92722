"""The encrypted channel between a phone and the box."""

from __future__ import annotations

import pytest

from companion.phones.channel import (
    Channel,
    ChannelError,
    KeyPair,
    PairingCode,
    encrypt_two_keys,
    keys_at_box,
    keys_at_phone,
    pad,
    read_offer,
    unpad,
)


def make_channels() -> tuple[Channel, Channel]:
    """Returns both ends of a new channel: the box's and the phone's."""
    box, box_once, phone, phone_once = [KeyPair.make_new() for _ in range(4)]
    at_box = keys_at_box(box, box_once, phone.public, phone_once.public)
    at_phone = keys_at_phone(phone, phone_once, box.public, box_once.public)
    assert at_box == at_phone
    return at_box.channel_of_box(), at_phone.channel_of_phone()


def test_both_ends_compute_the_same_keys_and_digits() -> None:
    """Box and phone read each other's messages, and both show the same two digits."""
    box, phone = make_channels()
    assert phone.decrypt(box.encrypt(b"a bid is open")) == b"a bid is open"
    assert box.decrypt(phone.encrypt(b"5")) == b"5"


def test_every_connection_has_keys_of_its_own() -> None:
    """A phone and a box that connect again and again never use a key twice."""
    box, phone = KeyPair.make_new(), KeyPair.make_new()
    keys = {
        keys_at_box(box, KeyPair.make_new(), phone.public, KeyPair.make_new().public).to_phone
        for _ in range(10)
    }
    assert len(keys) == 10


@pytest.mark.parametrize("missing", ["box", "box_once", "phone", "phone_once"])
def test_whoever_lacks_one_private_key_reads_nothing(missing: str) -> None:
    """All four key pairs are needed: a stolen long-lived key doesn't open what was recorded."""
    pairs = {name: KeyPair.make_new() for name in ("box", "box_once", "phone", "phone_once")}
    right = keys_at_box(pairs["box"], pairs["box_once"], pairs["phone"].public, pairs["phone_once"].public)
    publics = {name: pair.public for name, pair in pairs.items()}
    pairs[missing] = KeyPair.make_new()
    if missing.startswith("box"):
        wrong = keys_at_box(pairs["box"], pairs["box_once"], publics["phone"], publics["phone_once"])
    else:
        wrong = keys_at_phone(pairs["phone"], pairs["phone_once"], publics["box"], publics["box_once"])
    with pytest.raises(ChannelError):
        wrong.channel_of_phone().decrypt(right.channel_of_box().encrypt(b"secret"))


def test_a_repeated_or_late_message_is_refused() -> None:
    """A message counts once and in its order; after a refusal the next right one still counts."""
    box, phone = make_channels()
    first, second = phone.encrypt(b"first"), phone.encrypt(b"second")
    with pytest.raises(ChannelError):
        box.decrypt(second)
    assert box.decrypt(first) == b"first"
    with pytest.raises(ChannelError):
        box.decrypt(first)
    assert box.decrypt(second) == b"second"


def test_a_message_of_the_other_direction_is_refused() -> None:
    """Nobody can send the box its own message back."""
    box, _ = make_channels()
    with pytest.raises(ChannelError):
        box.decrypt(box.encrypt(b"to the phone"))


@pytest.mark.parametrize("position", [0, 15, 16, -1])
def test_a_changed_message_is_refused(position: int) -> None:
    """One flipped bit is enough."""
    box, phone = make_channels()
    message = bytearray(phone.encrypt(b"5"))
    message[position] ^= 1
    with pytest.raises(ChannelError):
        box.decrypt(bytes(message))


@pytest.mark.parametrize("junk", [b"", b"x", b"x" * 15, b"x" * 5000])
def test_junk_is_refused(junk: bytes) -> None:
    """Whatever isn't a message of the phone is refused, however long it is."""
    box, _ = make_channels()
    with pytest.raises(ChannelError):
        box.decrypt(junk)


def test_a_public_key_of_zeros_is_refused() -> None:
    """With such a key everybody would know the secret of both."""
    with pytest.raises(ChannelError):
        KeyPair.make_new().shared_secret(bytes(32))


def test_only_who_knows_the_code_can_offer_a_phone() -> None:
    """An offer with another secret, or of another length, is refused; the id doesn't open anything."""
    code, phone = PairingCode.make_new(), KeyPair.make_new()
    offer = encrypt_two_keys(code, phone.public, phone.public)
    assert read_offer(code, offer).phone_public == phone.public
    for other in (PairingCode.make_new(), PairingCode(bytes(16))):
        with pytest.raises(ChannelError):
            read_offer(other, offer)
    with pytest.raises(ChannelError):
        read_offer(code, bytes(code.box.encrypt(b"short")))


@pytest.mark.parametrize("length", [0, 1, 1019, 1020, 1021, 4000])
def test_padding_hides_the_length(length: int) -> None:
    """A part fills the next multiple, and comes back whole."""
    padded = pad(b"x" * length, 1024)
    assert len(padded) % 1024 == 0
    assert unpad(padded) == b"x" * length


def test_a_padded_part_that_claims_too_much_is_refused() -> None:
    """The length of a part can't be greater than what came."""
    with pytest.raises(ChannelError):
        unpad((2000).to_bytes(4, "big") + bytes(1000))
