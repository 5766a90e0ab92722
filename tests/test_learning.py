"""Learning which tag is which card: one after the other, never one tag for two cards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion import installed_games
from companion.cards import shipped_deck
from companion.errors import StoreUnavailable, UnknownName, UserError
from companion.store import Store
from companion.tag_enrolment import (
    MAX_SIMULTANEOUS_TAG_SECONDS,
    TagEnrolment,
    card_id_of_tag,
    card_label,
    ids_of_cards_without_tag,
    taggable_decks_by_name,
)
from companion.texts import render

MAMMON = shipped_deck("mammon")
FIRST = ["mansion.1", "mansion.2", "ambush.1", "ambush.2"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A state directory in which nothing has been learnt."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        yield store


class Teacher:
    """Somebody who lays cards on a reader, one a second."""

    def __init__(self, store: Store, lesson: TagEnrolment) -> None:
        self.store, self.lesson, self.now = store, lesson, 100.0

    def lays(self, tag: str, *, lifts: bool = True) -> str:
        """Lays a card, and lifts it again; what is said of it."""
        self.now += 1.0
        try:
            return render(self.lesson.enrol_tag(tag, self.now))
        except UserError as error:
            return render(error.text)
        finally:
            if lifts:
                self.lesson.note_tag_lifted(tag)


@pytest.fixture
def teacher(store: Store) -> Teacher:
    """The whole deck of Mammon is to be learnt."""
    return Teacher(store, lesson(store, ids_of_cards_without_tag(store, MAMMON)))


def lesson(store: Store, cards: list[str]) -> TagEnrolment:
    """A lesson with these cards of Mammon."""
    return TagEnrolment(store, MAMMON, cards, installed_games.owner_decks_by_name(store.directory))


def test_a_deck_is_learnt_in_its_order(teacher: Teacher) -> None:
    """Each tag is kept at once, the next card is asked for, and how many are left is known."""
    assert (teacher.lesson.next_card_id, teacher.lesson.remaining_count) == ("mansion.1", 18)
    assert teacher.lays("04A1") == "Saved the tag of mansion, 1 of 2."
    assert teacher.store.card_of_tag("04A1") == ("mammon", "mansion.1")
    assert (teacher.lesson.next_card_id, teacher.lesson.remaining_count) == ("mansion.2", 17)
    for number in range(17):
        teacher.lays(f"04B{number:X}{number:X}")
    assert (
        teacher.lesson.next_card_id,
        teacher.lesson.remaining_count,
        teacher.lesson.newly_enrolled_count,
    ) == (
        None,
        0,
        18,
    )
    assert set(teacher.store.tag_uid_by_card("mammon")) == set(MAMMON.cards)
    assert teacher.lays("04FF") == "All these cards have a tag now."
    assert teacher.store.card_of_tag("04FF") is None


@pytest.mark.parametrize(
    ("tag", "why"), [("08A2B3C4", "changes each time it is read"), ("88A2B3C4", "is only the beginning")]
)
def test_an_id_that_does_not_last_is_never_taught(teacher: Teacher, tag: str, why: str) -> None:
    """A phone says another one the next time: it is named, and the card is asked for again."""
    assert teacher.lays(tag).startswith(f"{tag} ({tag[:2]}…) {why}")
    assert teacher.store.card_of_tag(tag) is None
    assert teacher.lesson.next_card_id == "mansion.1"
    assert teacher.lays(f"{tag}D5E680") == "Saved the tag of mansion, 1 of 2."


def test_copies_that_look_alike_have_a_tag_each(teacher: Teacher) -> None:
    """The second mansion can't have the tag of the first; what it is is said, and nothing changes."""
    teacher.lays("04A1")
    assert teacher.lays("04A1") == (
        "This tag already belongs to mansion, 1 of 2. Lay down another card, or remove that tag first."
    )
    assert teacher.lesson.next_card_id == "mansion.2"
    assert teacher.store.tag_uid_by_card("mammon") == {"mansion.1": "04A1"}


