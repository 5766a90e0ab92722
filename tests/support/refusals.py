"""What a refused choice says that there is."""

from __future__ import annotations

import re

REFUSED = re.compile(r"(?:\".*\"|\S+) can't be chosen now. Choose from: (.*)\.")


def offered(refusal: str) -> list[str]:
    """The keys that the refusal of a choice names, in their order."""
    found = REFUSED.fullmatch(refusal)
    assert found, refusal
    return re.findall(r'"([^"]*)"', found[1])
