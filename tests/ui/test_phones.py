"""Phones on the touchscreen: switching them on, pairing by QR code and digits, answering, unpairing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.support.ui.app_helpers import NAMES, make_test_app
from tests.support.web_phone import WebPhone


@pytest.fixture
async def table(open_app: Any, tmp_path: Path, without_motion: None, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A game of sealed bids on the table; the pages can be reached from this machine only."""
    from hardware.phones import web_process

    command = (*web_process.WEB_COMMAND, "--host", "127.0.0.1", "--port", "0")
    monkeypatch.setattr(web_process, "WEB_COMMAND", command)
    table = await open_app(make_test_app(tmp_path / "state"))
    table.app.controller.start_new_game("sealed_bid", NAMES, ["orange", "sky", "green"], {})
    await table.wait_frames(3)
    return table


async def open_phones(table: Any) -> Any:
    """Opens the page of phones; returns the service."""
    await table.tap("more", "phones")
    return table.app.controller.phone_service


async def pair(table: Any, service: Any, seat_number: int) -> WebPhone:
    """Pairs a phone with a seat, with touches on the screen and HTTP on the phone."""
    await table.tap(f"seat {seat_number}")
    await table.wait_until(lambda: service.phones.address_of_code() is not None)
    phone = WebPhone(service.phones.address_of_code())
    digits = await asyncio.to_thread(phone.redeem)
    await table.wait_until(lambda: digits in table.texts())
    waiting = asyncio.create_task(asyncio.to_thread(phone.await_confirmation))
    await table.wait_until(lambda: service.phones.pending_pairing.confirmation_request is not None)
    await table.tap("equal")
    assert await waiting == 200
    return phone


async def test_a_phone_is_paired_by_touch_and_seals_a_bid(table: Any) -> None:
    """Switched on, scanned, digits compared, bid sealed: the table's envelope has the phone's letters."""
    service = await open_phones(table)
    await table.tap("switch")
    assert service.is_on
    phone = await pair(table, service, 2)
    await table.wait_until(lambda: "A phone for Ben" not in table.texts())
    await asyncio.to_thread(phone.open_page)
    await table.wait_until(lambda: table.find("seat 2").detail_text == "Phone is connected")
    await asyncio.to_thread(phone.answer, 7)
    (seal,) = [each.seal for each in table.app.controller.view.envelopes if each.has_answer]
    assert phone.tab is not None
    assert phone.tab.private["envelope"] == {"answer": "7", "letters": seal}
    phone.close()
    await table.wait_until(lambda: table.find("seat 2").detail_text == "Phone is asleep")
