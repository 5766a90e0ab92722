"""The encryption in the browser is that of `companion.phones.channel`, byte for byte."""

import base64

import pytest

from companion.phones.channel import (
    ChannelError,
    ChannelKeys,
    KeyPair,
    PairingCode,
    encrypt_two_keys,
    keys_at_box,
    pad,
    read_offer,
    unpad,
)
from tests.support.pages import Page

pytestmark = pytest.mark.needs("chromium", "chromedriver")

LOAD = """
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const text = (bytes) => btoa(String.fromCharCode(...bytes));
    import("/static/channel.js").then(async (channel) => {
        const [given] = arguments;
        %s
    }).then(done, (error) => done({error: error.constructor.name}));
"""


@pytest.fixture
def script(page: Page) -> Page:
    """A page in which the module can be loaded."""
    page.open("/seat/1")
    return page


def run(page: Page, body: str, **given: object) -> dict[str, str]:
    """Runs a script with the module `channel`; bytes are given and returned as base64."""
    encoded = {
        key: base64.b64encode(value).decode() if isinstance(value, bytes) else value
        for key, value in given.items()
    }
    result: dict[str, str] = page.run(LOAD % body, encoded)
    return result


def decode(text: str) -> bytes:
    """Returns the bytes of a text in base64."""
    return base64.b64decode(text)


def pair_keys(number: int) -> KeyPair:
    """Returns a key pair, always the same for a number."""
    return KeyPair.from_private_key(bytes([number]) * 32)


CONNECT = """
    const own = nacl.box.keyPair.fromSecretKey(bytes(given.own));
    const once = nacl.box.keyPair.fromSecretKey(bytes(given.once));
    const keys = channel.connectionKeys(own, once, bytes(given.box), bytes(given.boxOnce));
    const connection = new channel.Channel(keys);
"""


def connected(number: int = 0) -> tuple[dict[str, bytes], ChannelKeys]:
    """Returns what the phone knows, and the keys as the box computes them."""
    own, once, box, box_once = (pair_keys(number + each) for each in (1, 2, 3, 4))
    known = {"own": own.private, "once": once.private, "box": box.public, "boxOnce": box_once.public}
    return known, keys_at_box(box, box_once, own.public, once.public)


@pytest.mark.parametrize("number", [0, 50, 100])
def test_both_ends_compute_the_same_keys_and_digits(script: Page, number: int) -> None:
    """Page and box have the same keys, and show the same two digits."""
    known, keys = connected(number)
    got = run(
        script, CONNECT + "return {to: text(keys.toPhone), from: text(keys.fromPhone), ...keys}", **known
    )
    assert (decode(got["to"]), decode(got["from"])) == (keys.to_phone, keys.from_phone)
    assert got["digits"] == keys.digits


def test_pairing_messages_fit_both_ways(script: Page) -> None:
    """The box reads the page's offer, and the page reads the box's reply."""
    code, phone, once, box, box_once = PairingCode.make_new(), *(pair_keys(each) for each in (1, 2, 3, 4))
    got = run(
        script,
        """
        const own = nacl.box.keyPair.fromSecretKey(bytes(given.own));
        const once = nacl.box.keyPair.fromSecretKey(bytes(given.once));
        const reply = channel.readReply(bytes(given.secret), bytes(given.reply));
        const offer = channel.makeOffer(bytes(given.secret), own, once);
        return {offer: text(offer), box: text(reply.boxPublic), once: text(reply.boxOncePublic)};
        """,
        secret=code.secret,
        own=phone.private,
        once=once.private,
        reply=encrypt_two_keys(code, box.public, box_once.public),
    )
    assert read_offer(code, decode(got["offer"])) == (phone.public, once.public)
    assert (decode(got["box"]), decode(got["once"])) == (box.public, box_once.public)


def test_a_reply_with_another_secret_is_refused(script: Page) -> None:
    """Somebody who doesn't know the code can't answer for the box."""
    reply = encrypt_two_keys(PairingCode.make_new(), pair_keys(3).public, pair_keys(4).public)
    got = run(
        script, "channel.readReply(bytes(given.secret), bytes(given.reply))", secret=bytes(16), reply=reply
    )
    assert got == {"error": "ChannelError"}


def test_messages_of_the_page_are_read_by_the_box_in_their_order(script: Page) -> None:
    """The box decrypts what the page sends, padded to one size, and refuses a repeated message."""
    known, keys = connected()
    got = run(
        script,
        CONNECT
        + """
        return {
            first: text(connection.encrypt(channel.padMessage({language: "ja"}))),
            second: text(connection.encrypt(channel.padMessage({n: 3, answer: "＋½"}))),
        };
        """,
        **known,
    )
    box = keys.channel_of_box()
    padded = [box.decrypt(decode(got[name])) for name in ("first", "second")]
    assert [unpad(each).decode() for each in padded] == ['{"language":"ja"}', '{"n":3,"answer":"＋½"}']
    assert {len(each) for each in padded} == {4096}
    with pytest.raises(ChannelError):
        box.decrypt(decode(got["second"]))


def test_messages_of_the_box_are_read_by_the_page(script: Page) -> None:
    """The page decrypts the three parts of a message, whatever their lengths are."""
    known, keys = connected()
    box = keys.channel_of_box()
    parts = [b'{"table":{"game":"' + b"x" * 1100 + b'"}}', b"null", '{"hidden":["＋"]}'.encode()]
    message = b"".join(pad(part, step) for part, step in zip(parts, (1024, 1024, 4096), strict=True))
    got = run(
        script,
        CONNECT
        + """
        const parts = channel.readParts(connection.decrypt(bytes(given.first)));
        connection.decrypt(bytes(given.second));
        return {parts: JSON.stringify(parts)};
        """,
        first=box.encrypt(message),
        second=box.encrypt(b"next"),
        **known,
    )
    assert got["parts"] == "[" + b",".join(parts).decode() + "]"


@pytest.mark.parametrize("fault", ["changed", "repeated", "left out", "reflected", "short"])
def test_a_message_that_is_not_the_next_one_is_refused(script: Page, fault: str) -> None:
    """The page refuses a message that somebody changed, repeated, left out or sent back."""
    known, keys = connected()
    box = keys.channel_of_box()
    first, second = box.encrypt(b"one"), box.encrypt(b"two")
    bad = {
        "changed": [first[:-1] + bytes([first[-1] ^ 1])],
        "repeated": [first, first],
        "left out": [second],
        "reflected": [keys.channel_of_phone().encrypt(b"one")],
        "short": [b"x"],
    }[fault]
    got = run(
        script,
        CONNECT + "for (const each of given.messages) connection.decrypt(bytes(each)); return {}",
        messages=[base64.b64encode(each).decode() for each in bad],
        **known,
    )
    assert got == {"error": "ChannelError"}


def test_a_key_that_nobody_can_have_is_refused(script: Page) -> None:
    """The page computes no secret with a public key of zeros."""
    known, _ = connected()
    got = run(script, CONNECT + "return {}", **(known | {"boxOnce": bytes(32)}))
    assert got == {"error": "ChannelError"}
