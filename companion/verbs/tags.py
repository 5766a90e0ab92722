"""`companion cards tags GAME` lists which cards have tags; `companion cards forget GAME CARD` takes one away.

Learning tags needs a reader: `hardware.verbs.learn`.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import closing

from companion.cards import Deck
from companion.columns import aligned
from companion.copies import Copy
from companion.errors import TableError, Unknown
from companion.files.places import state_directory
from companion.learning import called, check_named, lessons
from companion.store import Store
from companion.verbs.cards import Part
from companion.words import Say, render, say, say_n

NONE = "–"


def deck_with_tags(copy: Copy) -> Deck:
    """The cards of a copy; raises `Unknown`, which names the games whose cards can have tags."""
    names = lessons(copy.path.parent)
    if copy.name not in names:
        known = ", ".join(names)
        raise Unknown(
            say("There are no cards for {name}. Games with cards: {names}.", name=copy.name, names=known)
        )
    return copy.deck()


def how_many(copy: Copy, deck: Deck, tags: Store) -> Say:
    """How many cards of a deck have tags."""
    cards = deck.cards
    return say_n(
        "{game}: {n} of {cards} cards has a tag.",
        "{game}: {n} of {cards} cards have a tag.",
        n=len(cards.keys() & tags.tags(copy.name).keys()),
        game=copy.game.title,
        cards=len(cards),
    )


def _tags(copy: Copy, args: Namespace) -> int:
    deck = deck_with_tags(copy)
    with closing(Store.open(state_directory(args.state))) as store:
        print(render(how_many(copy, deck, store)))
        tags = store.tags(copy.name)
    print(*aligned([[name, render(tags.get(name, NONE))] for name in deck.cards]), sep="\n")
    return 0


def _card_argument(parser: ArgumentParser) -> None:
    parser.add_argument("card", metavar="CARD", help="the card; companion cards tags GAME lists all cards")


def _forget(copy: Copy, args: Namespace) -> int:
    deck = deck_with_tags(copy)
    with closing(Store.open(state_directory(args.state), playing=True)) as store:
        tag = store.tags(copy.name).get(args.card)
        if tag is None:
            check_named(deck, args.card, copy.game.title)
            raise TableError(say("{card} has no tag.", card=called(deck, args.card)))
        store.forget(tag)
        print(render(how_many(copy, deck, store)))
    return 0


TAGS = Part("List the cards of a game and their tags.", _tags, example="companion cards tags mammon")
FORGET = Part("Remove the tag of a card.", _forget, _card_argument, "companion cards forget mammon spy.1")
