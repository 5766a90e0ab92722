"""The files that browsers may have: TweetNaCl, and those that are in the folder `static` at the start."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from companion.errors import UserError
from companion.texts import say

STATIC_FOLDER = Path(__file__).with_name("static")
TWEETNACL_NAME = "nacl.js"
"""The name under which the pages load TweetNaCl."""
TWEETNACL_PATHS = (
    STATIC_FOLDER / "nacl-fast.min.js",
    Path("/usr/share/nodejs/tweetnacl/nacl-fast.min.js"),
)
"""Where TweetNaCl may be: unpacked by set-up, or installed as Debian's package node-tweetnacl."""
MIN_COMPRESSED_BYTES = 512
"""Shorter files aren't compressed."""
TYPE_BY_SUFFIX = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/vnd.microsoft.icon",
    ".js": "text/javascript; charset=utf-8",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


class StaticFile(NamedTuple):
    """The content of a file, also compressed if that is worth it, and its type."""

    media_type: str
    content: bytes
    compressed: bytes | None


def find_tweetnacl() -> Path:
    """Returns the file of TweetNaCl, which encrypts in the browser; raises `UserError` if it is missing."""
    for path in TWEETNACL_PATHS:
        if path.is_file():
            return path
    text = "TweetNaCl is missing, with which phones encrypt. Install the package node-tweetnacl."
    raise UserError(say(text))


def read_static_files() -> Mapping[str, StaticFile]:
    """Returns the files by name. No other file can be had, whatever the path of a request says."""
    paths = {path.name: path for path in STATIC_FOLDER.iterdir() if path.suffix in TYPE_BY_SUFFIX}
    paths[TWEETNACL_NAME] = find_tweetnacl()
    return {name: _read_static_file(path) for name, path in paths.items()}


def _read_static_file(path: Path) -> StaticFile:
    content = path.read_bytes()
    compressed = gzip.compress(content, mtime=0) if len(content) >= MIN_COMPRESSED_BYTES else content
    media_type = TYPE_BY_SUFFIX[path.suffix]
    return StaticFile(media_type, content, compressed if len(compressed) < len(content) else None)
