"""Phones as input devices: pairing, answers, and what each phone is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.log.events import Answered
from companion.phones.channel import KeyPair
from companion.web.link import (
    MAX_PHONE_MESSAGE_BYTES,
    ClosePhone,
    PairingAborted,
    PairingPosted,
    PairingReply,
    PhoneConnected,
    PhoneGone,
    PhoneSent,
    PublishTable,
    SendToPhone,
    TableWatched,
    WebListening,
)
from hardware.phones import KEY_FILE_NAME
from hardware.phones import phones as module
from hardware.phones.phones import CODE_SECONDS, CONFIRMATION_SECONDS, Phones
from tests.support.phone_client import PhoneClient
from tests.support.phone_table import PhoneTable, answer_at_random

MakeTable = Callable[..., PhoneTable]


@pytest.fixture
def make_table(tmp_path: Path) -> Iterator[MakeTable]:
    """Makes tables with phones, each in a directory of its own."""
    tables: list[PhoneTable] = []

    def make(game: str = "sealed_bid", *names: str, **options: Any) -> PhoneTable:
        table = PhoneTable(tmp_path / str(len(tables)), game, *(names or ("Aki", "Ben")), **options)
        tables.append(table)
        return table

    yield make
    for table in tables:
        table.store.close()


def last_reply(table: PhoneTable) -> PairingReply:
    """Returns what the box sent last: a reply of the pairing."""
    reply = table.sent[-1]
    assert isinstance(reply, PairingReply)
    return reply


# Pairing


def test_a_code_pairs_one_phone_with_one_seat(make_table: MakeTable) -> None:
    """Phone and panel show the same digits; once the panel confirms, the phone sees its seat's question."""
    table = make_table()
    secret = table.phones.offer_code(2).code.secret
    client = PhoneClient(2)
    reply = table.post(2, 1, client.offer(secret))
    assert reply is not None
    digits = client.read_reply(secret, reply.body)
    assert table.phones.pending_pairing is not None
    assert table.phones.pending_pairing.keys.digits == digits
    assert table.phones.paired_seat_numbers == frozenset()
    assert table.post(2, 2, client.confirmation()) is None
    table.phones.confirm_pairing()
    assert table.phones.paired_seat_numbers == {2}
    paired = last_reply(table)
    client.cookie = paired.cookie
    tab = table.tabs[table.connect(client)]
    assert tab.table["game"] == "Sealed bid"
    assert tab.question is not None
    assert tab.question["text"] == "How much do you bid? 0 is no bid."
    assert table.phones.connected_seat_numbers == {2}


def test_the_secret_is_only_in_the_address_of_the_code(make_table: MakeTable) -> None:
    """The QR code has the address of the seat's page, and the secret behind #, which browsers don't send."""
    table = make_table()
    table.phones.offer_code(2)
    assert table.phones.address_of_code() is None
    table.tell_box(WebListening(("192.168.4.1", "10.0.0.5"), 8080))
    address = table.phones.address_of_code()
    assert address is not None
    page, _, secret = address.partition("#")
    assert page == "http://192.168.4.1:8080/seat/2"
    assert len(secret) == 22


def test_a_phone_in_the_hotspot_gets_its_address(make_table: MakeTable) -> None:
    """The box may be in the house network by cable, whose addresses no phone in the hotspot may reach."""
    table = make_table()
    table.phones.offer_code(2)
    table.tell_box(WebListening(("192.168.4.1", "10.193.78.1"), 8080))
    address = table.phones.address_of_code()
    assert address is not None
    assert address.startswith("http://10.193.78.1:8080/seat/2#")


