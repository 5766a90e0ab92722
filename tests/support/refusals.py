"""Reads the error message for an option that can't be chosen."""

from __future__ import annotations

import re

REFUSED = re.compile(r"(?:\".*\"|\S+) can't be chosen now. Choose from: (.*)\.")


def options_named_in_refusal(refusal: str) -> list[str]:
    """Returns the option keys that the error message names, in their order."""
    found = REFUSED.fullmatch(refusal)
    assert found, refusal
    return re.findall(r'"([^"]*)"', found[1])
