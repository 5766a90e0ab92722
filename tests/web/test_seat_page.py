"""The page of a seat: pairing, the cover, sealed answers, what is refused, and connections that are lost."""

from typing import Any

import pytest

from companion.requests import Amount, Request, Together
from companion.table.table import Table
from companion.texts import say
from tests.support.asking_game import COIN, PURSE, asking_game
from tests.support.page_server import PageServer
from tests.support.pages import Page

pytestmark = pytest.mark.needs("chromium", "chromedriver")

BID = "17"


def bid_from_covered_coins(table: Table) -> Request[Any]:
    """Asks everybody for a sealed bid, which covered coins pay."""
    bids = {
        seat: Amount(
            seat,
            say("How much do you bid?"),
            0,
            paid_from=table.account(COIN, PURSE, seat),
        )
        for seat in table.seats
    }
    return Together(say("Everybody bids in secret"), bids)


@pytest.fixture
def bidding(server: PageServer, page: Page) -> Page:
    """Aki's phone, at a round of sealed bids; Aki has 18 covered coins."""
    server.begin(
        asking_game(bid_from_covered_coins, bid_from_covered_coins, covered_coins=(18, 25)), "Aki", "Ben"
    )
    page.pair()
    page.read("How much do you bid?")
    return page


def has_envelope(server: PageServer) -> bool:
    """Returns whether Aki's answer is in."""
    session = server.session
    assert session is not None
    return server.run(lambda: session.table.seats[0] in session.drafts)


def choose_language(page: Page, code: str) -> None:
    """Chooses a language in the look of the page."""
    page.browser.execute_script(
        """
        const choice = document.querySelector("#look select");
        choice.value = arguments[0];
        choice.dispatchEvent(new Event("change"));
        """,
        code,
    )


# Pairing


def test_only_a_tap_redeems_the_code(server: PageServer, page: Page) -> None:
    """Loading the page sends nothing of the code, and takes the secret out of the address."""
    server.begin("sealed_bid", "Aki", "Ben")
    address = server.offer_code(1)
    page.open(address)
    page.key("Use this phone for seat 1")
    assert page.browser.current_url == f"{server.address}/seat/1"
    assert address.partition("#")[2] not in page.whole_document
    assert server.phones.offered_code is not None
    page.tap("Use this phone for seat 1")
    digits = page.see(".digits").text
    assert server.phones.pending_pairing is not None
    assert digits == server.phones.pending_pairing.keys.digits
    page.read("Compare with the screen on the table, then confirm there")
    server.confirm_digits()
    page.read("Aki")
    page.read("How much do you bid?")


def test_a_spent_code_is_refused(server: PageServer, page: Page) -> None:
    """A code that somebody has used or that is too old says so in a sentence."""
    address = server.offer_code(1)
    server.offer_code(1)
    page.open(address)
    page.tap("Use this phone for seat 1")
    page.read("This code isn't valid any more. Scan a new one on the screen.")
    assert not page.has_key("Use this phone for seat 1")


def test_different_digits_are_refused(server: PageServer, page: Page) -> None:
    """If somebody refuses the digits on the screen, the phone isn't paired and says so."""
    page.open(server.offer_code(1))
    page.tap("Use this phone for seat 1")
    page.see(".digits")
    phones = server.phones
    page.wait(lambda: phones.pending_pairing and phones.pending_pairing.confirmation_request)
    server.run(phones.reject_pairing)
    page.read("The digits weren't confirmed on the screen.")
    assert page.browser.execute_script("return localStorage.getItem('companion-seat-1')") is None


def test_the_look_can_change_while_people_compare_digits(server: PageServer, page: Page) -> None:
    """The digits stay, in the other language and size, and the phone is paired once they are confirmed."""
    server.begin("sealed_bid", "Aki", "Ben")
    page.open(server.offer_code(1))
    page.tap("Use this phone for seat 1")
    digits = page.see(".digits").text
    page.tap("Language and look", "large")
    choose_language(page, "de")
    page.read("Wartet, bis jemand die Ziffern am Bildschirm bestätigt.")
    assert page.see(".digits").text == digits
    server.confirm_digits()
    page.read("Wie viel bietest du?")