@pytest.mark.parametrize("why", ["spent", "expired", "withdrawn", "replaced", "of another seat", "forged"])
def test_a_code_that_isnt_valid_pairs_nobody(make_table: MakeTable, why: str) -> None:
    """A code counts once, for its seat, for five minutes, and until the panel shows another one."""
    table, client = make_table(), PhoneClient(2)
    secret, seat = table.phones.offer_code(2).code.secret, 2
    if why == "spent":
        table.post(2, 1, PhoneClient(2).offer(secret))
    elif why == "expired":
        table.now += CODE_SECONDS + 1
    elif why == "withdrawn":
        table.phones.withdraw_code()
    elif why == "replaced":
        table.phones.offer_code(2)
    elif why == "of another seat":
        seat = 1
    else:
        secret = bytes(16)
    reply = table.post(seat, 1, client.offer(secret))
    assert reply is not None
    assert (reply.status, reply.body) == (403, b"")
    assert table.phones.pending_pairing is None or why == "spent"


def test_the_panel_can_refuse_the_digits(make_table: MakeTable) -> None:
    """Then the phone is told so, and it has neither pairing nor cookie."""
    table, client = make_table(), PhoneClient(1)
    secret = table.phones.offer_code(1).code.secret
    reply = table.post(1, 1, client.offer(secret))
    assert reply is not None
    client.read_reply(secret, reply.body)
    table.post(1, 2, client.confirmation())
    table.phones.reject_pairing()
    refusal = last_reply(table)
    assert (refusal.status, refusal.cookie) == (403, "")
    assert table.phones.paired_seat_numbers == frozenset()


def test_nobody_waits_forever_for_the_digits(make_table: MakeTable) -> None:
    """After a minute the phone is refused, and a late confirmation pairs nobody."""
    table, client = make_table(), PhoneClient(1)
    secret = table.phones.offer_code(1).code.secret
    reply = table.post(1, 1, client.offer(secret))
    assert reply is not None
    client.read_reply(secret, reply.body)
    table.post(1, 2, client.confirmation())
    table.now += CONFIRMATION_SECONDS + 1
    table.phones.expire()
    refusal = last_reply(table)
    assert refusal.status == 403
    table.phones.confirm_pairing()
    assert table.phones.paired_seat_numbers == frozenset()


def test_a_phone_that_gives_up_isnt_paired(make_table: MakeTable) -> None:
    """Somebody who closes the page while the panel shows the digits has no seat."""
    table, client = make_table(), PhoneClient(1)
    secret = table.phones.offer_code(1).code.secret
    reply = table.post(1, 1, client.offer(secret))
    assert reply is not None
    client.read_reply(secret, reply.body)
    table.post(1, 2, client.confirmation())
    pending = table.phones.pending_pairing
    assert pending is not None
    assert pending.confirmation_request is not None
    table.tell_box(PairingAborted(pending.confirmation_request))
    table.phones.confirm_pairing()
    assert table.phones.paired_seat_numbers == frozenset()


def test_only_the_phone_that_used_the_code_can_ask_for_the_digits(make_table: MakeTable) -> None:
    """A second phone that watches the Wi-Fi can't finish the pairing of the first."""
    table, client, other = make_table(), PhoneClient(1), PhoneClient(1)
    secret = table.phones.offer_code(1).code.secret
    reply = table.post(1, 1, client.offer(secret))
    assert reply is not None
    other.read_reply(secret, reply.body)
    refusal = table.post(1, 2, other.confirmation())
    assert refusal is not None
    assert refusal.status == 403
    client.read_reply(secret, reply.body)
    assert table.post(1, 2, client.confirmation()) is None


def test_guessing_codes_is_stopped(make_table: MakeTable) -> None:
    """After twenty wrong codes nothing counts until the panel shows a new code."""
    table = make_table()
    table.phones.offer_code(1)
    statuses = []
    for _ in range(22):
        reply = table.post(1, 1, PhoneClient(1).offer(bytes(16)))
        assert reply is not None
        statuses.append(reply.status)
    assert statuses == [403] * 20 + [429] * 2
    assert table.pair(1).cookie


def test_another_phone_takes_over(make_table: MakeTable) -> None:
    """Once the panel has confirmed the new phone, the old one is closed and can't come back."""
    table = make_table()
    old = table.pair(1)
    connection = table.connect(old)
    new = table.pair(1)
    assert table.is_closed(connection)
    assert table.is_closed(table.connect(old))
    assert not table.is_closed(table.connect(new))


