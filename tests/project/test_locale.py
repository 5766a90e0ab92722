"""Every text in every language of ours: all there, none too many, and shown late."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from string import Formatter

import msgspec
import pytest
from babel.messages.catalog import Catalog, Message

from companion import installed_games, logtext
from companion.log.events import Began, Corrected, Event
from companion.log.log import MemoryLog
from companion.rules.game import ChoiceOption, Game
from companion.session.session import Session
from companion.session.view import list_history_entries
from companion.testing.code_checks import extract_texts_from_code
from companion.texts import Say, render, say, say_n
from scripts.record_golden import RECORDS
from scripts.update_catalogue import (
    HOMES,
    ROOT,
    TRANSLATED,
    Text,
    catalogue_in,
    forms_of,
    main,
    said,
    untranslated,
    updated,
    written,
)

pytestmark = pytest.mark.without_coverage  # whole matches are told

ENGLISH = re.compile(r"[A-Za-z]{2,}")
GAMES = {key: game for key, game in installed_games.games().items() if isinstance(game, Game)}


def placeholders(text: str) -> list[str]:
    """The names between braces, in the order of the alphabet."""
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def versions(message: Message) -> Iterator[tuple[str, str]]:
    """Yields each translation with its English template.

    The first of several forms is for one and may leave out the number, as the English form for one may.
    """
    one, many = message.id if isinstance(message.id, tuple) else (message.id, message.id)
    forms = forms_of(message)
    for number, string in enumerate(forms):
        may_be_one = number == 0 and len(forms) > 1 and placeholders(str(one)) == placeholders(string)
        yield str(one if may_be_one else many), string


@cache
def catalogues(folder: Path) -> dict[str, Catalog]:
    """The catalogues in the folder of a language."""
    return {home: catalogue_in(folder, home) for home in HOMES}


def messages(folder: Path) -> Iterator[Message]:
    """Every text in them."""
    return (message for one in catalogues(folder).values() for message in one if message.id)


# The catalogues


afresh = cache(updated)
"""The catalogues brought up to date once more."""
in_every_language = pytest.mark.parametrize("folder", TRANSLATED, ids=lambda folder: folder.name)
CODE = """
text = "Ben is out."
table.add_note(say(text) if out else say("{who}: {sums}", who=ben, sums=listed([say("nothing")])))
table.add_note(say_n("{n} card", "{n} cards", n=2))
other = "not said"
"""


def test_a_text_is_found_wherever_it_is_said() -> None:
    """In a list within another text, kept under a name first, and in its form for one and for many."""
    assert set(extract_texts_from_code(CODE)) == {
        "Ben is out.",
        "{who}: {sums}",
        "nothing",
        ("{n} card", "{n} cards"),
    }


def test_the_words_of_cards_are_texts_too() -> None:
    """What a card that ships with a game is called, its fields and their choices are in a catalogue."""
    assert {"mansion", "Buyer's card", "popularity", "black"} <= {*chain(*said().values())}


def test_texts_of_the_screen_are_found_in_python_and_in_kv() -> None:
    """The search reads both kinds of source."""
    assert {"Continue", "Which piece does {name} take?"} <= {*said()["ui"]}


def test_what_one_game_alone_says_is_in_its_own_catalogue() -> None:
    """As with a game of another package; what a second one says too is Companion's."""
    found = {home: {*texts} for home, texts in said().items() if home != "ui"}
    assert "Egypt" in found["egypt"]
    assert {"mansion", "Armageddon"} <= found["mammon"]
    assert {"hand", "{seat} passes."} <= found["companion"]
    assert sum(map(len, found.values())) == len(set[Text]().union(*found.values()))


@in_every_language
def test_every_text_has_its_translation(folder: Path) -> None:
    """A text that a catalogue lacks is a failure that names it; none is a guess."""
    missing = {home: untranslated(latest) for home, latest in afresh(folder).items()}
    assert {home: texts for home, texts in missing.items() if texts} == {}


