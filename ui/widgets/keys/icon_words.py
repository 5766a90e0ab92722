"""The word for each icon that stands alone on a key, in the reader's language."""

from __future__ import annotations

from ui.words import get_running_translator


def icon_word(icon: str) -> str:
    """Returns the word that a key with only this icon shows where it has room; "" for an icon without one.

    Arrows, signs of sums and the keys of a keyboard have none, and no icon has one before the app is made.
    """
    if (translator := get_running_translator()) is None:
        return ""
    tr = translator.tr
    word_by_icon = {
        "bank": tr("Bank"),
        "bin": tr("Remove"),
        "chart": tr("Chart"),
        "code": tr("QR code"),
        "go on": tr("Continue"),
        "history": tr("History"),
        "language": tr("Language"),
        "more": tr("More"),
        "muted": tr("Muted"),
        "pause": tr("Pause"),
        "pen": tr("Type it"),
        "phone": tr("Phones"),
        "power": tr("Off"),
        "redo": tr("Redo"),
        "save": tr("Save"),
        "service": tr("Service"),
        "settings": tr("Settings"),
        "sound": tr("Sound"),
        "turn": tr("Turn round"),
        "undo": tr("Undo"),
    }
    return str(word_by_icon.get(icon, ""))