def test_unpairing_closes_open_connections(make_table: MakeTable) -> None:
    """One touch on the panel ends all tabs of a phone; what it sends afterwards counts for nothing."""
    table = make_table()
    client = table.pair(1)
    tabs = [table.connect(client), table.connect(client)]
    table.phones.unpair(1)
    assert all(map(table.is_closed, tabs))
    table.send(tabs[0], n=1, answer=5)
    assert table.session is not None
    assert not table.session.drafts


def test_a_paired_phone_survives_a_restart_of_the_box(make_table: MakeTable) -> None:
    """Pairings are in the store: the phone connects again without a code. The store has no cookie."""
    table = make_table()
    client = table.pair(1)
    table.phones = Phones(table.store, table.sent.append, seconds=lambda: table.now)
    table.phones.switch_on()
    tab = table.connect(client)
    assert not table.is_closed(tab)
    assert table.phones.connected_seat_numbers == {1}
    assert table.answer(tab, 5)["taken"]
    assert client.cookie not in (table.store.load_json_text(module.PAIRINGS_KEY) or "")


def test_a_phone_belongs_to_a_player_at_a_seat(make_table: MakeTable) -> None:
    """Whoever sits there under another name in another game has no phone, also after a restart of the box."""
    table = make_table("sealed_bid", "Aki", "Ben", "Chie")
    table.pair(1)  # before the game: it belongs to whoever sits at seat 1 when the game begins
    table.phones.seat_players(["Aki", "Ben", "Chie"], is_same_game=False)
    for number in (2, 3):
        table.pair(number)
    table.phones.seat_players(["Aki", "Benjamin", "Chie"], is_same_game=True)
    assert table.phones.paired_seat_numbers == {1, 2, 3}
    table.phones.seat_players([], is_same_game=False)
    table.phones = Phones(table.store, table.sent.append, seconds=lambda: table.now)
    table.phones.switch_on()
    table.phones.seat_players(["Dai", "Benjamin"], is_same_game=False)
    assert table.phones.paired_seat_numbers == {2}


def test_switching_phones_off_ends_everything(make_table: MakeTable) -> None:
    """All connections close, no phone is paired any more, and the box's key is gone."""
    table = make_table()
    client = table.pair(1)
    tab = table.connect(client)
    table.phones.switch_off()
    assert table.is_closed(tab)
    assert not (table.store.directory / KEY_FILE_NAME).exists()
    table.phones.switch_on()
    assert table.is_closed(table.connect(client))


@pytest.mark.parametrize("wrong", ["cookie", "seat", "hello", "key"])
def test_a_connection_needs_cookie_and_key(make_table: MakeTable, wrong: str) -> None:
    """Without the cookie of the seat nothing is sent; without the phone's key nothing can be read or sent."""
    table = make_table()
    client, other = table.pair(1), table.pair(2)
    tab = client.open_tab()
    number = table.next_number()
    table.tabs[number] = tab
    if wrong == "key":
        table.tabs[number] = stranger = PhoneClient(1).open_tab()
        stranger._box_public = client._box_public
        table.tell_box(PhoneConnected(number, 1, client.cookie, stranger.hello))
        table.send(number, language="en")
    else:
        cookie = other.cookie if wrong == "cookie" else client.cookie
        hello = b"short" if wrong == "hello" else tab.hello
        table.tell_box(PhoneConnected(number, 2 if wrong == "seat" else 1, cookie, hello))
    assert table.is_closed(number)
    states = [
        sent
        for sent in table.sent
        if isinstance(sent, SendToPhone) and sent.connection == number and len(sent.message) > 32
    ]
    assert states == []


# Answers


