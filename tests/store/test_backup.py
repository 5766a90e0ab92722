"""All games in one file, and back again: whole or not at all, whoever pulls the plug when."""

from __future__ import annotations

import hashlib
import json
import os
import pwd
import random
import shutil
import sqlite3
import stat
import subprocess
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from companion.errors import StoreUnavailable, UserError
from companion.evening import Evening
from companion.files.regular_files import replace_file
from companion.store import Store, archive
from companion.store.archive import LEGACY_DRAFTS_MEMBER
from companion.store.database import sqlite_side_file
from companion.store.state_files import StateFiles
from companion.texts import render
from tests.support.program import COMPANION, run_companion
from tests.support.soak import SOAK

NAMES = ["Aki", "Ben", "Chie"]
WHEN = "2026-11-24 03:00:00"
FLIPS = 400 if SOAK else 20
CUTS = 60 if SOAK else 4
ASKED_AGAIN = "A backup contains no sealed answers. These players are asked again: Aki, Ben."
PACKED_SIZE = 20
"""Where an entry of a zip's list says how large a part is packed (APPNOTE 4.3.12)."""
LITTLE = 2**26
"""Bytes of memory; an archive of ours takes a tenth of it."""


def sealing(state: Path, *bids: int) -> None:
    """A game in the middle of a sealed round: so many have sealed."""
    with closing(Store.open(state, for_writing=True)) as store:
        session = Evening(store).begin_game("sealed_bid", NAMES, {})
        for seat, bid in zip(session.table.seats, bids, strict=False):
            session.put_answer_in_envelope(session.question_number, seat, bid)


def envelopes(state: Path) -> list[object]:
    """What lies in the envelopes of the open game."""
    with closing(Store.open(state, for_writing=True)) as store:
        drafts = Evening(store).resume_game().drafts
        return [draft.answer for _, draft in sorted(drafts.items(), key=lambda each: each[0].number)]


def closed(state: Path) -> set[str]:
    """Who had closed an envelope that isn't there, as the next start says."""
    with closing(Store.open(state, for_writing=True)) as store:
        told = " ".join(render(notice) for notice in store.notices)
    return {name for name in NAMES if name in told}


