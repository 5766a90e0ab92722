"""Dice: real ones, whose faces people type, or the companion's, which the session rolls."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from companion.errors import IllegalAnswer
from companion.requests.fields import Form, NumberField
from companion.requests.request import SingleQuestion, check_whole_number
from companion.texts import Labelled, Say, render, say, say_list, say_n


class Die(msgspec.Struct, frozen=True):
    """One die: its name and its faces. A face that is listed twice comes up twice as often.

    `face_names`: what the faces are called if they show no numbers, such as heads and tails; one per face.
    """

    label: Say
    faces: tuple[int, ...]
    face_names: tuple[Labelled, ...] = ()

    def face_label(self, face: int) -> Labelled | int:
        """Returns the name of a face, or its number."""
        return self.face_names[self.faces.index(face)] if self.face_names else face


class Roll(SingleQuestion[tuple[int, ...]], frozen=True, eq=False):
    """Asks what real dice show, or lets Companion roll; returns one face per die, in order.

    `await Roll(None, say("Roll"), (Die(say("tens"), (0, 25, 50, 75)), Die(say("ones"), (0, 1, 2, 3))))`.
    The rulebook draws no random numbers. `drawn_lots`: who or what is drawn, one after the other, without
    putting back.
    """

    kind = "Roll"
    dice: tuple[Die, ...]
    drawn_lots: tuple[Labelled, ...] = ()

    @property
    def limits_json(self) -> dict[str, Any]:
        """The dice in order, each with its faces, and their names where they have any; what is drawn."""
        dice = {"dice": [_written(die) for die in self.dice]}
        return {**dice, "lots": [render(one) for one in self.drawn_lots]} if self.drawn_lots else dice

    @property
    def form(self) -> Form:
        """A face of each die, which Companion can roll; with `drawn_lots` what is drawn, in this order."""
        dice = tuple(
            [NumberField(label=die.label, values=die.faces, value_names=die.face_names) for die in self.dice]
        )
        facts = {"lots": self.drawn_lots} if self.drawn_lots else {}
        return Form(
            fields=dice,
            keypad_line=say("Roll {keys}"),
            is_list_answer=True,
            app_may_roll=True,
            side_facts=facts,
        )

    def load(self, plain: object) -> tuple[int, ...]:
        """A list of faces, as many as there are dice."""
        if not isinstance(plain, list) or len(plain) != len(self.dice):
            raise IllegalAnswer(
                say_n(
                    "Answer with a list of {n} face.",
                    "Answer with a list of {n} faces, in the order of the dice.",
                    n=len(self.dice),
                )
            )
        return tuple([check_whole_number(face, self.seat or say("The table")) for face in plain])

    def dump(self, answer: tuple[int, ...]) -> list[int]:
        """A list, as JSON has no tuples."""
        return list(answer)

    def check(self, answer: tuple[int, ...]) -> None:
        """Each die has such a face."""
        for die, face in zip(self.dice, answer, strict=True):
            if face not in die.faces:
                faces = ", ".join(map(str, dict.fromkeys(die.faces)))
                raise IllegalAnswer(say("{die} can show only: {faces}.", die=die.label, faces=faces))

    def sample(self, rng: Random) -> tuple[int, ...]:
        """Any face of each die."""
        return tuple([rng.choice(die.faces) for die in self.dice])

    def face_labels(self, faces: Sequence[int]) -> list[Labelled | int]:
        """Returns what each die shows; for fewer faces than dice, only of the first dice."""
        left = list(self.drawn_lots)
        dice = zip(self.dice, faces, strict=False)
        return [left.pop(face - 1) if left else die.face_label(face) for die, face in dice]

    def find_fault(self) -> str | None:
        """No dice, or a text that can't be read."""
        return super().find_fault() if self.dice else f'Roll "{render(self.question)}" has no dice'

    def describe(self, answer: tuple[int, ...]) -> Say:
        """What each die shows."""
        who, shown = self.seat or say("The table"), self.face_labels(answer)
        rolled = [
            say("{die} {face}", die=die.label, face=face) for die, face in zip(self.dice, shown, strict=True)
        ]
        return say("{who} rolls: {dice}", who=who, dice=say_list(rolled))


def _written(die: Die) -> dict[str, Any]:
    written: dict[str, Any] = {"label": render(die.label), "faces": list(die.faces)}
    return {**written, "names": [render(name) for name in die.face_names]} if die.face_names else written