def test_a_sealed_bid_on_a_phone_goes_into_the_envelope(make_table: MakeTable) -> None:
    """The phone gets its letters and its own bid; the others see only that the envelope is closed."""
    table = make_table()
    aki, ben = table.connect(table.pair(1)), table.connect(table.pair(2))
    assert table.answer(aki, 5) == {"n": 1, "taken": True}
    assert table.session is not None
    assert table.session.drafts[table.seat(1)].answer == 5
    own, other = table.tabs[aki], table.tabs[ben]
    letters = own.private["envelope"]["letters"]
    assert own.private["envelope"]["answer"] == "5"
    assert len(letters.replace(" ", "")) == 12
    assert other.table["seats"][0]["envelope"] == {"closed": True, "seal": letters}
    assert "envelope" not in other.private
    assert table.answer(aki, 7)["taken"]
    assert table.answer(ben, 3)["taken"]
    assert other.table["revealed"]["answers"] == [{"seat": 1, "answer": "7"}, {"seat": 2, "answer": "3"}]
    assert other.table["revealed"]["winners"] == [1]


def test_the_log_says_that_a_phone_answered(make_table: MakeTable) -> None:
    """The source of an answer is part of the record, as with keypads."""
    table = make_table("egypt", "Aki", "Ben", "Chie")
    aki = table.connect(table.pair(1))
    table.answer(aki, "1")
    assert table.session is not None
    step = table.session.steps[-1]
    assert isinstance(step, Answered)
    assert step.via == "phone"


def test_a_seats_phone_answers_only_for_its_seat(make_table: MakeTable) -> None:
    """While another seat is asked, the phone has no question, and an answer is refused in one sentence."""
    table = make_table("egypt", "Aki", "Ben", "Chie")
    aki, ben = table.connect(table.pair(1)), table.connect(table.pair(2))
    table.answer(aki, "1")
    table.answer(aki, True)
    assert table.tabs[ben].question is None
    assert table.answer(ben, 3)["refused"] == "You aren't asked now."
    assert table.answer(aki, 3)["taken"]
    assert table.tabs[ben].question is not None


def test_a_late_answer_is_refused(make_table: MakeTable) -> None:
    """An answer to a question that isn't open any more changes nothing, even if it would be allowed."""
    table = make_table("egypt", "Aki", "Ben", "Chie")
    aki, ben = table.connect(table.pair(1)), table.connect(table.pair(2))
    number = table.tabs[aki].table["n"]
    table.answer(aki, "1")
    assert table.session is not None
    steps = list(table.session.steps)
    table.send(ben, n=number, answer="2")
    assert table.tabs[ben].private["feedback"] == {"n": number, "refused": "Too late"}
    assert list(table.session.steps) == steps


def test_two_phones_that_answer_at_once_answer_one_question(make_table: MakeTable) -> None:
    """Of two answers that cross, the first counts; the second doesn't answer the next question."""
    table = make_table("egypt", "Aki", "Ben", "Chie")
    aki, ben = table.connect(table.pair(1)), table.connect(table.pair(2))
    number = table.tabs[aki].table["n"]
    crossing = [PhoneSent(tab, table.tabs[tab].encrypt(n=number, answer="1")) for tab in (aki, ben)]
    for message in crossing:
        table.phones.handle(message, table.session)
    table.show()
    assert table.tabs[aki].private["feedback"]["taken"]
    assert table.tabs[ben].private["feedback"]["refused"] == "Too late"


def test_a_refused_answer_says_why_in_the_phones_language(make_table: MakeTable) -> None:
    """Only this phone gets the sentence; the game doesn't change."""
    table = make_table("egypt", "Aki", "Ben", "Chie")
    aki = table.connect(table.pair(1))
    ben = table.connect(table.pair(2), language="de")
    table.answer(aki, "1")
    table.answer(aki, True)
    table.answer(aki, 3)
    refusal = table.answer(ben, 2)["refused"]
    assert "3" in refusal
    assert refusal.startswith("Ben muss")
    assert table.tabs[aki].private["feedback"] == {}