@pytest.mark.parametrize(
    ("deck", "card", "said"),
    [
        (
            "egypt",
            "6.2",
            "This tag belongs to card 6, 2 of 6 in Egypt, so it can't be used for a card of Mammon.",
        ),
        ("egypt", "99", "This tag belongs to card 99 in Egypt, so it can't be used for a card of Mammon."),
        ("gone", "king", "This tag belongs to card king in gone, so it can't be used for a card of Mammon."),
    ],
)
def test_a_card_of_another_game_is_named(teacher: Teacher, deck: str, card: str, said: str) -> None:
    """With the game and the card, even if that game isn't installed any more; it stays what it is."""
    teacher.store.assign_tag("04C1", deck, card)
    assert teacher.lays("04C1") == said
    assert teacher.store.card_of_tag("04C1") == (deck, card)
    assert teacher.lesson.next_card_id == "mansion.1"


def test_the_tag_of_a_card_that_the_deck_no_longer_has_is_free(teacher: Teacher) -> None:
    """Its owner has entered other cards since the tag was learnt: nobody else could ever free it."""
    teacher.store.assign_tag("04A1", "mammon", "mansion.9")
    assert teacher.lays("04A1") == "Saved the tag of mansion, 1 of 2."
    assert teacher.store.tag_uid_by_card("mammon") == {"mansion.1": "04A1"}


def test_cards_are_skipped_and_asked_for_again(teacher: Teacher) -> None:
    """A skipped card gets no tag; a step back forgets the tag that was just learnt."""
    teacher.lesson.undo_previous_card()
    teacher.lesson.skip_card()
    teacher.lays("04A2")
    assert teacher.store.tag_uid_by_card("mammon") == {"mansion.2": "04A2"}
    teacher.lesson.undo_previous_card()
    assert (teacher.lesson.next_card_id, teacher.lesson.newly_enrolled_count) == ("mansion.2", 0)
    assert teacher.store.tag_uid_by_card("mammon") == {}
    teacher.lesson.undo_previous_card()
    teacher.lays("04A2")
    assert teacher.store.tag_uid_by_card("mammon") == {"mansion.1": "04A2"}
    for _ in range(20):
        teacher.lesson.skip_card()
    assert (teacher.lesson.next_card_id, teacher.lesson.remaining_count) == (None, 0)
    teacher.lesson.undo_previous_card()
    assert teacher.lesson.next_card_id == list(MAMMON.cards)[-1]


def test_a_lesson_goes_on_where_the_last_one_ended(teacher: Teacher) -> None:
    """Only cards without a tag are asked for; from a card on, or all of them again, if that is wanted."""
    teacher.lays("04A1")
    teacher.lesson.skip_card()
    teacher.lays("04A3")
    names = list(MAMMON.cards)
    assert ids_of_cards_without_tag(teacher.store, MAMMON) == [names[1], *names[3:]]
    assert ids_of_cards_without_tag(teacher.store, MAMMON, "ambush.1") == names[3:]
    assert ids_of_cards_without_tag(teacher.store, MAMMON, "ambush.1", include_tagged=True) == names[2:]
    with pytest.raises(UnknownName, match=r"^Mammon has no card king. Its cards: mansion.1, mansion.2, "):
        ids_of_cards_without_tag(teacher.store, MAMMON, "king", game_title="Mammon")


def test_a_card_is_learnt_anew(store: Store) -> None:
    """Its new tag takes the place of the old one; a step back brings the old one back."""
    store.assign_tag("04A1", "mammon", "mansion.1")
    teacher = Teacher(store, lesson(store, ["mansion.1"]))
    assert teacher.lays("04A1") == "Saved the tag of mansion, 1 of 2."
    teacher.lesson.undo_previous_card()
    assert store.tag_uid_by_card("mammon") == {"mansion.1": "04A1"}
    teacher.lays("04B1")
    assert (store.tag_uid_by_card("mammon"), store.card_of_tag("04A1")) == ({"mansion.1": "04B1"}, None)
    teacher.lesson.undo_previous_card()
    assert store.tag_uid_by_card("mammon") == {"mansion.1": "04A1"}