@in_every_language
def test_a_translation_says_what_the_text_says(folder: Path) -> None:
    """Text and translation have the same placeholders, so that nothing is lost on the way."""
    differing = [
        (original, string)
        for message in messages(folder)
        for original, string in versions(message)
        if placeholders(original) != placeholders(string)
    ]
    assert differing == []


@in_every_language
@pytest.mark.parametrize("home", HOMES)
def test_the_catalogue_is_kept_as_the_script_writes_it(folder: Path, home: str) -> None:
    """Bringing the catalogues up to date once more changes nothing: none lacks a text or has one too many."""
    kept = (folder / f"{home}.po").read_text(encoding="utf-8")
    assert written(folder, home, afresh(folder)[home]) == kept


def test_a_new_language_gets_every_catalogue(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In an empty folder all texts are untranslated, and named; what is filled in stays the next time."""
    folder = tmp_path / "companion_pl"
    main([folder])
    assert {path.stem for path in folder.iterdir()} == {*HOMES}
    assert "companion_pl/egypt.po: not translated yet: Egypt\n" in capsys.readouterr().out
    egypt = (folder / "egypt.po").read_text(encoding="utf-8")
    assert '"Language: pl\\n"' in egypt
    assert "nplurals=3" in egypt
    (folder / "egypt.po").write_text(
        egypt.replace('msgid "Egypt"\nmsgstr ""', 'msgid "Egypt"\nmsgstr "Egipt"'), encoding="utf-8"
    )
    main([folder])
    assert "egypt.po: not translated yet: Egypt\n" not in capsys.readouterr().out
    assert 'msgstr "Egipt"' in (folder / "egypt.po").read_text(encoding="utf-8")


def test_a_string_without_its_last_quotation_mark_is_not_cut(tmp_path: Path) -> None:
    """The script says where it stands, and writes nothing."""
    folder = tmp_path / "companion_it"
    main([folder])
    file = folder / "ui.po"
    text = file.read_text(encoding="utf-8").replace(
        'msgid "Put back"\nmsgstr ""', 'msgid "Put back"\nmsgstr "Rimetti'
    )
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match=r'ui\.po, line \d+: the string has no quotation mark .*"Rimetti$'):
        main([folder])
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("fr", "nplurals=2; plural=(n == 0 || n == 1) ? 0 : 1;"),
        ("it", "nplurals=2; plural=(n == 1 ? 0 : 1);"),
        ("de", "nplurals=2; plural=(n != 1);"),
        ("cs", "nplurals=3; plural=(n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2);"),
    ],
)
def test_nobody_is_asked_for_a_form_for_whole_millions(tmp_path: Path, code: str, rule: str) -> None:
    """A new catalogue has only the forms that its numbers need; all must be filled in."""
    assert catalogue_in(tmp_path / f"companion_{code}", "ui").plural_forms == rule


def test_ours_need_not_be_on_the_shelf_to_speak_japanese() -> None:
    """A rulebook that a script or a test imports is translated as soon as somebody reads Japanese."""
    code = "from companion.texts import render, say; print(render(say('Armageddon'), 'ja'))"
    line = [sys.executable, "-X", "utf8", "-c", code]
    assert subprocess.run(line, capture_output=True, encoding="utf-8", check=True).stdout == "アルマゲドン\n"


# What games say


def labels(game: Game) -> Iterator[Say]:
    """The title, the options and every piece and place of a game."""
    yield game.title
    for option in game.options:
        yield from (option.label, option.hint)
        if isinstance(option, ChoiceOption):
            yield from option.choices.values()
    names = ("Aki", "Ben", "Chie", "Dai", "Emi")[: game.players[0]]
    for account in Session.begin(game, names, {}, MemoryLog()).table.ledger:
        yield from (account.piece.label, account.place.name)


@in_every_language
@pytest.mark.parametrize("key", GAMES)
def test_every_label_of_a_game_is_translated(folder: Path, key: str) -> None:
    """Title, options, choices, pieces and places of every registered game have a translation."""
    english = {
        label.template
        for label in labels(GAMES[key])
        if ENGLISH.search(re.sub(r"\{\w+\}", "", label.template))
    }
    assert english
    assert english <= {message.id for message in messages(folder) if message.string}


def recorded(path: object, name: str | None = None) -> tuple[Began, list[Event], list[Say]]:
    """How a recorded match began, what happened, and all that its history tells.

    `name` is a name for everybody, with the number of the seat as {n}.
    """
    events = logtext.parse_log_text((ROOT / str(path)).read_text(encoding="utf-8"))
    began = events[0]
    assert isinstance(began, Began)
    if name is not None:
        names = [name.format(n=n) for n in range(1, len(began.names) + 1)]
        events[0] = began = msgspec.structs.replace(began, names=type(began.names)(names))
    session = Session(GAMES[began.game], events, MemoryLog())
    return (
        began,
        events,
        [text for entry in list_history_entries(session) for text in (entry.text, *entry.notes)],
    )


@pytest.mark.sweep(7)
@pytest.mark.parametrize("path", RECORDS, ids=str)
def test_a_match_is_told_in_japanese(path: object) -> None:
    """Told in Japanese, a recorded match has no English word in it but what people wrote themselves."""
    began, events, texts = recorded(path)
    written = [*began.names, *(event.reason for event in events if isinstance(event, Corrected))]
    written += [str(setting) for setting in began.options.values() if setting]
    told = [re.sub("|".join(map(re.escape, written)), "", render(text, "ja")) for text in texts]
    assert [text for text in told if ENGLISH.search(text)] == []


@pytest.mark.sweep(7)
@pytest.mark.parametrize("path", RECORDS, ids=str)
def test_no_number_stands_bare_beside_a_name(path: object) -> None:
    """Nobody called Player 1 is told "Player 1 4"; and nobody is told of "0 ×" something."""
    _, _, texts = recorded(path, "Player {n}")
    bare = re.compile(r"Player \d \d|\b0 ×")
    assert [told for told in map(render, texts) if bare.search(told)] == []


def names_without_honorific(names: Iterable[str], texts: Iterable[str]) -> list[str]:
    """The Japanese texts in which a particle follows a name that has no さん behind it."""
    of_people = "|".join(re.escape(name) for name in names if not name[-1].isdigit())
    bare = re.compile(rf"(?:{of_people})(?:[はがをにのとも]|から)")
    return [text for text in texts if of_people and bare.search(text)]


@pytest.mark.sweep(7)
@pytest.mark.parametrize("path", RECORDS, ids=str)
def test_a_name_in_a_japanese_sentence_has_its_honorific(path: object) -> None:
    """Where a particle follows a name, the name is part of a sentence: さん stands between them."""
    began, _, texts = recorded(path)
    assert names_without_honorific(began.names, [render(text, "ja") for text in texts]) == []


# Rendered late


def test_a_text_is_put_into_words_by_its_reader() -> None:
    """One text is read in English and in Japanese, with all nested texts."""
    text = say("{seat} wins {chip} at {bid}.", seat="Aki", chip=say("daughter {number}", number=6), bid=5)
    assert text.in_language("en") == "Aki wins daughter 6 at 5."
    assert text.in_language("ja") == "Akiさんが娘6を5金で落札しました。"


@pytest.mark.parametrize(("n", "english"), [(1, "Ben lays down 1 card."), (3, "Ben lays down 3 cards.")])
def test_numbers_have_their_own_words(n: int, english: str) -> None:
    """One and many differ where the language makes a difference."""
    text = say_n("{seat} lays down {n} card.", "{seat} lays down {n} cards.", n=n, seat="Ben")
    assert text.in_language("en") == english
    assert text.in_language("ja") == f"Benさんがカードを{n}枚出しました。"


def test_no_name_stands_bare_before_a_colon_in_japanese() -> None:
    """さん follows the name of whoever a sentence tells about or speaks to."""
    bare = re.compile(r"\{(?:seat|who)\}：")
    texts = [
        string
        for message in messages(ROOT / "companion/locale/ja")
        for string in ([message.string] if isinstance(message.string, str) else message.string or [])
    ]
    assert [text for text in texts if bare.search(text)] == []
    assert any("{seat}さん：" in text for text in texts)
