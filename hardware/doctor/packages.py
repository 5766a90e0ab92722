"""Checks of what is installed: packages, their versions, names that two packages claim, and languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, distributions
from itertools import zip_longest

from companion import languages
from companion.distribution import DISTRIBUTION_NAME
from companion.languages import Language
from companion.texts import say, say_n
from hardware.doctor.machine import Computer, Finding, Machine, pip_advice
from hardware.wiring import Wiring

REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*([^;]*)(?:;.*extra == [\"'](\w+)[\"'])?")
DEVICE_TYPE_BY_EXTRA: Mapping[str, str] = {"rfid": "reader"}
"""The device type in hardware.toml that needs a package extra.

Number pads have none: evdev comes under several names, so each pad is checked for whether it can be imported.
"""
READER_MODULE, READER_REQUIREMENT = "mfrc522", "mfrc522==0.0.7"
"""The module that several packages contain, and the package it must come from, for pip."""


def check_packages(host: Computer, wiring: Wiring) -> Iterator[Finding]:
    """Checks the installed packages: their versions, and which package the reader's module comes from.

    Yields the findings.
    """
    everything = list(distributions(path=list(host.package_folders)))
    # The first that Python finds is the one it imports.
    there = {_normalised_name(each.metadata["Name"]): each for each in reversed(everything)}
    wanted = [
        requirement
        for requirement in installed_companion_distribution(host).requires or ()
        if _applies(requirement, wiring)
    ]
    versions = {
        _normalised_name(
            installed_companion_distribution(host).metadata["Name"]
        ): installed_companion_distribution(host).version
    }
    for requirement in wanted:
        name, wish = _parse_requirement(requirement)
        versions |= {name: there[name].version} if name in there else {}
        yield from _check_version(host.machine, name, wish, there.get(name))
    yield Finding(
        say("packages: {versions}", versions=", ".join(f"{name} {at}" for name, at in versions.items()))
    )
    yield _check_module_owner(host.machine, everything, is_needed=bool(wiring.reader))


def installed_companion_distribution(host: Computer) -> Distribution:
    """Returns the installed Companion distribution."""
    return next(iter(distributions(name=DISTRIBUTION_NAME, path=list(host.package_folders))))


def is_version_allowed(version: str, requirement: str) -> bool:
    """Returns whether a version fits a requirement such as `>=3.11,<3.14`."""
    return all(_meets(version, each.strip()) for each in requirement.split(",") if each.strip())


def _meets(version: str, requirement: str) -> bool:
    sign, wanted = re.fullmatch(r"([<>=!~]*)\s*(.*)", requirement).groups()  # type: ignore[union-attr]  # it matches anything
    pairs = list(zip_longest(_numbers(version), _numbers(wanted), fillvalue=0))
    one, other = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    match sign:
        case ">=":
            return one >= other
        case "<":
            return one < other
        case "==":
            return one == other
    return True  # a sign that none of our packages uses


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _normalised_name(name: str) -> str:
    """Returns a package name without differences in spelling."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _parse_requirement(requirement: str) -> tuple[str, str]:
    name, wish, _ = REQUIREMENT.match(requirement).groups()  # type: ignore[union-attr]  # each begins with a name
    return _normalised_name(name), wish.strip()


def _applies(requirement: str, wiring: Wiring) -> bool:
    extra = REQUIREMENT.match(requirement)[3]  # type: ignore[index]  # each begins with a name
    return extra is None or bool(getattr(wiring, DEVICE_TYPE_BY_EXTRA.get(extra, ""), ()))


def _check_version(
    machine: Machine, name: str, requirement: str, installed: Distribution | None
) -> Iterator[Finding]:
    if installed is None:
        yield Finding(say("package {name}", name=name), pip_advice(machine, f"install {name}"))
    elif not is_version_allowed(installed.version, requirement):
        what = say("package {name} {version}", name=name, version=installed.version)
        yield Finding(what, pip_advice(machine, f"install '{name}{requirement}'"))


def _check_module_owner(machine: Machine, everything: list[Distribution], *, is_needed: bool) -> Finding:
    """Checks which package the reader's module comes from.

    Pip lets two packages write the same files: the last one owns them. Only packages in the first folder that
    Python searches matter: they hide all others.
    """
    there = [each for each in everything if _has_module(each, READER_MODULE)]
    owners = {
        each.metadata["Name"]: each.version
        for each in there
        if _install_folder(each) == _install_folder(there[0])
    }
    wrong = [owner for owner in owners if _normalised_name(owner) != READER_MODULE]
    shown = ", ".join(f"{owner} {version}" for owner, version in owners.items())
    if not owners:
        what = say("import {name}: this module doesn't come from a package", name=READER_MODULE)
    else:
        what = say("import {name}: this module comes from {owners}", name=READER_MODULE, owners=shown)
    if not is_needed or (owners and not wrong):
        return Finding(what)
    install = f"install --force-reinstall --no-deps {READER_REQUIREMENT}"
    return Finding(
        what, pip_advice(machine, *([f"uninstall -y {' '.join(wrong)}"] if wrong else []), install)
    )


def _install_folder(package: Distribution) -> str:
    """Returns the folder that a package is installed in."""
    return str(package.locate_file(""))


def _has_module(package: Distribution, name: str) -> bool:
    """Returns whether a package contains a module, by the list of its files.

    Debian keeps only that of the names.
    """
    tops = (package.read_text("top_level.txt") or "").split()
    return name in tops or any(file.parts[0] == name for file in package.files or ())


TRANSLATION_ADVICE = say("Tell the translators, or update or remove the package.")


def check_translations() -> Iterator[Finding]:
    """Checks the translations into all languages.

    Yields a finding about all languages, and one about each incomplete translation.
    """
    known = languages.languages().values()
    names = ", ".join(f"{one.name} ({one.code})" for one in known)
    yield Finding(say("languages: {names}", names=names))
    for one in known:
        yield from _gaps(one)
    for code, why in languages.broken_languages().items():
        yield _language_fault(code, why)


def _gaps(language: Language) -> Iterator[Finding]:
    if missing := len(languages.untranslated_texts(language)):
        yield Finding(
            say_n(
                "language {code}: {n} text is not translated and stays English",
                "language {code}: {n} texts are not translated and stay English",
                n=missing,
                code=language.code,
            )
        )
    for file in language.catalogue_paths:
        for fault in languages.read_catalogue(file).faults:
            yield _language_fault(language.code, f"{file.name}: {fault}")


def _language_fault(code: str, why: str) -> Finding:
    return Finding(say("language {code}: {why}", code=code, why=why), TRANSLATION_ADVICE)