def test_grave_answers_are_confirmed_first(make_table: MakeTable) -> None:
    """The phone shows the sentence; the answer counts when it is sent again as confirmed."""
    table = make_table("any_game")
    aki = table.connect(table.pair(1))
    assert "confirm" in table.answer(aki, "finish")
    assert table.session is not None
    assert table.session.result is None
    assert table.answer(aki, "finish", confirmed=True)["taken"]
    assert table.tabs[aki].table["result"]["final"]


def test_the_companion_rolls_for_a_phone(make_table: MakeTable) -> None:
    """Where the companion may roll, the phone asks for it instead of giving an answer."""
    table = make_table("high_bid")
    aki, session, rng = table.connect(table.pair(1)), table.session, Random(1)
    assert session is not None
    while session.question is not None and not session.question.form.app_may_roll:
        answer_at_random(session, rng)
    table.show()
    table.send(aki, n=table.tabs[aki].table["n"], roll=True)
    assert table.tabs[aki].private["feedback"]["taken"]


def test_a_program_that_sends_too_much_is_closed(make_table: MakeTable) -> None:
    """A phone that sends a hundred messages at once loses its connection; the game goes on."""
    table = make_table()
    aki, ben = table.connect(table.pair(1)), table.connect(table.pair(2))
    for _ in range(100):
        table.send(aki, language="en")
    assert table.is_closed(aki)
    assert table.answer(ben, 3)["taken"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"n": "1"}',
        b'{"n": 1}',
        b'{"n": -1, "answer": 1, "x": 2}',
        b'{"language": 3}',
        b"\xff\xfe",
        b"[" * 2000,
        b'{"n": 1, "answer": ' + b"9" * 300 + b"}",
    ],
)
def test_nonsense_of_a_paired_phone_closes_its_connection(make_table: MakeTable, content: bytes) -> None:
    """Even a phone with the right key can't do more than answer."""
    from companion.phones.channel import pad

    table = make_table()
    aki = table.connect(table.pair(1))
    channel = table.tabs[aki]._channel
    assert channel is not None
    table.tell_box(PhoneSent(aki, channel.encrypt(pad(content, MAX_PHONE_MESSAGE_BYTES))))
    assert table.is_closed(aki)
    assert table.session is not None
    assert not table.session.drafts


# What is shown


def test_a_phone_gets_the_whole_state_then_changes(make_table: MakeTable) -> None:
    """After the first state only what has changed is sent; another tab begins with the whole state."""
    table = make_table("egypt", "Aki", "Ben", "Chie")
    client = table.pair(1)
    aki = table.connect(client)
    table.answer(aki, "1")
    tab = table.tabs[aki]
    assert "table" in tab.parts_read[0]
    assert "changed" in tab.parts_read[-1]
    assert "game" not in tab.parts_read[-1]["changed"]
    second = table.tabs[table.connect(client)]
    assert second.table == tab.table


def test_a_phone_that_is_gone_is_asleep(make_table: MakeTable) -> None:
    """A paired seat without a connection isn't among the connected ones."""
    table = make_table()
    aki = table.connect(table.pair(1))
    assert table.phones.connected_seat_numbers == {1}
    table.tell_box(PhoneGone(aki))
    assert table.phones.connected_seat_numbers == frozenset()
    assert table.phones.paired_seat_numbers == {1}


def test_who_watches_sees_the_table_in_the_own_language(make_table: MakeTable) -> None:
    """Each language that is watched is published once for all its viewers; unknown languages aren't."""
    table = make_table("egypt", "Aki", "Ben", "Chie")
    table.tell_box(TableWatched(("de", "en", "xx")))
    assert table.published("de")
    assert table.published("de")[-1] != table.published("en")[-1]
    assert not table.published("xx")


def test_without_a_game_the_pages_say_so(make_table: MakeTable) -> None:
    """Between two games a phone stays paired and sees that there is no game."""
    table = make_table()
    aki = table.connect(table.pair(1))
    table.session = None
    table.show()
    assert table.tabs[aki].table == {"v": 1, "game": None}
    assert table.tabs[aki].question is None
    table.send(aki, n=1, answer=5)
    assert table.tabs[aki].private["feedback"]["refused"] == "No game yet"


