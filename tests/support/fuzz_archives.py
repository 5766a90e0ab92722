"""Fuzz targets for files that people bring: archives with all saved games, and releases."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import tempfile
import zipfile
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random

from companion.errors import UserError
from companion.evening import Evening
from companion.store import Store, archive
from companion.store.archive import MANIFEST_MEMBER
from hardware.commands.update import INSTALL_SCRIPT, unpack_release
from tests.support.in_process import check_clean_exit, limit_cpu_time, run_in_process
from tests.support.mutations import ODD_WORDS, mutate

NAMES = ["Aki", "Ben", "Chie"]
MEMBER_PATHS = (
    *(
        "companion.sqlite3",
        "sealed/drafts.sqlite3",
        "cards/egypt.toml",
        "templates/mine.toml",
        MANIFEST_MEMBER,
    ),
    *(
        "config/hardware.toml",
        "../x",
        "/x",
        "cards/../../x",
        "cards/x.toml/y.toml",
        "lock",
        "x" * 300,
        "名.toml",
    ),
)


def _begin_game(directory: Path, game: str) -> None:
    with closing(Store.open(directory, for_writing=True)) as store:
        session = Evening(store).begin_game(game, NAMES, {})
        if game == "sealed_bid":
            session.put_answer_in_envelope(session.question_number, session.table.seats[0], 7)


@cache
def _valid_members() -> dict[str, bytes]:
    """Returns the members of a valid archive by name."""
    with tempfile.TemporaryDirectory() as folder:
        state, file = Path(folder) / "state", Path(folder) / "kept.zip"
        _begin_game(state, "sealed_bid")
        (state / "cards").mkdir()
        (state / "cards/egypt.toml").write_text("# ours\n", "utf-8")
        archive.write_archive(state, file, "0.2.0", "2026-11-24 03:00:00", {})
        with zipfile.ZipFile(file) as archive_file:
            return {name: archive_file.read(name) for name in archive_file.namelist()}


def fuzz_archive(rng: Random, directory: Path) -> None:
    """Restores a damaged archive: it is restored completely, or nothing has changed."""
    state, file = directory / "state", directory / "kept.zip"
    _begin_game(state, "egypt")
    file.write_bytes(_damage(_random_archive(rng), rng))
    result = run_in_process(["restore", str(file), "--yes", "--state", str(state)])
    check_clean_exit(result)
    assert not [path for path in directory.iterdir() if path not in {state, file}], "something lies outside"
    with closing(Store.open(state)) as store:
        games = [one.game for one in store.all_saved_games()]
    if result.status:
        assert games == ["egypt"], games
        assert not list(state.glob("before-restore-*"))
    check_clean_exit(run_in_process(["history", "list", "--state", str(state)]))
    check_clean_exit(
        run_in_process(["play", "sealed_bid", "--json", "--seats", "Aki,Ben", "--state", str(state)]),
        is_json_output=True,
    )


def _random_archive(rng: Random) -> bytes:
    """Returns an archive with odd members, perhaps odd names, and a manifest that may not fit the members."""
    members = dict(_valid_members())
    manifest = json.loads(members.pop(MANIFEST_MEMBER))
    for _ in range(rng.randrange(3)):
        name = rng.choice(MEMBER_PATHS)
        content = members.pop(rng.choice(list(members)), b"") if members and rng.random() < 0.5 else b""
        members[name] = (
            _damage(content, rng) if rng.random() < 0.7 else rng.choice(ODD_WORDS).encode("utf-8", "replace")
        )
    if rng.random() < 0.7:
        manifest["members"] = {
            name: {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in members.items()
        }
    text = json.dumps(manifest)
    members[MANIFEST_MEMBER] = (mutate(text, rng) if rng.random() < 0.4 else text).encode(
        "utf-8", "surrogatepass"
    )
    file = io.BytesIO()
    with zipfile.ZipFile(
        file, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA))
    ) as archive_file:
        for name in rng.sample(list(members), len(members)):
            archive_file.writestr(name, members[name])
    return file.getvalue()


def _damage(content: bytes, rng: Random) -> bytes:
    """Returns the bytes as a bad memory stick leaves them: changed, missing, inserted, or all intact."""
    damaged = bytearray(content)
    match rng.randrange(4):
        case 0:
            for _ in range(min(len(damaged), rng.choice((1, 1, 8, 200)))):
                damaged[rng.randrange(len(damaged))] = rng.getrandbits(8)
        case 1:
            del damaged[rng.randrange(len(damaged) + 1) :]
        case 2:
            at = rng.randrange(len(damaged) + 1)
            damaged[at:at] = rng.randbytes(rng.choice((1, 30, 3_000)))
    return bytes(damaged)


TAR_MEMBER_TYPES = (
    tarfile.REGTYPE,
    tarfile.REGTYPE,
    tarfile.DIRTYPE,
    tarfile.SYMTYPE,
    tarfile.LNKTYPE,
    tarfile.CHRTYPE,
)


def fuzz_release(rng: Random, directory: Path) -> None:
    """Unpacks an archive as a release: it finds the installation or refuses; it writes nothing elsewhere."""
    file, folder = directory / "x.tar.gz", directory / "new"
    folder.mkdir()
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz", compresslevel=1) as archive_file:
        for name in rng.sample(
            member_names := ["c/" + INSTALL_SCRIPT, *MEMBER_PATHS, "c", "c/scripts"],
            rng.randrange(1, len(member_names)),
        ):
            member = tarfile.TarInfo(name)
            member.type = rng.choice(TAR_MEMBER_TYPES)
            member.linkname = rng.choice(("", "..", "../../x", "/etc/passwd", "c", name))
            member.mode = rng.choice((0o644, 0o755, 0o4777, 0o000))
            content = b"true\n" if member.isreg() else b""
            member.size = len(content)
            archive_file.addfile(member, io.BytesIO(content))
    file.write_bytes(_damage(raw.getvalue(), rng) if rng.random() < 0.5 else raw.getvalue())
    try:
        with limit_cpu_time():
            found = unpack_release(file, folder)
    except UserError:
        return
    finally:
        assert {path.name for path in directory.iterdir()} == {"x.tar.gz", "new"}, "something lies outside"
    assert (found / INSTALL_SCRIPT).resolve().is_relative_to(folder.resolve())
