"""Which languages there are, where their texts come from, and what stays English."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import msgspec
import pytest
from babel.messages.pofile import read_po

from companion import cli, languages
from companion.distribution import PACKAGE_FOLDER
from companion.installed_games import find_playable_game, playable_game
from companion.log.log import MemoryLog
from companion.session.session import Session
from companion.store import Store
from companion.table.seats import make_new_seats
from companion.terminal import play_in_terminal
from companion.terminal.terminal import Terminal
from companion.texts import Say, render, say, say_n, say_people
from hardware.doctor.report import format_finding
from hardware.doctor.system import TRANSLATION_ADVICE, check_translations
from tests.outside.languages import PIRATES, installed

NAMES = ["Aki", "Ben", "Chie"]
OURS = ["en", "de", "ja"]
WHOLE = 'name = "Made"'
WRONG = "{seat} be {marooned}. names what isn't in {seat} passes."


@pytest.fixture
def pirates(tmp_path: Path) -> Iterator[None]:
    """The package of their language is installed."""
    with installed(tmp_path / "site"):
        yield


def package(folder: Path, code: str = "qaa", **files: str) -> Path:
    """Writes a package of a language with these files, by name and ending joined by `_`."""
    inside = folder / "companion_made"
    inside.mkdir(parents=True)
    points = f'[project.entry-points."companion.languages"]\n{code} = "companion_made"\n'
    project = f'[project]\nname = "companion-made"\nversion = "1"\n{points}'
    (folder / "pyproject.toml").write_text(project, encoding="utf-8")
    for name, text in files.items():
        (inside / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder


def why(tmp_path: Path, code: str = "qaa", **files: str) -> str:
    """Why a language from such a package can't be used."""
    with installed(tmp_path / "site", package(tmp_path / "made", code, **files)):
        (reason,) = languages.broken_languages().values()
        assert [*languages.languages()] == OURS
    return reason


# Which there are


def test_a_language_is_a_folder() -> None:
    """Ours lie in companion/locale, each with its own name, keyboard and people; English comes first."""
    ours = [folder.name for folder in (PACKAGE_FOLDER / "locale").iterdir()]
    assert [*languages.languages()] == ["en", *sorted({*ours} - {"en"})]
    assert not languages.broken_languages()


@pytest.mark.parametrize("code", languages.languages())
def test_its_people_can_sit_down(code: str) -> None:
    """Their names may be those of players, and there are enough for a demo."""
    people = languages.languages()[code].demo_names
    assert len(make_new_seats(people)) == len(people) >= len(NAMES)


def test_a_package_adds_a_language(pirates: None) -> None:
    """By its entry point; its module is never run."""
    found = languages.languages()
    assert [*found] == [*OURS, PIRATES]
    assert found[PIRATES].name == "Arr"
    assert languages.broken_languages() == {}


def test_ours_keeps_its_code(tmp_path: Path) -> None:
    """A package that brings a language of ours again is named with the reason, and ours stays."""
    made = package(tmp_path / "made", "ja", language_toml='name = "Nihongo"')
    with installed(tmp_path / "site", made):
        assert languages.languages()["ja"].name == "日本語"
        assert languages.broken_languages() == {
            "ja (companion-made)": "there is another language with this code"
        }