def test_a_seat_that_nobody_sits_at_has_a_page_without_a_question(make_table: MakeTable) -> None:
    """A phone of seat 3 watches a game for two."""
    table = make_table()
    chie = table.connect(table.pair(3))
    assert table.tabs[chie].question is None
    assert table.tabs[chie].table["game"] == "Sealed bid"


def test_at_most_four_tabs_of_a_seat_are_open(make_table: MakeTable) -> None:
    """A fifth tab closes the oldest one."""
    table = make_table()
    client = table.pair(1)
    tabs = [table.connect(client) for _ in range(5)]
    assert [table.is_closed(tab) for tab in tabs] == [True, False, False, False, False]
    assert ClosePhone(tabs[0], "replaced") in table.sent


def test_who_knows_only_the_cookie_pushes_no_phone_out(make_table: MakeTable) -> None:
    """The cookie crosses the Wi-Fi: connections of whoever recorded it take only each other's place."""
    table = make_table()
    client = table.pair(1)
    tab = table.connect(client)
    for number in range(100, 120):
        connected = PhoneConnected(number, 1, client.cookie, KeyPair.make_new().public)
        table.phones.handle(connected, table.session)
    assert not table.is_closed(tab)
    assert table.phones.connected_seat_numbers == {1}
    assert table.answer(tab, 5) == {"n": 1, "taken": True}
    assert [number for number in range(100, 120) if not table.is_closed(number)] == [116, 117, 118, 119]
    table.phones.handle(PhoneGone(tab), table.session)
    assert table.phones.connected_seat_numbers == frozenset()


def test_who_knows_only_the_cookie_makes_nobody_show_anything(make_table: MakeTable) -> None:
    """Neither phones nor viewers get a state: only what the paired phone has encrypted has an effect."""
    table = make_table()
    client = table.pair(1)
    tab = table.connect(client)
    table.tell_box(TableWatched(("en",)))
    before = len(table.sent)
    stranger = table.connect(client.eavesdropper())
    assert table.is_closed(stranger)
    silent_tab = client.eavesdropper().open_tab()
    table.tabs[100] = silent_tab
    for message in (
        PhoneConnected(100, 1, client.cookie, silent_tab.hello),
        PhoneGone(100),
        PhoneConnected(101, 1, "another", silent_tab.hello),
        PhoneSent(102, b"nonsense"),
        PairingPosted(103, 1, 1, b"nonsense"),
        PairingPosted(104, 1, 2, b"nonsense"),
        PairingAborted(104),
    ):
        table.tell_box(message)
    assert not any(isinstance(sent, PublishTable) for sent in table.sent[before:])
    assert tab not in {getattr(sent, "connection", None) for sent in table.sent[before:]}


@pytest.mark.parametrize("how", ["gone", "faulty"])
def test_a_phone_that_is_lost_is_shown(make_table: MakeTable, how: str) -> None:
    """Panel and phones say that it is asleep."""
    table = make_table()
    aki = table.connect(table.pair(1))
    lost = PhoneGone(aki) if how == "gone" else PhoneSent(aki, b"nonsense")
    assert table.phones.handle(lost, table.session) == (True, True, ())


def test_who_watches_changes_nothing_on_the_panel(make_table: MakeTable) -> None:
    """Anybody in the network can watch in another language, and gets the table."""
    table = make_table()
    assert table.phones.handle(TableWatched(("de",)), table.session) == (True, False, ())
    assert table.phones.handle(TableWatched(("de", "xx")), table.session) == (False, False, ())


def test_closing_says_why(make_table: MakeTable) -> None:
    """An unpaired phone is told so; a faulty connection may try again."""
    table = make_table()
    aki = table.connect(table.pair(1))
    table.tell_box(PhoneSent(aki, b"nonsense"))
    assert ClosePhone(aki, "error") in table.sent
    table.phones.unpair(1)
    assert not [sent for sent in table.sent if sent == ClosePhone(aki, "unpaired")]
