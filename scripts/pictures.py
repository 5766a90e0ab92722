"""PNG files with few colours: small enough to be kept with the sources, as still or moving pictures.

    png(photograph(file))
    apng([Shot(photograph(file), 0.5), ...])

A moving picture is an APNG, a PNG with more frames: every browser shows one, and Python alone can write it.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

SHADE = 4
"""Of 256 shades of red, green and blue only every fourth is kept, which nobody sees."""
COLOURS = 255
"""Colours in a file; one more place is left for what hasn't changed since the frame before."""
SAME = 255
"""The place of what hasn't changed."""
MILLISECONDS = 1000
GONE, OVER, ANYWAY = 0, 1, 0
"""APNG: leave the frame as it is, draw over it, draw instead of it."""


class Picture(NamedTuple):
    """`rgb` are three bytes for each pixel, row by row from the top."""

    width: int
    height: int
    rgb: bytes


class Shot(NamedTuple):
    """A picture and how many seconds it is shown."""

    picture: Picture
    seconds: float


class Palette:
    """The most frequent colours of some pictures; any other is drawn in the nearest of them."""

    def __init__(self, pictures: Sequence[Picture]) -> None:
        count = Counter[bytes]()
        for picture in pictures:
            count.update(_colours(picture))
        self._colours = [colour for colour, _ in count.most_common(COLOURS)]
        self._index = {colour: index for index, colour in enumerate(self._colours)}

    def indices(self, picture: Picture) -> bytes:
        """One byte for each pixel."""
        return bytes(map(self._nearest, _colours(picture)))

    def _nearest(self, colour: bytes) -> int:
        if colour not in self._index:
            distances = (sum((a - b) ** 2 for a, b in zip(colour, one, strict=True)) for one in self._colours)
            self._index[colour] = min(zip(distances, range(COLOURS), strict=False))[1]
        return self._index[colour]

    def chunk(self) -> bytes:
        """The palette as a PNG has it."""
        return _chunk(b"PLTE", b"".join(self._colours).ljust(3 * (COLOURS + 1), b"\0"))


def photograph(file: Path) -> Picture:
    """A photograph of the window."""
    from kivy.core.image import ImageLoader

    data = ImageLoader.load(str(file), keep_data=True)._data[0]  # noqa: SLF001 Kivy has no other way
    channels = len(data.data) // (data.width * data.height)
    rgb = bytearray(3 * data.width * data.height)
    for channel in range(3):
        rgb[channel::3] = data.data[channel::channels]
    return Picture(data.width, data.height, bytes(rgb))


def png(picture: Picture) -> bytes:
    """A still picture."""
    palette = Palette([picture])
    rows = _packed(palette.indices(picture), picture.width)
    return _file(_header(picture), palette.chunk(), _chunk(b"IDAT", rows))


def apng(still: Picture, shots: Sequence[Shot]) -> bytes:
    """A moving picture that begins again at its end; `still` is seen where moving pictures aren't shown."""
    shots = [*_merged(shots)]
    palette = Palette([still, *(shot.picture for shot in shots)])
    first = still.width, still.height
    frames = list(_frames([(palette.indices(shot.picture), shot.seconds) for shot in shots], *first))
    chunks = [
        _header(still),
        palette.chunk(),
        _chunk(b"tRNS", b"\xff" * SAME + b"\0"),
        _chunk(b"acTL", struct.pack(">II", len(frames), 0)),
        _chunk(b"IDAT", _packed(palette.indices(still), still.width)),
    ]
    for number, (box, seconds, rows) in enumerate(frames):
        x, y, width, height = box
        delay = round(seconds * MILLISECONDS), MILLISECONDS
        control = struct.pack(
            ">IIIIIHHBB", 2 * number, width, height, x, y, *delay, GONE, OVER if number else ANYWAY
        )
        chunks += [
            _chunk(b"fcTL", control),
            _chunk(b"fdAT", struct.pack(">I", 2 * number + 1) + rows),
        ]
    return _file(*chunks)


def _merged(shots: Sequence[Shot]) -> Iterator[Shot]:
    """Shots of which no two in a row show the same, as each takes a second to encode."""
    for picture, alike in groupby(shots, lambda shot: shot.picture):
        yield Shot(picture, sum(shot.seconds for shot in alike))


def _frames(
    shots: Sequence[tuple[bytes, float]], width: int, height: int
) -> Iterator[tuple[tuple[int, int, int, int], float, bytes]]:
    """Where each frame differs from the one before, how long it is shown, and its packed rows."""
    before = b""
    box, seconds, rows = (0, 0, width, height), 0.0, b""
    for pixels, lasts in shots:
        if pixels != before and seconds:
            yield box, seconds, rows
            seconds = 0.0
        if pixels != before:
            box = _changed(before, pixels, width) if before else (0, 0, width, height)
            rows = _packed(_cut(before, pixels, width, box), box[2])
        before, seconds = pixels, seconds + lasts
    yield box, seconds, rows


def _changed(before: bytes, now: bytes, width: int) -> tuple[int, int, int, int]:
    """The smallest box around all that differs: left, top, width, height."""
    starts = range(0, len(now), width)
    lines = [at for at in starts if before[at : at + width] != now[at : at + width]]
    differences = [
        int.from_bytes(before[at : at + width]) ^ int.from_bytes(now[at : at + width]) for at in lines
    ]  # a large number for each line, in which unchanged pixels are zeros
    left = width - max((each.bit_length() + 7) // 8 for each in differences)
    right = width - min(((each & -each).bit_length() - 1) // 8 for each in differences)
    top = lines[0] // width
    return left, top, right - left, lines[-1] // width + 1 - top


def _cut(before: bytes, now: bytes, width: int, box: tuple[int, int, int, int]) -> bytes:
    """The pixels of a box; what hasn't changed is left through."""
    x, y, across, high = box
    starts = [line * width + x for line in range(y, y + high)]
    if not before:
        return b"".join(now[at : at + across] for at in starts)
    return bytes(
        SAME if now[at] == before[at] else now[at] for start in starts for at in range(start, start + across)
    )


def _colours(picture: Picture) -> list[bytes]:
    coarse = picture.rgb.translate(bytes(min(255, round(value / SHADE) * SHADE) for value in range(256)))
    return [coarse[at : at + 3] for at in range(0, len(coarse), 3)]


def _packed(pixels: bytes, width: int) -> bytes:
    """Rows as a PNG has them, each after a byte 0 (unfiltered)."""
    rows = (b"\0" + pixels[at : at + width] for at in range(0, len(pixels), width))
    return zlib.compress(b"".join(rows), 9)


def _header(picture: Picture) -> bytes:
    return _chunk(b"IHDR", struct.pack(">IIBBBBB", picture.width, picture.height, 8, 3, 0, 0, 0))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _file(*chunks: bytes) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + _chunk(b"IEND", b"")