def test_in_safe_mode_there_are_only_ours(pirates: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another package may be why the program crashed."""
    monkeypatch.setattr(languages, "_third_party", languages._ThirdPartyLanguages())
    languages.disable_third_party_languages()
    assert PIRATES not in languages.languages()
    assert languages.find_language(PIRATES) is None


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "language.toml can't be read"),
        ({"language_toml": "name = "}, "language.toml: Invalid value (at end of document)"),
        ({"language_toml": 'people = ["Anna"]'}, "language.toml: Object missing required field `name`"),
        (
            {"language_toml": 'name = "X"\npeople = ["a/b"]'},
            r"language.toml: Expected `str` matching regex '^[^\\s/,@=]+$' - at `$.people[0]`",
        ),
        (
            {"language_toml": 'name = "X"\nkeyboard = "piano"'},
            "language.toml: Invalid enum value 'piano' - at `$.keyboard`",
        ),
    ],
)
def test_one_that_cannot_be_used_says_why(tmp_path: Path, files: dict[str, str], reason: str) -> None:
    """And is not offered; all others are."""
    assert why(tmp_path, **files) == reason


def test_a_code_is_a_code(tmp_path: Path) -> None:
    """It is typed, and part of file names."""
    assert why(tmp_path, "DE", language_toml='name = "X"') == "its code must be like de or pt_BR"


@pytest.mark.parametrize(
    ("locale", "code"),
    [
        ("ja_JP.UTF-8", "ja"),
        ("ja", "ja"),
        ("de_AT.UTF-8", "de"),
        ("jam_JM", "en"),
        ("C", "en"),
        ("", "en"),
        ("en_GB", "en"),
    ],
)
def test_the_language_of_a_locale(locale: str, code: str) -> None:
    """The language itself counts, not the letters that it begins with."""
    assert languages.best_language_code(locale) == code


# What is said in it


def test_a_text_that_it_lacks_is_english(pirates: None) -> None:
    """Neither is a guess used, nor a translation that names what the text doesn't."""
    assert render(say("hand"), PIRATES) == "hook"
    assert render(say("nobody"), PIRATES) == "nobody"
    assert render(say("{seat} passes.", seat="Aki"), PIRATES) == "Aki passes."
    assert render(say("undo"), PIRATES) == "undo"


@pytest.mark.parametrize(("n", "said"), [(1, "one doubloon"), (2, "a pair o' doubloons"), (5, "5 doubloons")])
def test_it_has_its_own_rule_for_numbers(pirates: None, n: int, said: str) -> None:
    """As many forms as it needs, chosen by the rule at the head of its catalogue."""
    assert render(say_n("{n} coin", "{n} coins", n=n), PIRATES) == said


def test_it_translates_any_game(pirates: None) -> None:
    """By a catalogue with the key of the game; the game is found by that title."""
    assert render(playable_game("egypt").title, PIRATES) == "Pyramid plunder"
    assert find_playable_game("pyramid plunder").key == "egypt"


def test_the_terminal_speaks_it(pirates: None) -> None:
    """By its code or its own name."""
    said = StringIO("language arr\nstate\nlanguage x\nquit\n")
    session = Session.begin(playable_game("egypt"), NAMES, {}, MemoryLog())
    out = StringIO()
    play_in_terminal(session, Terminal(said, out, environ={}))
    assert "── Pyramid plunder ──" in out.getvalue()
    assert 'Type "language" and one of these: en, de, ja, qpi.' in out.getvalue()


def test_records_are_written_in_it(pirates: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON has its words and, where it has none, English ones."""
    store = Store.open(tmp_path / "state", for_writing=True)
    session = Session.begin(playable_game("egypt"), NAMES, {}, store.new_game_log())
    session.put_away()
    store.close()
    out = tmp_path / "game.json"
    line = ["export", "1", "--format", "json", "--lang", PIRATES, "--state", str(tmp_path / "state")]
    assert cli.main([*line, "--out", str(out)]) == 0
    assert json.loads(out.read_text(encoding="utf-8"))["title"] == "Pyramid plunder"


def test_another_language_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    """On the command line."""
    with pytest.raises(SystemExit):
        cli.main(["doctor", "--lang", "tlh"])
    assert "the language must be one of en, de, ja, not tlh" in capsys.readouterr().err


# What it lacks


def doctors(code: str) -> list[str]:
    """What the doctor says of one language."""
    return [
        said
        for said in map(format_finding, check_translations())
        if f"language {code}" in said or "languages:" in said
    ]


def test_the_doctor_names_all_languages() -> None:
    """A line is enough where none lacks a text."""
    assert [format_finding(each) for each in check_translations()] == [
        "ok      languages: English (en), Deutsch (de), 日本語 (ja)"
    ]


def test_the_doctor_tells_what_is_missing_and_what_is_wrong(pirates: None) -> None:
    """How many texts stay English, and each translation that can't be used."""
    missing = languages.untranslated_texts(languages.languages()[PIRATES])
    assert {("ui", "Close"), ("egypt", "End the round"), ("companion", "nobody")} <= {*missing}
    assert not {("companion", "hand"), ("egypt", "Egypt")} & {*missing}
    assert doctors(PIRATES) == [
        "ok      languages: English (en), Deutsch (de), 日本語 (ja), Arr (qpi)",
        f"ok      language qpi: {len(missing)} texts are not translated and stay English",
        f"failed  language qpi: companion.po: {WRONG} → {render(TRANSLATION_ADVICE)}",
    ]


def test_the_doctor_says_why_one_is_not_offered(tmp_path: Path) -> None:
    """With what to do."""
    with installed(tmp_path / "site", package(tmp_path / "made")):
        assert doctors("qaa")[1:] == [
            f"failed  language qaa: language.toml can't be read → {render(TRANSLATION_ADVICE)}"
        ]


# What can't be used stops nothing


@pytest.mark.parametrize("value", ["companion-made", "companion_made.inner", "companion_made:thing"])
def test_an_entry_point_that_names_no_package_is_a_reason(tmp_path: Path, value: str) -> None:
    """Other languages are found all the same, and nothing of the package is run."""
    made = package(tmp_path / "made", language_toml=WHOLE)
    with installed(tmp_path / "site", made):
        (points,) = (tmp_path / "site").glob("*.dist-info/entry_points.txt")
        points.write_text(f"[companion.languages]\nqaa = {value}\n", encoding="utf-8")
        languages._entry_points.cache_clear()
        languages._load_language.cache_clear()
        (reason,) = languages.broken_languages().values()
        assert [*languages.languages()] == OURS
    assert value in reason


def test_a_description_that_is_nested_too_deeply_is_a_reason(tmp_path: Path) -> None:
    """It is said like any other fault of the file."""
    assert why(tmp_path, language_toml=f"name = {'[' * 5000}").startswith("language.toml: ")


@pytest.mark.parametrize("rule", ["n/0", "n%0", "n-5", "0-1"])
def test_a_rule_for_plurals_that_fails_is_a_fault(tmp_path: Path, rule: str) -> None:
    """The catalogue's texts are used with the rule of English."""
    path = tmp_path / "ui.po"
    head = f'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural={rule};\\n"\n'
    path.write_text(f'{head}\nmsgid "{{n}} game"\nmsgid_plural "{{n}} games"\nmsgstr[0] "a"\nmsgstr[1] "b"\n')
    found = languages.read_catalogue(path)
    assert [fault.startswith("Plural-Forms can't be used") for fault in found.faults] == [True]
    assert [languages.Translations([found]).ngettext("{n} game", "", n) for n in (0, 1, 7)] == [
        "b",
        "a",
        "b",
    ]


def test_a_rule_that_fails_late_reads_the_first_form() -> None:
    """Whatever a rule makes of a large number, a text is drawn."""
    late = languages.MessageCatalogue({"game": ("a", "b")}, lambda n: 1 // (n - 1000))
    assert languages.Translations([late]).ngettext("game", "games", 1000) == "a"


def test_entries_need_no_empty_line_between_them(tmp_path: Path) -> None:
    """A catalogue that was written by hand, with a mark of its byte order, is read whole."""
    path = tmp_path / "ui.po"
    text = 'msgid "a"\nmsgstr "A"\nmsgid "b"\nmsgstr "B"\n# a note\nmsgid "c"\nmsgstr ""\n"C"\n'
    path.write_text(text, encoding="utf-8-sig")
    assert languages.read_catalogue(path).forms_by_text == {"a": ("A",), "b": ("B",), "c": ("C",)}


def test_a_string_without_its_last_quotation_mark_is_a_fault(tmp_path: Path) -> None:
    """It is said where, as nobody sees it otherwise; the other texts are translated."""
    path = tmp_path / "ui.po"
    path.write_text('msgid "a"\nmsgstr "A\n\n#~ msgid "old\n\nmsgid "b"\nmsgstr "B"\n', encoding="utf-8")
    found = languages.read_catalogue(path)
    assert found.forms_by_text == {"b": ("B",)}
    assert found.faults == ("line 2 can't be read: msgstr \"A",)


def test_half_a_character_is_a_fault(tmp_path: Path) -> None:
    """It can't be drawn."""
    path = tmp_path / "ui.po"
    path.write_text('msgid "a"\nmsgstr "\\ud800"\n', encoding="utf-8")
    found = languages.read_catalogue(path)
    assert (found.forms_by_text, len(found.faults)) == ({}, 1)


def test_in_safe_mode_its_texts_are_gone_at_once(pirates: None) -> None:
    """What was read before safe mode isn't used any more."""
    before = languages.translations_of_screen_texts(PIRATES)
    languages.disable_third_party_languages()
    try:
        assert languages.translations_of_screen_texts(PIRATES) is not before
        assert languages.translations_of_screen_texts(PIRATES).gettext("Pay") == "Pay"
    finally:
        languages._third_party.is_disabled = False


def test_an_outdated_package_makes_no_gaps_in_ours(tmp_path: Path) -> None:
    """Only texts of our own catalogues can be missing."""
    gone = 'msgid "A text of long ago"\nmsgstr "Arr"\n'
    with installed(tmp_path / "site", package(tmp_path / "made", language_toml=WHOLE, ui_po=gone)):
        assert [languages.untranslated_texts(languages.languages()[code]) for code in OURS] == [[], [], []]


@pytest.mark.parametrize(
    ("name", "shown"), [("アキ", "アキさんは脱落しました"), ("プレイヤー1", "プレイヤー1は脱落しました")]
)
def test_no_honorific_follows_a_name_that_ends_with_a_digit(name: str, shown: str) -> None:
    """プレイヤー1 isn't anybody's name, so Japanese texts don't say さん behind it."""
    text = say("{seat} is out: popularity {popularity}, rank {rank}.", seat=name, popularity=1, rank=2)
    assert render(text, "ja").startswith(shown)
    assert render(say("{seat}", seat=name), "ja") == shown.removesuffix("は脱落しました")


def test_a_language_that_is_installed_later_has_its_honorific(tmp_path: Path) -> None:
    """A program that looked for the language in vain leaves the honorific out behind digits, too."""
    values, template = {"name": "Mate 1"}, "Ahoy, {name}-arr!"
    assert languages.drop_honorific(template, values, "qaa") == template
    described = 'name = "Made"\nhonorific = "-arr"'
    with installed(tmp_path / "site", package(tmp_path / "made", language_toml=described)):
        assert languages.drop_honorific(template, values, "qaa") == "Ahoy, {name}!"


@pytest.mark.parametrize(
    ("text", "japanese"),
    [
        (
            say("{seats} tie and bet again.", seats=say_people(make_new_seats(["Aki", "Ben"]))),
            "Akiさん、Benさんが同数なので、もう一度賭けます。",
        ),
        (
            say("The battle is won by {seats}.", seats=say_people(make_new_seats(["Chie"]))),
            "戦闘の勝者：Chieさん",
        ),
        (
            say("The battle is won by {seats}.", seats=say_people(make_new_seats(["プレイヤー1"]))),
            "戦闘の勝者：プレイヤー1",
        ),
    ],
)
def test_each_name_in_a_sentence_has_its_honorific(text: Say, japanese: str) -> None:
    """Not only the last name of several; and none behind a digit, as for a single name."""
    assert render(text, "ja") == japanese


def test_no_honorific_follows_what_is_nobodys_name() -> None:
    """The table is everybody, and 全員さん is nobody; a name that somebody typed is a name."""
    text = say("{who} doesn't have enough cards in hand.", who=say("The table"))
    assert render(text, "ja") == "全員の手札が足りません。"
    (aki,) = make_new_seats(["Aki"])
    for who in (aki, "Aki", say("{seat}", seat=aki)):
        assert render(msgspec.structs.replace(text, args=(("who", who),)), "ja").startswith("Akiさんの")


def translated_texts(code: str) -> list[tuple[str, str]]:
    """Returns all texts of a language, each with the English one before it."""
    texts = list[tuple[str, str]]()
    for path in languages.languages()[code].catalogue_paths:
        with path.open("rb") as file:
            for message in read_po(file):
                english = message.id if isinstance(message.id, str) else message.id[0]
                strings = (message.string,) if isinstance(message.string, str) else message.string
                texts += [(english, string) for string in strings or ()]
    return texts


@pytest.mark.parametrize("code", OURS[1:])
def test_only_equal_pieces_are_multiplied(code: str) -> None:
    """A count of points or money is a number behind its word; "4 × 100" are four notes of 100."""
    assert not [text for english, text in translated_texts(code) if "×" in text and "×" not in english]


def test_no_game_but_mahjong_speaks_of_mahjong() -> None:
    """A round is ラウンド, and who begins is スタートプレイヤー or ディーラー."""
    jargon = re.compile("親(?!方)|局(?!面)|本場|半荘|供託|和了")
    spoken = [english for english, text in translated_texts("ja") if jargon.search(text)]
    assert spoken == ["16 hands. The points of each add up to 0."]
