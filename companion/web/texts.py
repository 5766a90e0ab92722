"""The texts of the pages for phones and of the table page.

Values such as {n} are filled in by the page. No text names a person: names follow a colon.
"""

from __future__ import annotations

from companion.languages import ENGLISH, find_language, languages
from companion.texts import Say, render, say

_N = "{n}"
"""A value that stays in the text until the page fills it in."""

PAGE_TEXTS: dict[str, Say] = {
    # Pairing
    "pair:title": say("Seat {n}", n=_N),
    "pair:ready": say(
        "Answer on this phone. Nobody sees what you enter in secret until everybody has answered."
    ),
    "pair:start": say("Use this phone for seat {n}", n=_N),
    "pair:how": say("To use this phone, open the menu on the screen, touch Phones, and scan the code."),
    "pair:compare": say("Compare with the screen on the table, then confirm there"),
    "pair:confirm": say("Waiting until somebody confirms the digits on the screen."),
    "pair:spent": say("This code isn't valid any more. Scan a new one on the screen."),
    "pair:refused": say("The digits weren't confirmed on the screen. Scan a new code there."),
    "pair:too_many": say("There were too many wrong codes. Scan a new one on the screen."),
    "pair:foreign": say("The reply wasn't from Companion. Scan a new code on the screen."),
    "pair:offline": say("Companion can't be reached. Is this phone in the same Wi-Fi?"),
    "pair:gone": say("This phone doesn't answer for this seat any more."),
    # The question
    "seat_n": say("Seat {n}", n=_N),
    "connecting": say("Connecting…"),
    "replaced": say("This tab has stopped"),
    "replaced:how": say(
        "This seat is open in four newer tabs, and more can't work at once. "
        "Close those that you don't need, or go on here."
    ),
    "replaced:go_on": say("Go on here"),
    "no_game": say("No game is on the table."),
    "no_seat": say("Nobody sits here in this game."),
    "not_asked": say("It isn't your turn."),
    "anybody": say("Anybody may answer."),
    "race": say("The first answer that reaches Companion counts."),
    "ok": say("OK"),
    "take": say("Take it"),
    "enter": say("Enter"),
    "enter_n": say("Enter {n}", n=_N),
    "seal": say("Seal"),
    "roll": say("Let Companion roll"),
    "yes": say("Yes"),
    "no": say("No"),
    "change": say("Change the answer"),
    "keep": say("Keep the closed envelope"),
    "not_sent": say("Not sent. Try again when this phone is connected."),
    "too_long": say("This answer is too long for a phone. Enter it on the screen."),
    "refused_covered": say("Your answer isn't sealed. Look under the cover to read why."),
    "confirm_covered": say("Is your answer right? Look under the cover first."),
    # Fields
    "number": say("Number"),
    "less": say("less"),
    "more": say("more"),
    "erase": say("Erase"),
    "choose": say("Choose"),
    "write": say("Write"),
    "words": say("Your words"),
    "filter": say("Find a card"),
    "letters": say("at most {n} letters", n=_N),
    "limits:both": say("from {least} to {most}", least="{least}", most="{most}"),
    "total": say("Total: {n}", n=_N),
    "total_of": say("Total: {n} of {of}", n=_N, of="{of}"),
    "cards": say("Cards: {n}", n=_N),
    "cards_of": say("Cards: {n} of at most {of}", n=_N, of="{of}"),
    "copies": say("{n} of {of}", n=_N, of="{of}"),
    "problem:empty": say("Nothing is entered yet."),
    "problem:choose": say("Nothing is chosen yet."),
    "problem:least": say("at least {n}", n=_N),
    "problem:most": say("at most {n}", n=_N),
    "problem:step": say("in steps of {n}", n=_N),
    "problem:least_total": say("at least {n} in all", n=_N),
    "problem:most_total": say("at most {n} in all", n=_N),
    "problem:kinds": say("at most {n} of them above 0", n=_N),
    "problem:cards": say("{n} of {least} cards", n=_N, least="{least}"),
    "fact:price": say("Price"),
    "fact:then": say("Next price"),
    "fact:bids": say("Bids"),
    "fact:still": say("Still bidding"),
    "fact:passed": say("Passed"),
    # The cover and the envelope
    "cover:hold": say("Hold to look"),
    "cover:open": say("Let go to cover"),
    "cover:toggle": say("Show what is covered"),
    "cover:nothing": say("Nothing is covered."),
    "your_answer": say("Your answer"),
    "envelope:yours": say("Your envelope is closed"),
    "envelope:letters": say("These letters prove later that nobody has changed your answer."),
    "envelope:change": say("You can change your answer until everybody has answered."),
    "envelope:closed": say("envelope closed"),
    # The table
    "waiting": say("Waiting for"),
    "players": say("Players"),
    "leads": say("leads"),
    "wins": say("winner"),
    "absent": say("away"),
    "asleep": say("phone asleep"),
    "happened": say("Just now"),
    "opened": say("Opened envelopes"),
    "on_table": say("On the table"),
    "clocks": say("Clocks"),
    "everybody": say("everybody"),
    # The look, and the page without a seat
    "look": say("Language and look"),
    "language": say("Language"),
    "size": say("Text size"),
    "size:normal": say("normal"),
    "size:large": say("large"),
    "size:largest": say("largest"),
    "theme": say("Colours"),
    "theme:auto": say("automatic"),
    "theme:light": say("light"),
    "theme:dark": say("dark"),
    "start:title": say("Your phone at the table"),
    "start:how": say(
        "To answer on this phone, open the menu on the screen, touch Phones, and scan the code of your seat."
    ),
    "start:table": say("Watch the table"),
}
LANGUAGE_PREFIX = "language:"
MAX_WANTED_LANGUAGES = 20
"""How many languages of a browser are looked up."""


def choose_language(wanted: str) -> str:
    """Returns the code of the first language that exists; English if none does.

    `wanted` are tags of languages as browsers have them, separated by commas: `pt-BR` may be pt_BR or pt.
    """
    for tag in wanted.split(",", MAX_WANTED_LANGUAGES)[:MAX_WANTED_LANGUAGES]:
        language, *more = tag.replace("_", "-").split("-")
        for code in (f"{language}_{more[0]}" if more else language, language):
            if find_language(code) is not None:
                return code
    return ENGLISH


def page_texts(language: str) -> dict[str, str]:
    """Returns the texts of the pages in a language, and the name of each language after its code."""
    texts = {key: render(text, language) for key, text in PAGE_TEXTS.items()}
    return texts | {f"{LANGUAGE_PREFIX}{code}": each.name for code, each in languages().items()}