def test_two_cards_at_once_are_neither(teacher: Teacher) -> None:
    """Nobody can know which of them is meant: what was learnt a moment ago is taken back."""
    teacher.lays("04A1")
    teacher.lesson.enrol_tag("04A2", 200.0)
    with pytest.raises(
        UserError,
        match=r"^Two tags were laid down at the same time: 04A2 and 04A3\. Lay down one card at a time\.$",
    ):
        teacher.lesson.enrol_tag("04A3", 200.0 + MAX_SIMULTANEOUS_TAG_SECONDS / 2)
    assert teacher.store.tag_uid_by_card("mammon") == {"mansion.1": "04A1"}
    assert (teacher.lesson.next_card_id, teacher.lesson.newly_enrolled_count) == ("mansion.2", 1)
    with pytest.raises(UserError, match="laid down at the same time"):
        teacher.lesson.enrol_tag("04A4", 200.0 + MAX_SIMULTANEOUS_TAG_SECONDS)
    teacher.lesson.note_tag_lifted("04A2")
    teacher.lesson.note_tag_lifted("04A3")
    teacher.lesson.note_tag_lifted("04A4")
    assert teacher.lays("04A3") == "Saved the tag of mansion, 2 of 2."


def test_a_stack_may_grow_on_the_reader(teacher: Teacher) -> None:
    """Cards that stay where they were laid are in nobody's way."""
    for at, tag in enumerate(("04A1", "04A2", "04A3")):
        teacher.lays(tag, lifts=False)
        assert teacher.lesson.next_card_id == FIRST[at + 1]


def test_a_full_disk_teaches_nothing(store: Store, tmp_path: Path) -> None:
    """What can't be kept is said, and the same card is asked for again."""
    with closing(Store.open(tmp_path)) as looking:
        reading = lesson(looking, list(FIRST))
        with pytest.raises(StoreUnavailable, match="no permission to write"):
            reading.enrol_tag("04A1", 1.0)
    assert (reading.next_card_id, reading.newly_enrolled_count) == ("mansion.1", 0)


def test_a_tag_is_looked_up_for_one_deck(store: Store) -> None:
    """A tag that isn't one of its cards is a sentence with what it is, if it is anything."""
    for tag, deck, card in (
        ("04A1", "mammon", "spy.1"),
        ("04A2", "egypt", "6.2"),
        ("04A3", "mammon", "king"),
    ):
        store.assign_tag(tag, deck, card)
    copies = taggable_decks_by_name(store.directory)
    assert card_id_of_tag(store, MAMMON, "04a1", copies) == "spy.1"
    for tag, why in (
        ("04A2", "This tag belongs to card 6, 2 of 6 in Egypt."),
        ("04A3", "There is no card king in this deck."),
        ("04A4", "Tag 04A4 doesn't belong to a card yet."),
    ):
        with pytest.raises(UserError) as refused:
            card_id_of_tag(store, MAMMON, tag, copies)
        assert str(refused.value) == why


def test_only_cards_have_tags(tmp_path: Path) -> None:
    """Every game that has cards; the rows of a template are none."""
    assert list(taggable_decks_by_name(tmp_path)) == ["bidders", "egypt", "high_bid", "mammon", "oyakata"]


@pytest.mark.parametrize(
    ("game", "card", "said"),
    [("mammon", "spy.2", "spy, 2 of 2"), ("egypt", "13.1", "card 13, 1 of 13"), ("bidders", "W1", "card W1")],
)
def test_each_single_card_is_called_by_its_own_name(game: str, card: str, said: str) -> None:
    """Where several look alike it is said which of them it is."""
    assert render(card_label(shipped_deck(game), card)) == said