def test_a_refused_code_stays_refused_in_another_language(server: PageServer, page: Page) -> None:
    """The page doesn't offer the code again, and says in that language why."""
    page.open(server.offer_code(1))
    server.offer_code(1)
    page.tap("Use this phone for seat 1")
    page.read("This code isn't valid any more.")
    page.tap("Language and look")
    choose_language(page, "de")
    page.read("Dieser Code gilt nicht mehr.")
    assert not page.has_key("Dieses Handy")


def test_too_many_wrong_codes_are_refused(server: PageServer, page: Page) -> None:
    """Whoever tries codes is stopped."""
    address = server.offer_code(1)
    server.run(lambda: setattr(server.phones, "_wrong_pairings", 20))
    page.open(address)
    page.tap("Use this phone for seat 1")
    page.read("There were too many wrong codes.")


def test_a_page_that_is_paired_again_names_its_player(bidding: Page) -> None:
    """Whoever scans another code while the page is open sees whose seat it is, as before."""
    bidding.pair()
    bidding.wait(lambda: bidding.see("#whose").text == "Aki")


def test_without_a_code_the_page_says_how_to_get_one(page: Page) -> None:
    """The page of a seat without keys explains where the code is."""
    page.open("/seat/2")
    page.read("touch Phones, and scan the code")


def test_an_unpaired_phone_forgets_its_keys(server: PageServer, bidding: Page) -> None:
    """When the seat's pairing ends, the page says so and forgets the keys."""
    server.run(lambda: server.phones.unpair(1))
    bidding.read("This phone doesn't answer for this seat any more.")
    assert bidding.browser.execute_script("return localStorage.length") == 0


def test_a_phone_that_was_unpaired_meanwhile_says_so(server: PageServer, bidding: Page) -> None:
    """A page that is opened later says it, too, even if the refusal comes before its texts."""
    bidding.browser.get("about:blank")
    server.run(lambda: server.phones.unpair(1))
    bidding.open("/seat/1")
    bidding.read("This phone doesn't answer for this seat any more.")
    assert bidding.browser.execute_script("return localStorage.length") == 0


# Sealed answers and the cover


def test_a_bid_is_sealed_with_one_thumb(server: PageServer, bidding: Page) -> None:
    """The keys show only that something is entered; holding the cover shows the bid, the envelope letters."""
    assert bidding.see(".display").text == "Nothing is entered yet."
    bidding.tap(*BID)
    assert bidding.see(".display").text == "•••"
    assert f">{BID}<" not in bidding.whole_document
    bidding.hold()
    assert bidding.see(".display").text == BID
    bidding.let_go()
    assert bidding.see(".display").text == "•••"
    bidding.tap("Seal")
    letters = bidding.see(".letters").text.split()
    assert [len(group) for group in letters] == [4, 4, 4]
    assert has_envelope(server)


def test_a_bid_is_sealed_by_keyboard_alone(server: PageServer, bidding: Page) -> None:
    """Tab, digits and Enter are enough, and a key with a name opens and closes the cover."""
    from selenium.webdriver.common.keys import Keys

    def focus(name: str) -> None:
        for _ in range(40):
            bidding.press_keys(Keys.TAB)
            focused = bidding.browser.switch_to.active_element
            if focused.accessible_name.startswith(name):
                return
        raise AssertionError(name)

    focus("1")
    bidding.press_keys("17")
    focus("Show what is covered")
    bidding.press_keys(Keys.ENTER)
    assert bidding.see(".display").text == BID
    bidding.press_keys(Keys.SPACE)
    assert bidding.see(".display").text == "•••"
    bidding.browser.switch_to.active_element.send_keys(Keys.SHIFT + Keys.TAB)
    assert bidding.browser.switch_to.active_element.text == "Seal"
    bidding.press_keys(Keys.ENTER)
    bidding.see(".letters")
    assert has_envelope(server)


