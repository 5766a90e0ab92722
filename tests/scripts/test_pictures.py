"""The pictures beside the sources: small PNG files, still and moving, each of which some page shows."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.pictures import Picture, Shot, apng, png
from scripts.screenshots import BY_TOUCH, BY_TOUCH_IN_ENGLISH, CHOSEN, FILM, IN_ENGLISH, documented
from tests.support.doc_examples import DOC_PAGES, ROOT

SCREENS = ROOT / "docs" / "screens"
MOST = 2_000_000
"""Bytes that the moving picture of a README may have."""
RED, GREEN, BLUE = b"\xf8\x00\x00", b"\x00\xf8\x00", b"\x00\x00\xf8"
WIDTH = 3


def picture(*pixels: bytes) -> Picture:
    """Rows of three pixels."""
    return Picture(WIDTH, len(pixels) // WIDTH, b"".join(pixels))


def chunks(file: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Every chunk of a PNG: its kind and its data, whose checksum is right."""
    at = file.index(b"\n", 6) + 1
    while at < len(file):
        length, kind = struct.unpack(">I4s", file[at : at + 8])
        data = file[at + 8 : at + 8 + length]
        assert struct.unpack(">I", file[at + 8 + length : at + 12 + length]) == (zlib.crc32(kind + data),)
        yield kind, data
        at += 12 + length


def rows(file: bytes, kind: bytes, skipped: int, width: int) -> list[bytes]:
    """The indices of each row of a picture or frame."""
    data = zlib.decompress(next(data for one, data in chunks(file) if one == kind)[skipped:])
    return [data[at + 1 : at + 1 + width] for at in range(0, len(data), width + 1)]


def colour(file: bytes, index: int) -> bytes:
    """A colour of the palette."""
    palette = dict(chunks(file))[b"PLTE"]
    return palette[3 * index : 3 * index + 3]


def test_a_picture_keeps_its_colours() -> None:
    """Each pixel of a still picture has the colour it was photographed in."""
    pixels = (RED, GREEN, BLUE, RED, RED, GREEN)
    file = png(picture(*pixels))
    read = [colour(file, index) for row in rows(file, b"IDAT", 0, WIDTH) for index in row]
    assert read == [*pixels]


def test_too_many_colours_become_the_nearest() -> None:
    """A file has at most 255; a rare one is drawn in the nearest of them."""
    usual = [bytes((8 * (at % 31), 8 * (at // 31), 0)) for at in range(255)]
    file = png(picture(*usual, *usual, b"\x00\x00\x04", RED, RED))
    assert colour(file, rows(file, b"IDAT", 0, WIDTH)[-1][0]) == b"\x00\x00\x00"


def test_a_film_holds_what_changes() -> None:
    """A frame is the box around what changed, unchanged pixels in it are left through, and rest adds up."""
    first = picture(RED, RED, RED, RED, RED, RED)
    second = picture(RED, GREEN, RED, RED, RED, BLUE)
    file = apng(second, [Shot(first, 0.5), Shot(first, 0.25), Shot(second, 1.0)])
    controls = [struct.unpack(">IIIIIHHBB", data) for kind, data in chunks(file) if kind == b"fcTL"]
    assert controls == [(0, 3, 2, 0, 0, 750, 1000, 0, 0), (2, 2, 2, 1, 0, 1000, 1000, 0, 1)]
    assert dict(chunks(file))[b"acTL"] == struct.pack(">II", 2, 0)
    last = [data for kind, data in chunks(file) if kind == b"fdAT"][-1]
    assert struct.unpack(">I", last[:4]) == (3,)
    drawn = zlib.decompress(last[4:])
    assert (drawn[2], drawn[4]) == (255, 255)
    assert (colour(file, drawn[1]), colour(file, drawn[5])) == (GREEN, BLUE)


def kept() -> set[str]:
    """Every picture that `make screenshots` keeps."""
    names = {*BY_TOUCH.values(), *CHOSEN.values(), FILM}
    others = {f"{name}-{lang}" for name in names for lang in documented() if lang != "en"}
    return {f"{name}.png" for name in {*names, *BY_TOUCH_IN_ENGLISH.values(), *IN_ENGLISH.values(), *others}}


def test_every_kept_picture_is_made_and_shown() -> None:
    """What lies in docs/screens is what `make screenshots` keeps, and some page shows it."""
    found = {
        Path(link).name for page in DOC_PAGES for link in re.findall(r"screens/[\w-]+\.png", page.read_text())
    }
    assert {file.name for file in SCREENS.iterdir()} == kept()
    assert found == kept()


@pytest.mark.parametrize("lang", documented())
def test_the_film_is_small_and_moves(lang: str) -> None:
    """The README's moving picture has many frames and at most two megabytes."""
    file = (SCREENS / f"{FILM}{'' if lang == 'en' else f'-{lang}'}.png").read_bytes()
    assert len(file) <= MOST
    assert sum(kind == b"fcTL" for kind, _ in chunks(file)) > 20
