"""The pages for phones as people use them: what a test sees, touches and types in the browser."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Generic, Self, TypeVar

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains, Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tests.support import required_programs
from tests.support.page_server import PageServer

WAIT_SECONDS = 10
PHONE_SIZE = (390, 844)
SIZES = [(320, 568), (390, 844), (844, 390), (768, 1024), (1024, 768)]
"""The sizes at which the pages must look right: small and large phones and a tablet, both ways round."""
MIN_TARGET = 44
"""The least width and height of what people touch, in pixels of the page."""
FONTS_FOLDER = Path(__file__).parents[2] / "ui/fonts"
FONT_CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>{folder}</dir>
</fontconfig>
"""
LAYOUT_FAULTS = Path(__file__).with_name("layout_faults.js").read_text("utf-8")


def start_browser(*logs: str) -> Chrome:
    """Returns a browser without a window that also keeps these logs; who starts it must `quit` it.

    It has the font of the screen, as not every machine has Japanese letters.
    """
    options = ChromeOptions()
    options.binary_location = required_programs.path_of_required_program("chromium")
    options.add_argument("--headless=new")
    options.add_argument("--disable-dev-shm-usage")
    options.add_argument("--lang=en")
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", dict.fromkeys(("browser", *logs), "ALL"))
    driver = required_programs.path_of_required_program("chromedriver")
    with NamedTemporaryFile("w", suffix=".conf") as fonts:
        fonts.write(FONT_CONFIGURATION.format(folder=FONTS_FOLDER))
        fonts.flush()
        return Chrome(options, Service(driver, env={**os.environ, "FONTCONFIG_FILE": fonts.name}))


class BrowserTab:
    """One tab of the browser. What people look for is waited for."""

    def __init__(self, browser: Chrome) -> None:
        self.browser = browser

    def resize(self, width: int, height: int, scale: int = 1) -> None:
        """Makes the page as large as the screen of a phone; `scale` are pixels of a picture for one of it."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": True}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def prefer_language(self, language: str) -> None:
        """Makes this the language of the browser."""
        agent = self.browser.execute_script("return navigator.userAgent")
        self.browser.execute_cdp_cmd(
            "Network.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": language}
        )

    def open(self, address: str) -> None:
        """Opens an address."""
        self.browser.get(address)

    # What people do

    def key(self, name: str) -> WebElement:
        """Returns the key with a name, when it can be pressed."""
        key: WebElement = self.wait(lambda: self._find_key(name), f"no key {name!r}")
        return key

    def has_key(self, name: str) -> bool:
        """Returns whether there is such a key now."""
        return self._find_key(name) is not None

    def tap(self, *names: str) -> Self:
        """Taps keys, one after the other."""
        for name in names:
            self._tap_key(name)
        return self

    def _tap_key(self, name: str) -> None:
        self.wait(lambda: self._try_tap(name), f"no key {name!r}")

    def _try_tap(self, name: str) -> bool:
        key = self._find_key(name)
        if key is None or not key.is_enabled():
            return False
        self._touch(key)
        return True

    def tap_on(self, selector: str, index: int = 0) -> None:
        """Taps one of the elements that a selector finds."""

        def try_tap() -> bool:
            found = self.browser.find_elements(By.CSS_SELECTOR, selector)
            if len(found) <= index or not found[index].is_displayed() or not found[index].is_enabled():
                return False
            self._touch(found[index])
            return True

        self.wait(try_tap, f"no {selector} {index}")

    def _touch(self, element: WebElement) -> None:
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def _find_key(self, name: str) -> WebElement | None:
        found: WebElement | None = self.browser.execute_script(
            """
            const visible = [...document.querySelectorAll("button, summary, a, [data-hold]")].filter(
                (each) => each.offsetParent !== null || each.closest("dialog[open]"));
            const name = (each) => (each.getAttribute("aria-label") ?? each.textContent).trim();
            return visible.find((each) => name(each) === arguments[0])
                ?? visible.find((each) => name(each).startsWith(arguments[0])) ?? null;
            """,
            name,
        )
        return found

    def type(self, selector: str, text: str) -> Self:
        """Types into a field."""
        field = self.see(selector)
        field.clear()
        field.send_keys(text)
        return self

    def press_keys(self, *keys: str) -> Self:
        """Presses keys of a keyboard, wherever the focus is."""
        ActionChains(self.browser).send_keys(*keys).perform()
        return self

    def hold(self, selector: str = "[data-hold]") -> None:
        """Presses the cover and keeps the finger there."""
        element = self.see(selector)
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        ActionChains(self.browser).click_and_hold(element).perform()

    def let_go(self) -> None:
        """Lifts the finger."""
        ActionChains(self.browser).release().perform()

    # What people see

    def wait(self, condition: Callable[[], Any], message: str = "") -> Any:
        """Waits until a condition holds; returns its value."""
        waiting = WebDriverWait(
            self.browser, WAIT_SECONDS, 0.02, ignored_exceptions=[StaleElementReferenceException]
        )
        return waiting.until(lambda _: condition(), message)

    def see(self, selector: str) -> WebElement:
        """Returns the first visible element, when there is one."""

        def find() -> WebElement | None:
            found = self.browser.find_elements(By.CSS_SELECTOR, selector)
            return next((each for each in found if each.is_displayed()), None)

        element: WebElement = self.wait(find, f"no {selector}")
        return element

    def read(self, text: str) -> None:
        """Waits until a text can be read on the page."""
        self.wait(lambda: text in self.text, f"{text!r} is not on the page")

    def read_no_more(self, text: str) -> None:
        """Waits until a text can't be read on the page."""
        self.wait(lambda: text not in self.text, f"{text!r} is still on the page")

    @property
    def text(self) -> str:
        """What can be read on the page."""
        return str(self.browser.execute_script("return document.body.innerText"))

    @property
    def whole_document(self) -> str:
        """The page with everything in it, seen or not, and the values of its fields."""
        return str(
            self.browser.execute_script(
                """
                const values = [...document.querySelectorAll("input, textarea")].map((each) => each.value);
                return document.documentElement.outerHTML + " " + values.join(" ");
                """
            )
        )

    def run(self, script: str, *arguments: object) -> Any:
        """Runs a script that calls `done` with the result; it may wait."""
        return self.browser.execute_async_script(
            f"const done = arguments[arguments.length - 1]; (async () => {{{script}}})();", *arguments
        )

    # Checks

    def accessibility_faults(self) -> list[str]:
        """Returns what axe finds wrong with the page."""
        if not self.browser.execute_script("return 'axe' in window"):
            self.browser.execute_script(_axe_source())
        found = self.run("done((await axe.run({ resultTypes: ['violations'] })).violations);")
        return [
            f"{each['id']}: {each['help']} {[node['html'] for node in each['nodes']][:3]}" for each in found
        ]

    def layout_faults(self) -> list[str]:
        """Returns what can't be read or touched: cut or torn words, small or hidden keys, too wide parts."""
        found: list[str] = self.browser.execute_script(LAYOUT_FAULTS, MIN_TARGET)
        return found

    def check_console(self) -> None:
        """Checks that the page made no mistake: no uncaught error, nothing refused by its own rules."""
        faults = [
            line["message"]
            for line in self.browser.get_log("browser")  # type: ignore[no-untyped-call]  # its annotations are incomplete
            if line["level"] == "SEVERE"
            and "Failed to load resource" not in line["message"]
            and "WebSocket connection" not in line["message"]
        ]
        assert faults == []

    def forget_everything(self) -> None:
        """Leaves the browser as if it had never seen a page."""
        self.prefer_language("en-US")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {})
        self.browser.execute_script("localStorage.clear()")
        self.browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
        self.browser.get("about:blank")

    def take_picture(self, path: Path) -> None:
        """Writes a picture of what is on the screen."""
        self.browser.save_screenshot(str(path))