CLOSING = {
    "pointercancel": "document.querySelector('[data-hold]').dispatchEvent(new PointerEvent('pointercancel'))",
    "blur": "window.dispatchEvent(new Event('blur'))",
    "pagehide": "window.dispatchEvent(new Event('pagehide'))",
    "hidden": "document.dispatchEvent(new Event('visibilitychange'))",
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("way", CLOSING)
def test_the_cover_closes_by_itself(bidding: Page, way: str) -> None:
    """A lost finger, another app or a locked phone close the cover; the document forgets what it showed."""
    bidding.tap(*BID)
    bidding.hold()
    assert bidding.see("#secret dd").text == "18"
    assert f">{BID}<" in bidding.whole_document
    bidding.browser.execute_script(CLOSING[way])
    assert bidding.see(".display").text == "•••"
    document = bidding.whole_document
    assert f">{BID}<" not in document
    assert ">18<" not in document
    bidding.let_go()


def test_a_sealed_answer_is_under_the_cover_and_can_be_changed(server: PageServer, bidding: Page) -> None:
    """Until all are in, the player can look at the answer and change it; then the letters are others."""
    bidding.tap(*BID, "Seal")
    letters = bidding.see(".letters").text
    bidding.hold()
    assert bidding.see(".own-answer strong").text == BID
    bidding.let_go()
    bidding.tap("Change the answer", "4", "Seal")
    bidding.wait(lambda: bidding.see(".letters").text != letters)
    server.seal(2, 9)
    bidding.wait(
        lambda: bidding.see("#revealed .envelopes").text.split() == ["Aki", "4", "Ben", "9"],
        "Aki's answer is 4, Ben's 9",
    )


def test_a_refused_bid_says_why_under_the_cover(server: PageServer, bidding: Page) -> None:
    """Why a covered answer is refused may tell of it, so the reason is covered, too."""
    bidding.tap("1", "9", "Seal")
    bidding.read("Look under the cover to read why.")
    assert "18" not in bidding.whole_document.replace(BID, "")
    bidding.hold()
    bidding.see("#secret .problem")
    bidding.let_go()
    assert not has_envelope(server)
    bidding.tap("Erase", "7", "Seal")
    bidding.see(".letters")


# Connections


def test_a_reload_finds_the_question_and_the_envelope(server: PageServer, bidding: Page) -> None:
    """After a reload the seat is still paired, the question is there, and a sealed answer stays sealed."""
    bidding.browser.refresh()
    bidding.read("How much do you bid?")
    bidding.tap(*BID, "Seal")
    letters = bidding.see(".letters").text
    bidding.browser.refresh()
    bidding.wait(lambda: bidding.see(".letters").text == letters)


def test_a_draft_is_in_no_storage(bidding: Page) -> None:
    """What is entered but not sealed stays in the memory of the page."""
    bidding.tap(*BID)
    stored = bidding.browser.execute_script("return JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert BID not in stored.partition("own")[0]
    bidding.browser.refresh()
    bidding.read("How much do you bid?")
    bidding.hold()
    assert bidding.see(".display").text == "–"
    bidding.let_go()


def test_a_lost_connection_comes_back_by_itself(server: PageServer, bidding: Page) -> None:
    """While nobody can be reached the page says “Connecting…”; then it takes the whole state."""
    server.end_web_process()
    bidding.read("Connecting…")
    bidding.tap(*BID, "Seal")
    bidding.read("Not sent.")
    server.seal(2, 5)
    server.start_web_process()
    bidding.browser.execute_script("window.dispatchEvent(new Event('online'))")
    bidding.read_no_more("Connecting…")
    bidding.tap("Seal")
    bidding.read("Opened envelopes")
    assert server.last_answer == {"1": 17, "2": 5}


WAKING = {
    "visible": "document.dispatchEvent(new Event('visibilitychange'))",
    "online": "window.dispatchEvent(new Event('online'))",
    "pageshow": "window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))",
}


@pytest.mark.sweep(1)
@pytest.mark.parametrize("way", WAKING)
def test_a_phone_that_wakes_connects_again_at_once(server: PageServer, bidding: Page, way: str) -> None:
    """A phone can't know whether its old connection still works, so it makes a new one."""
    before = server.connection_numbers
    bidding.browser.execute_script(WAKING[way])
    bidding.wait(lambda: server.connection_numbers and not server.connection_numbers & before)
    bidding.read_no_more("Connecting…")


def test_two_tabs_of_a_seat_show_the_same(server: PageServer, bidding: Page) -> None:
    """An answer that one tab seals is sealed in the other tab, too."""
    browser, first = bidding.browser, bidding.browser.current_window_handle
    browser.switch_to.new_window("tab")
    bidding.resize(390, 844)
    bidding.open("/seat/1")
    bidding.tap(*BID, "Seal")
    letters = bidding.see(".letters").text
    browser.close()
    browser.switch_to.window(first)
    bidding.wait(lambda: bidding.see(".letters").text == letters)


def test_the_oldest_of_five_tabs_says_why_it_has_stopped(server: PageServer, bidding: Page) -> None:
    """The tab says in a sentence what happened, and one key goes on here; then another tab stops."""
    bidding.tap(*BID)
    bidding.run(
        """
        const [{ SeatConnection }, { loadKeys }] = await Promise.all(
            ["connection", "pairing"].map((name) => import(`/static/${name}.js`)));
        const open = () => new Promise((isOpen) => {
            const tab = new SeatConnection(1, loadKeys(1), {
                onState: isOpen,
                onStatus: (status) => { document.body.dataset[`other_${status}`] = ""; },
            });
            tab.useLanguage("en");
        });
        for (let number = 0; number < 4; number++) await open();
        done();
        """
    )
    bidding.read("This seat is open in four newer tabs")
    assert bidding.accessibility_faults() == []
    assert not bidding.has_key("Seal")
    bidding.tap("Go on here")
    bidding.see("[data-other_replaced]")
    bidding.read_no_more("This seat is open")
    bidding.tap("Seal").see(".letters")


def test_an_answer_to_an_earlier_question_is_refused(server: PageServer, page: Page) -> None:
    """Whoever answers when the table has gone on reads that it was too late."""
    server.begin("egypt", "Aki", "Ben", "Chie")
    page.pair()
    page.browser.execute_script(
        """
        const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (data) {
            this.late = () => send.call(this, data);
            window.late = this;
        };
        """
    )
    page.tap("Aki")
    server.answer("2")
    page.read("Shuffle, deal 25 cards each")
    page.browser.execute_script("window.late.late()")
    page.read("Too late")


# How it looks


def test_the_language_can_be_chosen(bidding: Page) -> None:
    """The page offers all languages, and the next load remembers the choice."""
    bidding.tap("Language and look")
    choose_language(bidding, "de")
    bidding.read("Versiegeln")
    assert bidding.browser.execute_script("return document.documentElement.lang") == "de"
    bidding.browser.refresh()
    bidding.read("Versiegeln")


@pytest.mark.parametrize("address", ["/seat/1", "/table", "/"])
def test_the_page_takes_the_language_of_the_browser(page: Page, address: str) -> None:
    """A Japanese browser gets Japanese texts, and one whose language doesn't exist gets English ones.

    The page asks only for what exists.
    """
    for wanted, code in (("ja-JP", "ja"), ("tlh", "en"), ("en-US", "en")):
        page.prefer_language(wanted)
        page.open(address)
        page.read({"ja": "言語", "en": "Language"}[code])
        assert page.browser.execute_script("return document.documentElement.lang") == code
        statuses = page.browser.execute_script(
            "return performance.getEntriesByType('resource').map((each) => each.responseStatus)"
        )
        assert set(statuses) == {200}


def test_text_size_and_dark_mode_are_remembered(bidding: Page) -> None:
    """Three sizes of text, and light or dark, in spite of what the phone prefers."""
    bidding.tap("Language and look", "largest", "dark")
    bidding.browser.refresh()
    bidding.read("How much do you bid?")
    assert bidding.browser.execute_script("return {...document.documentElement.dataset}") == {
        "theme": "dark",
        "size": "largest",
    }
    bidding.resize(320, 568)
    assert bidding.layout_faults() == []


def test_the_player_is_called_once_for_each_question(server: PageServer, page: Page) -> None:
    """After a first touch of the page a sound and a vibration call the player when it is their turn."""
    server.begin("egypt", "Aki", "Ben", "Chie")
    server.answer("1", True)
    page.pair(2)
    page.browser.execute_script(
        """
        window.calls = [];
        const makeTone = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () {
            window.calls.push("tone");
            return makeTone.call(this);
        };
        navigator.vibrate = () => window.calls.push("vibration");
        """
    )
    server.answer(3)
    page.read("Ben, bid for daughter 4")
    page.wait(lambda: page.browser.execute_script("return window.calls") == ["vibration", "tone", "tone"])
