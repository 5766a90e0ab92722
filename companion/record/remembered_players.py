"""The people who are remembered for the next set-up: known players, the last players, groups and sides.

rename_remembered_player(store, "Akki", "Aki")
forget_remembered_player(store, "Akki")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.name_matching import are_same_name

if TYPE_CHECKING:
    from companion.store import Store

KNOWN_PLAYERS_KEY = "known players"
"""The key under which names and colours of people who played are remembered."""
LAST_PLAYERS_KEY = "people"
"""The key under which the names and colours of the last players are remembered."""
RECENT_GROUPS_KEY = "groups"
"""The key under which the last groups with names are remembered."""
PLAYER_SIDES_KEY = "sides"
"""The key under which the side of each player is stored, by name."""
NameAndColour = tuple[str, str]
"""A person's name, empty for somebody without a name, and the colour of the person's piece."""
PlayerGroup = list[NameAndColour]
"""Names and colours of people who played together."""


def has_remembered_players(store: Store) -> bool:
    """Returns whether people are remembered, so that somebody has played here."""
    return any(store.load_json_text(key) is not None for key in (KNOWN_PLAYERS_KEY, LAST_PLAYERS_KEY))


def forget_remembered_player(store: Store, name: str) -> None:
    """Forgets a person; a group with that person isn't offered any more."""
    rename_remembered_player(store, name, "")


def rename_remembered_player(store: Store, name: str, new_name: str) -> None:
    """Renames a person in everything that is remembered; an empty new name forgets the person."""
    known = store.load_value(KNOWN_PLAYERS_KEY, [], list[NameAndColour])
    _save_if_changed(
        store, KNOWN_PLAYERS_KEY, known, [player for player in _rename(known, name, new_name) if player[0]]
    )
    last_players = store.load_value(LAST_PLAYERS_KEY, [], list[NameAndColour])
    _save_if_changed(store, LAST_PLAYERS_KEY, last_players, _rename(last_players, name, new_name))
    groups = store.load_value(RECENT_GROUPS_KEY, [], list[PlayerGroup])
    _save_if_changed(store, RECENT_GROUPS_KEY, groups, _rename_in_groups(groups, name, new_name))
    sides = store.load_value(PLAYER_SIDES_KEY, {}, dict[str, int])
    other_sides = {player: side for player, side in sides.items() if not are_same_name(player, name)}
    if new_name and (own_sides := [side for player, side in sides.items() if player not in other_sides]):
        other_sides.setdefault(new_name, own_sides[0])
    _save_if_changed(store, PLAYER_SIDES_KEY, sides, other_sides)


def _rename(players: list[NameAndColour], name: str, new_name: str) -> list[NameAndColour]:
    """Returns the players with the new name in place of the old one; nobody is there twice.

    Who would be there twice loses the name and keeps the colour.
    """
    is_new_name_there = any(
        are_same_name(player, new_name) and not are_same_name(player, name) for player, _ in players
    )
    name_instead = "" if is_new_name_there else new_name
    return [
        (name_instead if player and are_same_name(player, name) else player, colour)
        for player, colour in players
    ]


def _rename_in_groups(groups: list[PlayerGroup], name: str, new_name: str) -> list[PlayerGroup]:
    """Returns the groups in which everybody still has a name, each only once in any order of its people."""
    group_by_names: dict[frozenset[str], PlayerGroup] = {}
    for group in groups:
        renamed = _rename(group, name, new_name)
        if all(player for player, _ in renamed):
            group_by_names.setdefault(frozenset(player for player, _ in renamed), renamed)
    return [*group_by_names.values()]


def _save_if_changed(store: Store, key: str, value: object, new_value: object) -> None:
    if new_value != value:
        store.save_value(key, new_value)
