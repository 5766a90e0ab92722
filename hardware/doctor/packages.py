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

REQUIREMENT_PATTERN = re.compile(r"([A-Za-z0-9._-]+)\s*([^;]*)(?:;.*extra == [\"'](\w+)[\"'])?")
DEVICE_TYPE_BY_EXTRA: Mapping[str, str] = {"rfid": "reader"}
"""The device type in hardware.toml that needs a package extra.

Number pads have none: evdev comes under several names, so the check of each pad tries to find the module.
"""
READER_MODULE, READER_REQUIREMENT = "mfrc522", "mfrc522==0.0.7"
"""The module that several packages contain, and the package it must come from, for pip."""


def check_packages(host: Computer, wiring: Wiring) -> Iterator[Finding]:
    """Yields findings about the versions of installed packages and the package of the reader's module."""
    # After an interrupted installation a distribution can be without a name.
    named = [
        distribution
        for distribution in distributions(path=list(host.package_folders))
        if "Name" in distribution.metadata
    ]
    # The first distribution that Python finds is the one it imports.
    distribution_by_name = {
        _normalize_package_name(distribution.metadata["Name"]): distribution
        for distribution in reversed(named)
    }
    companion = installed_companion_distribution(host)
    versions = {_normalize_package_name(companion.metadata["Name"]): companion.version}
    for requirement in companion.requires or ():
        if _is_requirement_needed(requirement, wiring):
            name, version_range = _parse_requirement(requirement)
            installed = distribution_by_name.get(name)
            if installed is not None:
                versions[name] = installed.version
            yield from _check_version(host.machine, name, version_range, installed)
    versions_text = ", ".join(f"{name} {version}" for name, version in versions.items())
    yield Finding(say("packages: {versions}", versions=versions_text))
    yield _check_module_owner(host.machine, named, is_needed=bool(wiring.reader))


def installed_companion_distribution(host: Computer) -> Distribution:
    """Returns the installed Companion distribution."""
    return next(iter(distributions(name=DISTRIBUTION_NAME, path=list(host.package_folders))))


def is_version_allowed(version: str, requirement: str) -> bool:
    """Returns whether a version fits a requirement such as `>=3.11,<3.14`."""
    return all(_satisfies(version, bound.strip()) for bound in requirement.split(",") if bound.strip())


def _satisfies(version: str, bound: str) -> bool:
    operator, bound_version = re.fullmatch(r"([<>=!~]*)\s*(.*)", bound).groups()  # type: ignore[union-attr]  # it matches anything
    pairs = list(zip_longest(_numbers(version), _numbers(bound_version), fillvalue=0))
    installed_numbers, bound_numbers = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    match operator:
        case ">=":
            return installed_numbers >= bound_numbers
        case "<":
            return installed_numbers < bound_numbers
        case "==":
            return installed_numbers == bound_numbers
    return True  # a sign that none of our packages uses


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _normalize_package_name(name: str) -> str:
    """Returns a package name in the spelling that is equal for all spellings of the name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _parse_requirement(requirement: str) -> tuple[str, str]:
    name, version_range, _ = REQUIREMENT_PATTERN.match(requirement).groups()  # type: ignore[union-attr]  # each begins with a name
    return _normalize_package_name(name), version_range.strip()


def _is_requirement_needed(requirement: str, wiring: Wiring) -> bool:
    extra = REQUIREMENT_PATTERN.match(requirement)[3]  # type: ignore[index]  # each begins with a name
    return extra is None or bool(getattr(wiring, DEVICE_TYPE_BY_EXTRA.get(extra, ""), ()))


def _check_version(
    machine: Machine, name: str, version_range: str, installed: Distribution | None
) -> Iterator[Finding]:
    if installed is None:
        yield Finding(say("package {name}", name=name), pip_advice(machine, f"install {name}"))
    elif not is_version_allowed(installed.version, version_range):
        subject = say("package {name} {version}", name=name, version=installed.version)
        yield Finding(subject, pip_advice(machine, f"install '{name}{version_range}'"))


def _check_module_owner(machine: Machine, installed: list[Distribution], *, is_needed: bool) -> Finding:
    """Checks which package the reader's module comes from.

    Pip lets two packages write the same files: the last one owns them. Only packages in the first folder
    that Python searches matter, because they hide all others.
    """
    candidates = [package for package in installed if _has_module(package, READER_MODULE)]
    version_by_owner = {
        package.metadata["Name"]: package.version
        for package in candidates
        if _install_folder(package) == _install_folder(candidates[0])
    }
    wrong_owners = [owner for owner in version_by_owner if _normalize_package_name(owner) != READER_MODULE]
    owners_text = ", ".join(f"{owner} {version}" for owner, version in version_by_owner.items())
    if not version_by_owner:
        subject = say("import {name}: this module doesn't come from a package", name=READER_MODULE)
    else:
        subject = say(
            "import {name}: this module comes from {owners}", name=READER_MODULE, owners=owners_text
        )
    if not is_needed or (version_by_owner and not wrong_owners):
        return Finding(subject)
    uninstall_commands = [f"uninstall -y {' '.join(wrong_owners)}"] if wrong_owners else []
    install_command = f"install --force-reinstall --no-deps {READER_REQUIREMENT}"
    return Finding(subject, pip_advice(machine, *uninstall_commands, install_command))


def _install_folder(package: Distribution) -> str:
    """Returns the folder that a package is installed in."""
    return str(package.locate_file(""))


def _has_module(package: Distribution, name: str) -> bool:
    """Returns whether a package contains a module, by its list of top-level names or of files.

    Debian's packages keep only the list of names.
    """
    top_level_names = (package.read_text("top_level.txt") or "").split()
    return name in top_level_names or any(file.parts[0] == name for file in package.files or ())


TRANSLATION_ADVICE = say("Tell the translators, or update or remove the package.")


def check_translations() -> Iterator[Finding]:
    """Yields a finding about all languages, and one about each incomplete or broken translation."""
    known_languages = languages.languages().values()
    names = ", ".join(f"{language.name} ({language.code})" for language in known_languages)
    yield Finding(say("languages: {names}", names=names))
    for language in known_languages:
        yield from _check_language(language)
    for code, why in languages.broken_languages().items():
        yield _language_fault(code, why)


def _check_language(language: Language) -> Iterator[Finding]:
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