def as_before(kept: Path, state: Path) -> Path:
    """The archive as version 0.2 made it: with what lies in the envelopes."""

    def change(members: dict[str, bytes]) -> None:
        with closing(sqlite3.connect(state / LEGACY_DRAFTS_MEMBER)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        members[LEGACY_DRAFTS_MEMBER] = (state / LEGACY_DRAFTS_MEMBER).read_bytes()
        named(members)

    rewritten(kept, change)
    return kept


def named(members: dict[str, bytes]) -> None:
    """The manifest names the members that are there."""
    manifest = msgspec.json.decode(members.pop(archive.MANIFEST_MEMBER), type=archive.ArchiveManifest)
    told = {
        name: archive.ArchiveMember(len(content), hashlib.sha256(content).hexdigest())
        for name, content in members.items()
    }
    members[archive.MANIFEST_MEMBER] = msgspec.json.encode(msgspec.structs.replace(manifest, members=told))


def games(state: Path) -> list[str]:
    """Which games are saved there, by anybody who looks."""
    with closing(Store.open(state)) as store:
        return [one.game for one in store.all_saved_games()]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A directory with a game in a sealed round, and what people wrote."""
    directory = tmp_path / "state"
    sealing(directory, 7, 5)
    (directory / "cards").mkdir()
    (directory / "cards/egypt.toml").write_text("# ours\n")
    return directory


@pytest.fixture
def kept(state: Path, tmp_path: Path) -> Path:
    """All of it in one file."""
    file = tmp_path / "kept.zip"
    archive.write_archive(state, file, "0.2.0", WHEN, {})
    return file


def test_what_was_kept_comes_back_without_envelopes(kept: Path, tmp_path: Path) -> None:
    """In an empty directory the game goes on in its sealed round, and who had closed an envelope is named.

    What people wrote is there, too.
    """
    done = archive.restore_archive(tmp_path / "new", kept)
    assert [one.game for one in done.games] == ["sealed_bid"]
    with closing(Store.open(tmp_path / "new", for_writing=True)) as store:
        assert [render(notice) for notice in store.notices] == [ASKED_AGAIN]
    assert envelopes(tmp_path / "new") == []
    assert (tmp_path / "new/cards/egypt.toml").read_text() == "# ours\n"


def test_an_archive_of_version_0_2_comes_back_with_its_envelopes(
    state: Path, kept: Path, tmp_path: Path
) -> None:
    """It held them, and the round goes on; they lie where envelopes lie, and nowhere else."""
    archive.restore_archive(tmp_path / "new", as_before(kept, state))
    assert envelopes(tmp_path / "new") == [7, 5]
    assert [path.parent.name for path in (tmp_path / "new").rglob("drafts*")] == ["sealed"]


def test_what_was_there_goes_aside(kept: Path, tmp_path: Path) -> None:
    """Nothing of it is lost, and nothing of it is left among what came."""
    other = tmp_path / "other"
    with closing(Store.open(other, for_writing=True)) as store:
        Evening(store).begin_game("egypt", NAMES, {})
    (other / "templates").mkdir()
    (other / "templates/mine.toml").write_text("")
    done = archive.restore_archive(other, kept)
    assert done.replaced_files_folder is not None
    assert games(other) == ["sealed_bid"]
    assert games(done.replaced_files_folder) == ["egypt"]
    assert (done.replaced_files_folder / "templates/mine.toml").exists()
    assert not (other / "templates").exists()
    assert envelopes(other) == []


def test_it_is_kept_while_somebody_plays(state: Path, tmp_path: Path) -> None:
    """Also what is not yet folded into the file; who plays notices nothing."""
    with closing(Store.open(state, for_writing=True)) as store:
        session = Evening(store).resume_game()
        archive.write_archive(state, tmp_path / "kept.zip", "0.2.0", WHEN, {})
        session.put_answer_in_envelope(session.question_number, session.table.seats[2], 3)
    archive.restore_archive(tmp_path / "new", tmp_path / "kept.zip")
    assert games(tmp_path / "new") == ["sealed_bid"]
    assert closed(tmp_path / "new") == {"Aki", "Ben"}


def test_nothing_comes_back_while_somebody_plays(state: Path, kept: Path) -> None:
    """Who plays goes on."""
    with closing(Store.open(state, for_writing=True)), pytest.raises(StoreUnavailable, match="already using"):
        archive.restore_archive(state, kept)
    assert envelopes(state) == [7, 5]


@pytest.mark.parametrize("mask", [0o000, 0o077, 0o777 & ~0o700])
def test_it_is_its_owners_alone(state: Path, tmp_path: Path, mask: int) -> None:
    """The file, and all that comes out of it, whatever the umask."""
    before = os.umask(mask)
    try:
        archive.write_archive(state, tmp_path / "kept.zip", "0.2.0", WHEN, {})
        archive.restore_archive(tmp_path / "new", tmp_path / "kept.zip")
    finally:
        os.umask(before)
    files = [tmp_path / "kept.zip", *(path for path in (tmp_path / "new").rglob("*") if path.is_file())]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_a_file_that_is_there_stays(state: Path, kept: Path) -> None:
    """A sentence names it."""
    before = kept.read_bytes()
    with pytest.raises(UserError, match=r"kept\.zip already exists"):
        archive.write_archive(state, kept, "0.2.0", WHEN, {})
    assert kept.read_bytes() == before


def test_without_games_there_is_nothing_to_keep(tmp_path: Path) -> None:
    """And no file."""
    with pytest.raises(UserError, match="no saved games"):
        archive.write_archive(tmp_path, tmp_path / "kept.zip", "0.2.0", WHEN, {})
    assert list(tmp_path.iterdir()) == []


def test_the_seven_newest_of_every_night_stay(state: Path) -> None:
    """Whatever else lies there is nobody's business."""
    (state / "backups").mkdir()
    (state / "backups/ours.zip").write_text("")
    for day in range(1, 11):
        archive.write_nightly_archive(state, "0.2.0", f"2026-11-{day:02} 04:30:00", {})
    found = sorted(path.name for path in (state / "backups").iterdir())
    assert found == [*(f"companion-2026-11-{day:02}-043000.zip" for day in range(4, 11)), "ours.zip"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be in somebody else's directory")
def test_root_leaves_nothing_in_somebody_elses_directory(state: Path, kept: Path, tmp_path: Path) -> None:
    """Its owner couldn't read it: a sentence says as whom it is done."""
    nobody = pwd.getpwnam("nobody")
    shutil.chown(state, nobody.pw_uid)
    before = sorted(path.name for path in state.rglob("*"))
    for do in (
        lambda: archive.write_archive(state, tmp_path / "new.zip", "0.2.0", WHEN, {}),
        lambda: archive.restore_archive(state, kept),
        lambda: Store.open(state, for_writing=True),
    ):
        with pytest.raises(StoreUnavailable, match="sudo -u nobody companion"):
            do()
    assert sorted(path.name for path in state.rglob("*")) == before
    assert games(state) == ["sealed_bid"]


# What is no archive of ours


def rewritten(kept: Path, change: Callable[[dict[str, bytes]], object]) -> None:
    """Rewrites the archive with other members."""
    with zipfile.ZipFile(kept) as file:
        members = {name: file.read(name) for name in file.namelist()}
    change(members)
    with zipfile.ZipFile(kept, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)


def stated(**more: object) -> Callable[[dict[str, bytes]], None]:
    """Another manifest."""

    def change(members: dict[str, bytes]) -> None:
        manifest = json.loads(members[archive.MANIFEST_MEMBER])
        members[archive.MANIFEST_MEMBER] = json.dumps({**manifest, **more}).encode()

    return change


def smuggled(name: str) -> Callable[[dict[str, bytes]], None]:
    """One more member, which the manifest knows."""

    def change(members: dict[str, bytes]) -> None:
        manifest = json.loads(members[archive.MANIFEST_MEMBER])
        manifest["members"][name] = manifest["members"]["companion.sqlite3"]
        members[name] = members["companion.sqlite3"]
        members[archive.MANIFEST_MEMBER] = json.dumps(manifest).encode()

    return change


ODD: dict[str, Callable[[dict[str, bytes]], object]] = {
    "no manifest": lambda members: members.pop(archive.MANIFEST_MEMBER),
    "an odd manifest": lambda members: members.update({archive.MANIFEST_MEMBER: b"{}"}),
    "a newer format": stated(format=2),
    "a way out": smuggled("../companion.sqlite3"),
    "a root": smuggled("/etc/passwd"),
    "a stranger": smuggled("cards/../../x.toml"),
    "a program": smuggled("cards/x.py"),
    "one too many": lambda members: members.update({"x": b""}),
    "no games": lambda members: members.pop("companion.sqlite3"),
    "other games": lambda members: members.update({"companion.sqlite3": b"x"}),
}


@pytest.mark.parametrize("odd", ODD)
def test_what_is_none_of_ours_is_refused(state: Path, kept: Path, odd: str) -> None:
    """In one sentence, and nothing has changed."""
    rewritten(kept, ODD[odd])
    before = sorted(path.name for path in state.rglob("*"))
    with pytest.raises(UserError, match=r"kept\.zip can't be restored: "):
        archive.restore_archive(state, kept)
    assert sorted(path.name for path in state.rglob("*")) == before
    assert envelopes(state) == [7, 5]


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_what_is_packed_otherwise_is_refused(state: Path, kept: Path, method: int) -> None:
    """Only what everybody's zip writes is unpacked: damage to others would be told in no sentence."""
    with zipfile.ZipFile(kept) as file:
        members = {name: file.read(name) for name in file.namelist()}
    with zipfile.ZipFile(kept, "w", method) as file:
        for name, content in members.items():
            file.writestr(name, content)
    with pytest.raises(UserError, match="it is damaged or not a backup"):
        archive.restore_archive(state, kept)
    assert envelopes(state) == [7, 5]


def test_a_size_that_no_stick_has_is_believed_by_nobody(state: Path, kept: Path) -> None:
    """An archive whose parts say they are larger than all of it: nothing of that size is asked for."""
    content = bytearray(kept.read_bytes())
    entry = content.index(b"PK\x01\x02")  # in the list of what the archive holds
    content[entry + PACKED_SIZE : entry + PACKED_SIZE + 4] = (2**32 - 2).to_bytes(4, "little")
    kept.write_bytes(content)
    tracemalloc.start()
    try:
        with pytest.raises(UserError, match="it is damaged or not a backup"):
            archive.restore_archive(state, kept)
        assert tracemalloc.get_traced_memory()[1] < LITTLE
    finally:
        tracemalloc.stop()
    assert envelopes(state) == [7, 5]


def without_tables(file: Path) -> bytes:
    """A database in which nothing ever was."""
    with closing(sqlite3.connect(file)) as db:
        db.execute("VACUUM")
    return file.read_bytes()


@pytest.mark.parametrize("is_empty", [True, False])
def test_a_file_without_games_is_refused(state: Path, kept: Path, tmp_path: Path, *, is_empty: bool) -> None:
    """Though it is sound, and the archive whole."""
    none = b"" if is_empty else without_tables(tmp_path / "none.sqlite3")

    def change(members: dict[str, bytes]) -> None:
        manifest = msgspec.json.decode(members[archive.MANIFEST_MEMBER], type=archive.ArchiveManifest)
        manifest.members["companion.sqlite3"] = archive.ArchiveMember(
            len(none), hashlib.sha256(none).hexdigest()
        )
        members["companion.sqlite3"] = none
        members[archive.MANIFEST_MEMBER] = msgspec.json.encode(manifest)

    rewritten(kept, change)
    with pytest.raises(UserError, match="its games can't be read"):
        archive.restore_archive(state, kept)
    assert envelopes(state) == [7, 5]


FOREIGN = (
    "CREATE TABLE other (x CHECK (length(randomblob(1000)) > 0))",
    "CREATE TRIGGER ours AFTER INSERT ON event BEGIN DELETE FROM game; END",
    "CREATE TRIGGER theirs AFTER UPDATE ON other BEGIN DELETE FROM event; END",
    "CREATE VIEW games AS SELECT * FROM game",
    "CREATE INDEX often ON event (kind, abs(n))",
    "CREATE UNIQUE INDEX once ON setting (value)",
    'CREATE VIEW "a ""b""" AS SELECT 1',
    "CREATE TABLE counted (x INTEGER PRIMARY KEY AUTOINCREMENT)",
    "ANALYZE",
)


def objects(file: Path) -> set[str]:
    """What lies in a database, but for what SQLite keeps for itself."""
    with closing(sqlite3.connect(file)) as db:
        names = db.execute("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
        return {name for (name,) in names}


def test_nothing_foreign_comes_back(state: Path, kept: Path, tmp_path: Path) -> None:
    """Triggers, views, indices and tables that somebody put into it are gone; the games are there."""
    own = objects(state / "companion.sqlite3")
    with zipfile.ZipFile(kept) as file:
        file.extract("companion.sqlite3", tmp_path)
    with closing(sqlite3.connect(tmp_path / "companion.sqlite3")) as db:
        for statement in FOREIGN:
            db.execute(statement)
        db.commit()
    content = (tmp_path / "companion.sqlite3").read_bytes()

    def change(members: dict[str, bytes]) -> None:
        manifest = msgspec.json.decode(members[archive.MANIFEST_MEMBER], type=archive.ArchiveManifest)
        told = archive.ArchiveMember(len(content), hashlib.sha256(content).hexdigest())
        manifest.members["companion.sqlite3"] = told
        members["companion.sqlite3"] = content
        members[archive.MANIFEST_MEMBER] = msgspec.json.encode(manifest)

    rewritten(kept, change)
    archive.restore_archive(tmp_path / "new", kept)
    assert objects(tmp_path / "new/companion.sqlite3") == own
    assert games(tmp_path / "new") == ["sealed_bid"]


def test_games_of_a_newer_version_are_refused(state: Path, kept: Path) -> None:
    """The sentence says that it takes a newer program."""
    with zipfile.ZipFile(kept) as file:
        file.extract("companion.sqlite3", kept.parent)
    games_file = kept.parent / "companion.sqlite3"
    with closing(sqlite3.connect(games_file)) as db:
        db.execute("PRAGMA user_version = 99")
    newer = games_file.read_bytes()

    def change(members: dict[str, bytes]) -> None:
        manifest = msgspec.json.decode(members[archive.MANIFEST_MEMBER], type=archive.ArchiveManifest)
        manifest.members["companion.sqlite3"] = archive.ArchiveMember(
            len(newer), hashlib.sha256(newer).hexdigest()
        )
        members["companion.sqlite3"] = newer
        members[archive.MANIFEST_MEMBER] = msgspec.json.encode(manifest)

    rewritten(kept, change)
    with pytest.raises(
        StoreUnavailable, match=r"from a newer Companion \(format 99; this version reads up to 5\)"
    ):
        archive.restore_archive(state, kept)
    assert envelopes(state) == [7, 5]


def damaged(whole: bytes) -> Iterator[bytes]:
    """The file cut off anywhere, and with another byte anywhere."""
    rng = random.Random(7)
    for _ in range(FLIPS):
        at = rng.randrange(len(whole))
        yield whole[:at]
        yield whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :]


def test_a_damaged_file_is_refused_or_brings_all_back(state: Path, kept: Path, tmp_path: Path) -> None:
    """Not every byte of a zip counts; but half of the games never come."""
    refused = 0
    for number, content in enumerate(damaged(kept.read_bytes())):
        file = tmp_path / "damaged.zip"
        file.write_bytes(content)
        new = tmp_path / f"new-{number}"
        try:
            archive.restore_archive(new, file)
        except UserError:
            refused += 1
            assert not StateFiles(new).games.exists()
        else:
            assert closed(new) == {"Aki", "Ben"}
        shutil.rmtree(new)
    assert refused >= FLIPS
    assert envelopes(state) == [7, 5]


def test_a_file_that_is_not_there_is_refused(state: Path, tmp_path: Path) -> None:
    """By its name."""
    with pytest.raises(UserError, match=r"absent\.zip can't be restored: No such file or directory"):
        archive.restore_archive(state, tmp_path / "absent.zip")
    assert envelopes(state) == [7, 5]


def test_what_holds_too_much_is_refused(state: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any of it is read."""
    monkeypatch.setattr(archive, "MAX_UNPACKED_ARCHIVE_BYTES", 1000)
    with pytest.raises(UserError, match="it contains more than 1000 bytes"):
        archive.restore_archive(state, kept)


def test_what_can_not_be_kept_leaves_nothing(state: Path, tmp_path: Path) -> None:
    """No half of a file, wherever the disk refuses."""
    with pytest.raises(StoreUnavailable):
        archive.write_archive(
            state, tmp_path / "kept.zip", "0.2.0", WHEN, {"hardware.toml": tmp_path / "absent"}
        )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["state"]


# The plug


@pytest.mark.parametrize("done", [(), ("aside",), ("aside", "gone")])
def test_the_next_start_ends_what_was_cut_off(kept: Path, tmp_path: Path, done: tuple[str, ...]) -> None:
    """Before the old files had a place to go, before they had gone, and before the new ones came."""
    places = StateFiles(tmp_path / "other")
    with closing(Store.open(places.directory, for_writing=True)) as store:
        Evening(store).begin_game("egypt", NAMES, {})
    places.unfinished_restore.mkdir()
    archive.unpack_archive(kept, places.unfinished_restore)
    places.unfinished_restore.rename(places.pending_restore)
    aside = places.directory / "before-restore-1"
    if "aside" in done:
        replace_file(places.pending_restore / "aside", aside.name.encode())
        aside.mkdir()
    if "gone" in done:
        for path in [*places.directory.glob("*.sqlite3*"), places.directory / "sealed"]:
            path.rename(aside / path.name)
        replace_file(places.pending_restore / "gone", b"")
    assert games(places.directory) != ["sealed_bid"]
    assert closed(places.directory) == {"Aki", "Ben"}
    assert games(places.directory) == ["sealed_bid"]
    assert games(aside) == ["egypt"]
    assert not places.pending_restore.exists()


def cut_off(verb: list[str], call: str, at: int) -> bool:
    """Whether the verb was killed at that call."""
    kill = ["-e", f"inject={call}:signal=KILL:when={at}"]
    done = subprocess.run(
        ["strace", "-f", "-qq", "-o", os.devnull, *kill, COMPANION, *verb], capture_output=True, check=False
    )
    return done.returncode != 0


@pytest.mark.without_coverage
@pytest.mark.needs("strace")
def test_a_restore_that_is_cut_off_leaves_the_old_games_or_the_new(kept: Path, tmp_path: Path) -> None:
    """At any of its calls: the next start finds one or the other, whole, and the old ones are not lost."""
    rng, found = random.Random(3), set[str]()
    moments = [(call, at) for call in ("rename", "fsync", "unlinkat", "rmdir") for at in range(1, 16)]
    for number, (call, at) in enumerate(rng.sample(moments, CUTS)):
        state = tmp_path / str(number)
        with closing(Store.open(state, for_writing=True)) as store:
            Evening(store).begin_game("egypt", NAMES, {})
        was_cut = cut_off(["restore", str(kept), "--yes", "--state", str(state)], call, at)
        with closing(Store.open(state, for_writing=True)) as store:
            (there,) = [one.game for one in store.all_saved_games()]
        found.add(there)
        assert was_cut or there == "sealed_bid"
        if there == "sealed_bid":
            (aside,) = state.glob("before-restore-*")
            assert games(aside) == ["egypt"]
        else:
            assert not list(state.glob("before-restore-*/companion.sqlite3"))
    assert "sealed_bid" in found


@pytest.mark.without_coverage
@pytest.mark.needs("strace")
@pytest.mark.parametrize("call", ["rename", "fsync"])
def test_a_backup_that_is_cut_off_is_none(state: Path, tmp_path: Path, call: str) -> None:
    """Under its name there is a whole file or nothing, and the games are as they were."""
    file = tmp_path / "cut.zip"
    assert cut_off(["backup", str(file), "--state", str(state)], call, 1)
    assert not file.exists()
    archive.write_archive(state, file, "0.2.0", WHEN, {})
    archive.restore_archive(tmp_path / "new", file)
    assert envelopes(state) == [7, 5]
    assert closed(tmp_path / "new") == {"Aki", "Ben"}


# Leftovers and envelopes


SECRET = 7777777
"""A bid that nothing else looks like."""


def holders(folder: Path, bid: int = SECRET) -> list[str]:
    """The files in which that bid can be read, also within an archive."""
    told = str(bid).encode()
    found = []
    for path in (path for path in sorted(folder.rglob("*")) if path.is_file()):
        contents = [path.read_bytes()]
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed:
                contents += [packed.read(name) for name in packed.namelist()]
        if any(told in content for content in contents):
            found.append(str(path.relative_to(folder)))
    return found


def test_a_copy_never_holds_an_envelope(tmp_path: Path) -> None:
    """Not the nightly one, not one that people made, not what a restore puts aside."""
    state = tmp_path / "state"
    sealing(state, SECRET)
    with closing(Store.open(state, for_writing=True)) as store:  # as it is while somebody plays
        session = Evening(store).resume_game()
        archive.write_nightly_archive(state, "0.3.0", WHEN, {})
        archive.write_archive(state, tmp_path / "kept.zip", "0.3.0", WHEN, {})
        assert session.drafts
    live = {"state/sealed/drafts.sqlite3", "state/sealed/drafts.sqlite3-wal"}
    assert set(holders(tmp_path)) <= live
    assert holders(tmp_path)
    archive.restore_archive(state, tmp_path / "kept.zip")
    assert (state / "before-restore-1/companion.sqlite3").exists()
    assert holders(tmp_path) == []


def test_the_next_start_deletes_what_version_0_2_left_of_envelopes(tmp_path: Path) -> None:
    """A copy that was cut off, damaged drafts, what a restore put aside or was cut off with: all are gone.

    The envelopes of the round that goes on stay.
    """
    state = tmp_path / "state"
    sealing(state, 7, SECRET)
    drafts = (state / LEGACY_DRAFTS_MEMBER).read_bytes()
    for name in (
        ".backup-x1/drafts.sqlite3",
        "before-restore-1/sealed/drafts.sqlite3",
        "restored.part/sealed/drafts.sqlite3",
        "sealed/drafts.damaged-1.sqlite3",
        f"backups/.companion-{'0' * 32}.part",
    ):
        (state / name).parent.mkdir(parents=True, exist_ok=True)
        (state / name).write_bytes(drafts)
    (state / "before-restore-1/companion.sqlite3").write_bytes(b"games")
    Store.open(state, for_writing=True).close()
    assert holders(state) == [LEGACY_DRAFTS_MEMBER]
    assert (state / "before-restore-1/companion.sqlite3").exists()
    assert envelopes(state) == [7, SECRET]


@pytest.mark.without_coverage
@pytest.mark.needs("strace")
@pytest.mark.parametrize("nightly", [True, False])
def test_a_copy_that_is_cut_off_leaves_nothing_behind(tmp_path: Path, *, nightly: bool) -> None:
    """Killed at any call, it leaves no envelope and nothing that others can read.

    The next copy and the next start delete what it left.
    """
    state, stick = tmp_path / "state", tmp_path / "stick"
    sealing(state, SECRET)
    stick.mkdir()
    moments = [(call, at) for call in ("write", "pwrite64", "fsync", "rename", "unlink") for at in (1, 2, 5)]
    left = 0
    for call, at in moments if SOAK else moments[1::3]:
        verb = ["backup", *([] if nightly else [str(stick / "kept.zip")]), "--state", str(state)]
        cut_off(verb, call, at)
        (stick / "kept.zip").unlink(missing_ok=True)
        found = [path for path in tmp_path.rglob("*") if ".part" in path.name or ".backup" in path.name]
        left += len(found)
        assert {stat.S_IMODE(path.stat().st_mode) for path in found} <= {0o600}
        assert set(holders(tmp_path)) <= {
            f"state/{LEGACY_DRAFTS_MEMBER}",
            f"state/{LEGACY_DRAFTS_MEMBER}-wal",
        }
    assert left
    Store.open(state, for_writing=True).close()
    archive.write_archive(state, stick / "kept.zip", "0.3.0", WHEN, {})
    assert [path.name for path in stick.iterdir()] == ["kept.zip"]
    assert not [path for path in state.rglob("*") if ".part" in path.name]
    assert holders(tmp_path) == [f"state/{LEGACY_DRAFTS_MEMBER}"]


# Bounds


def packed(file: Path, members: dict[str, bytes]) -> Path:
    """An archive of these, with a manifest that is right."""
    told = {
        name: archive.ArchiveMember(len(content), hashlib.sha256(content).hexdigest())
        for name, content in members.items()
    }
    manifest = msgspec.json.encode(archive.ArchiveManifest(archive.ARCHIVE_FORMAT, "0.3.0", WHEN, told))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in {**members, archive.MANIFEST_MEMBER: manifest}.items():
            written.writestr(name, content)
    return file


def peak(do: Callable[[], object]) -> int:
    """How many bytes it took at once."""
    tracemalloc.start()
    try:
        do()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


TOO_MUCH: dict[str, Callable[[bytes], dict[str, bytes]]] = {
    "it contains more than 500 files": lambda games: {
        "companion.sqlite3": games,
        **{f"templates/t{number}.toml": b"" for number in range(60_000)},
    },
    "cards/egypt.toml has more than 1000000 bytes": lambda games: {
        "companion.sqlite3": games,
        "cards/egypt.toml": bytes(2_000_000),
    },
    "it contains more than 268435456 bytes": lambda games: {"companion.sqlite3": games + bytes(2**28)},
}


@pytest.mark.parametrize("why", TOO_MUCH)
def test_an_archive_that_grows_beyond_all_bounds_is_refused(state: Path, kept: Path, why: str) -> None:
    """However small it is: at once, with little memory, and nothing of it stays on the disk."""
    with zipfile.ZipFile(kept) as whole:
        games_file = whole.read("companion.sqlite3")
    packed(kept, TOO_MUCH[why](games_file))
    before = sorted(path.name for path in state.rglob("*"))
    began = time.process_time()

    def refused() -> None:
        with pytest.raises(UserError, match=f"kept.zip can't be restored: {why}"):
            archive.restore_archive(state, kept)

    assert peak(refused) < LITTLE
    assert time.process_time() - began < 5
    assert sorted(path.name for path in state.rglob("*")) == before


def test_a_manifest_that_grows_beyond_all_bounds_is_refused(state: Path, kept: Path) -> None:
    """A small archive may have a manifest that unpacks to far more: only its beginning is unpacked."""
    with zipfile.ZipFile(kept) as whole:
        members = {name: whole.read(name) for name in whole.namelist()}
    manifest = bytes(2**27) + members.pop(archive.MANIFEST_MEMBER)
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in {**members, archive.MANIFEST_MEMBER: manifest}.items():
            written.writestr(name, content)

    def refused() -> None:
        with pytest.raises(UserError, match="its list of contents is missing"):
            archive.restore_archive(state, kept)

    assert kept.stat().st_size < 2**20
    assert peak(refused) < LITTLE


def test_a_part_that_is_larger_than_it_says_is_refused(state: Path, kept: Path) -> None:
    """Neither the list of the archive nor its manifest is believed: no more is unpacked than they say."""
    with zipfile.ZipFile(kept) as whole:
        members = {name: whole.read(name) for name in whole.namelist() if name != archive.MANIFEST_MEMBER}
    large = {**members, "cards/egypt.toml": b"#" * 900_000}
    packed(kept, large)
    size, less = (number.to_bytes(4, "little") for number in (900_000, 100))
    assert kept.read_bytes().count(size) == 2  # in the list, and before the part itself
    kept.write_bytes(kept.read_bytes().replace(size, less))
    with pytest.raises(UserError, match=r"kept\.zip can't be restored: "):
        archive.restore_archive(state, kept)
    assert not (state / "restored.part").exists()


def test_a_part_that_is_there_twice_is_refused(state: Path, kept: Path) -> None:
    """Nobody could say which of them was meant, and only one would be counted."""
    with zipfile.ZipFile(kept, "a") as file, pytest.warns(UserWarning, match="Duplicate name"):
        file.writestr("companion.sqlite3", b"x")
    with pytest.raises(UserError, match="it is damaged or not a backup"):
        archive.restore_archive(state, kept)


def test_what_is_kept_can_be_restored(state: Path, tmp_path: Path) -> None:
    """Templates come back, in the letters of any script.

    What else lies there, such as a link, a pipe or a file by an odd name, is in no copy.
    """
    (state / "templates").mkdir()
    (state / "templates/ひなた-1.toml").write_text("# ひなた\n")
    (state / "templates/two words.toml").write_text("# odd\n")
    (state / "templates/link.toml").symlink_to(state / "lock")
    (state / "templates/folder.toml").mkdir()
    os.mkfifo(state / "templates/pipe.toml")
    archive.write_archive(state, tmp_path / "kept.zip", "0.3.0", WHEN, {})
    archive.restore_archive(tmp_path / "new", tmp_path / "kept.zip")
    assert [path.name for path in (tmp_path / "new/templates").iterdir()] == ["ひなた-1.toml"]
    assert (tmp_path / "new/templates/ひなた-1.toml").read_text() == "# ひなた\n"


def test_as_many_files_as_are_kept_can_be_restored(state: Path, tmp_path: Path) -> None:
    """The most that a copy takes comes back; the list of its members isn't counted."""
    (state / "templates").mkdir()
    beside = len(
        archive.write_archive(state, tmp_path / "few.zip", "0.3.0", WHEN, {}).members.keys()
        - {"companion.sqlite3"}
    )
    for number in range(archive.MAX_USER_FILES - beside):
        (state / f"templates/t{number}.toml").write_text("")
    archive.write_archive(state, tmp_path / "kept.zip", "0.3.0", WHEN, {})
    archive.restore_archive(tmp_path / "new", tmp_path / "kept.zip")
    assert len([*(tmp_path / "new/templates").iterdir()]) == archive.MAX_USER_FILES - beside


@pytest.mark.parametrize("many", [True, False])
def test_what_could_not_be_restored_is_not_kept(state: Path, tmp_path: Path, *, many: bool) -> None:
    """A copy with more in it than comes back is refused in a sentence when it is made."""
    (state / "templates").mkdir()
    if many:
        for number in range(archive.MAX_USER_FILES):
            (state / f"templates/t{number}.toml").write_text("")
    else:
        (state / "templates/large.toml").write_text("#" * (archive.MAX_USER_FILE_BYTES + 1))
    with pytest.raises(UserError, match=r"No backup was made: .* more than"):
        archive.write_archive(state, tmp_path / "kept.zip", "0.3.0", WHEN, {})
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


@pytest.mark.parametrize("kind", ["pipe", "device", "directory"])
def test_only_a_plain_file_is_restored(state: Path, tmp_path: Path, kind: str) -> None:
    """Whatever else is named is refused at once; nobody waits for a pipe."""
    named = tmp_path / "named"
    match kind:
        case "pipe":
            os.mkfifo(named)
        case "device":
            named = Path("/dev/zero")
        case _:
            named.mkdir()
    with pytest.raises(UserError, match=r"can't be restored: (It is not a regular file|Is a directory)\."):
        archive.restore_archive(state, named)


# The verbs


def test_the_verbs_say_what_they_did(state: Path, tmp_path: Path) -> None:
    """Where all of it is now, how many games, and where those of before went."""
    file = tmp_path / "kept.zip"
    assert run_companion(["backup", str(file)], state).stdout.startswith(f"All games are saved in {file}.")
    said = run_companion(["restore", str(file)], state, "no\n")
    assert (said.returncode, said.stderr) == (2, "Nothing was changed.\n")
    said = run_companion(["restore", str(file)], state, "yes\n")
    assert "1 game restored.\nThe games from before the restore are in " in said.stdout
    assert not sqlite_side_file(state / "companion.sqlite3", "-journal").exists()


def test_the_wiring_comes_back_where_that_is_asked_for(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes along always, and replaces another one only with --config."""
    folder, file = tmp_path / "config", tmp_path / "kept.zip"
    folder.mkdir()
    monkeypatch.setenv("COMPANION_CONFIG", str(folder))
    (folder / "hardware.toml").write_text("# old\n")
    run_companion(["backup", str(file)], state)
    (folder / "hardware.toml").write_text("# new\n")
    run_companion(["restore", str(file), "--yes"], state)
    assert (folder / "hardware.toml").read_text() == "# new\n"
    run_companion(["restore", str(file), "--yes", "--config"], state)
    assert (folder / "hardware.toml").read_text() == "# old\n"
