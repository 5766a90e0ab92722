"""Pages, static files and texts, as a browser gets them."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion import languages
from companion.errors import UserError
from companion.web import static_files
from companion.web.static_files import STATIC_FOLDER, find_tweetnacl
from companion.web.texts import page_texts
from tests.support.in_process import check_clean_exit, run_in_process
from tests.support.web_process import WebProcess


def test_it_says_where_it_listens(shared_web: WebProcess) -> None:
    """One line is printed as soon as browsers can connect, and nothing about people afterwards."""
    assert shared_web.first_line == f"Listening on http://127.0.0.1:{shared_web.port}\n"


@pytest.mark.parametrize(
    ("path", "name"),
    [("/", "index.html"), ("/table", "table.html"), ("/seat/1", "seat.html"), ("/seat/12", "seat.html")],
)
def test_each_page_has_its_address(shared_web: WebProcess, path: str, name: str) -> None:
    """The page of each seat is the same file: it learns its seat from its address."""
    response = shared_web.get(path)
    assert (response.status, response.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert response.content == (STATIC_FOLDER / name).read_bytes()


@pytest.mark.parametrize(
    "path", ["/seat/0", "/seat/13", "/seat/01", "/seat/x", "/seat/", "/table/", "/texts/en"]
)
def test_other_addresses_have_no_page(shared_web: WebProcess, path: str) -> None:
    """The refusal is plain and short, and repeats nothing of the request."""
    response = shared_web.get(path)
    assert (response.status, response.headers["content-type"]) == (404, "text/plain; charset=utf-8")
    assert response.content.lower() == b"not found"


def test_every_file_of_the_folder_can_be_had(shared_web: WebProcess) -> None:
    """Files have the type of their ending, and TweetNaCl is among them."""
    for path in STATIC_FOLDER.iterdir():
        assert shared_web.get(f"/static/{path.name}").content == path.read_bytes()
    response = shared_web.get("/static/nacl.js")
    assert response.headers["content-type"] == "text/javascript; charset=utf-8"
    assert response.content == find_tweetnacl().read_bytes()


def test_files_are_compressed_for_browsers_that_can_read_that(shared_web: WebProcess) -> None:
    """TweetNaCl becomes smaller than 16 KiB."""
    response = shared_web.get("/static/nacl.js", {"Accept-Encoding": "gzip, deflate"})
    assert response.headers["content-encoding"] == "gzip"
    assert len(response.content) < 16 * 1024
    assert gzip.decompress(response.content) == find_tweetnacl().read_bytes()


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static/..%2fserver.py",
        "/static/%2e%2e%2f%2e%2e%2f%2e%2e%2fpyproject.toml",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/etc/passwd",
        "/static/nacl.js%00",
        "/static/nacl.js/",
        "/static/",
        "/static",
        "//static/nacl.js",
        "/../../../../etc/passwd",
        "http://elsewhere/static/nacl.js",
        "/static/..\\server.py",
        "/texts/../en",
        "/texts/..%2f..%2fen",
    ],
)
def test_no_path_leads_out_of_the_folder(shared_web: WebProcess, path: str) -> None:
    """Files are looked up by name, and paths of requests are never joined with a folder."""
    response = shared_web.get(path)
    assert response.status in {404, 421}
    assert len(response.content) < 40


def test_texts_of_each_language_are_json(shared_web: WebProcess) -> None:
    """A page has the texts of every language that the box has."""
    for language in languages.languages():
        response = shared_web.get(f"/texts?languages={language}")
        assert response.headers["content-type"] == "application/json"
        assert json.loads(response.content) == {"language": language, "texts": page_texts(language)}


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ("ja-JP,en", "ja"),
        ("de_AT", "de"),
        ("tlh,fr-CH,de-CH,ja", "de"),
        ("en-GB,de", "en"),
        ("tlh", "en"),
        ("", "en"),
        ("../de,%00,DE,,de-x-y-z", "de"),
        ("x," * 5000, "en"),
    ],
)
def test_a_browser_gets_the_first_of_its_languages_that_exists(
    shared_web: WebProcess, wanted: str, language: str
) -> None:
    """A browser names all languages of its reader at once; if there is none of them, it gets English."""
    response = shared_web.get(f"/texts?languages={wanted}")
    assert json.loads(response.content)["language"] == language


def test_a_head_has_no_content(shared_web: WebProcess) -> None:
    """The response has the headers of the page."""
    response = shared_web.request("HEAD", "/table")
    assert (response.status, response.content) == (200, b"")
    assert int(response.headers["content-length"]) == (STATIC_FOLDER / "table.html").stat().st_size


def test_the_link_needs_no_web_server() -> None:
    """The process of the games imports the link, and with it neither Starlette nor uvicorn."""
    code = "import companion.web.link, sys; print({'starlette', 'uvicorn', 'websockets'} & {*sys.modules})"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "set()\n"


def test_missing_tweetnacl_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The sentence names the package that has it."""
    monkeypatch.setattr(static_files, "TWEETNACL_PATHS", (tmp_path / "nacl.js",))
    with pytest.raises(UserError, match="node-tweetnacl"):
        find_tweetnacl()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--port {taken}", "The pages can't be served on 127.0.0.1, port {taken}:"),
        ("--port 70000", "a port is a number from 0 to 65535, not 70000"),
        ("--port=-1", "a port is a number from 0 to 65535, not -1"),
        ("--fd 99", "No socket was passed on with number 99."),
        ("--fd -5", "No socket was passed on with number -5."),
        ("--port 0 --key here", "A certificate needs its key:"),
        ("--port 0 --key /nowhere --certificate /nowhere", "The certificate can't be used:"),
        ("--port 0 --key pyproject.toml --certificate pyproject.toml", "The certificate can't be used:"),
    ],
)
def test_what_is_given_wrongly_is_said_in_a_sentence(
    shared_web: WebProcess, options: str, sentence: str
) -> None:
    """The program ends without a traceback."""
    words = options.format(taken=shared_web.port).split()
    result = run_in_process(["web", "--link", "nowhere", "--host", "127.0.0.1", *words])
    check_clean_exit(result)
    assert result.status == 2
    assert sentence.format(taken=shared_web.port) in " ".join(result.error_output.split())