class Page(BrowserTab):
    """A tab with pages of a server."""

    def __init__(self, browser: Chrome, server: PageServer) -> None:
        super().__init__(browser)
        self.server = server

    def open(self, address: str) -> None:
        """Opens an address: a path, or all of it."""
        super().open(address if address.startswith("http") else self.server.address + address)

    def pair(self, seat_number: int = 1) -> None:
        """Opens the address of a new code, and pairs the seat."""
        self.open(self.server.offer_code(seat_number))
        self.tap_on("#pairing button.main")
        self.see(".digits")
        self.server.confirm_digits()
        self.see("[data-state=on]")


TabT = TypeVar("TabT", bound=BrowserTab)


class Tabs(Generic[TabT]):
    """Several tabs of one browser by name; phones of different origins share no storage.

    One page stands for all tabs: it is that of the tab that is shown.
    """

    def __init__(self, page: TabT, name: str) -> None:
        self._page = page
        self._handles = {name: page.browser.current_window_handle}

    def open_phone(self, name: str) -> TabT:
        """Opens a tab as large as a phone, and returns its page."""
        self._page.browser.switch_to.new_window("tab")
        self._handles[name] = self._page.browser.current_window_handle
        self._page.resize(*PHONE_SIZE)
        return self._page

    def show(self, name: str) -> TabT:
        """Returns the page of a tab, once it has connected again as after waking."""
        page, handle = self._page, self._handles[name]
        if page.browser.current_window_handle == handle:
            page.browser.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
        page.browser.switch_to.window(handle)
        page.wait(lambda: page.browser.execute_script("return !document.hidden"))
        page.see("[data-state=on]")
        return page

    def close(self) -> None:
        """Closes all tabs but the first."""
        first, *others = self._handles.values()
        for handle in others:
            self._page.browser.switch_to.window(handle)
            self._page.browser.close()
        self._page.browser.switch_to.window(first)


def _axe_source() -> str:
    spec = importlib.util.find_spec("axe_core_python")
    assert spec is not None
    assert spec.submodule_search_locations
    return (Path(spec.submodule_search_locations[0]) / "axe.min.js").read_text("utf-8")
