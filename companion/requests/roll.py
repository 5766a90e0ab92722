"""A roll of dice: real dice, whose faces people type, or Companion's dice, which the session rolls."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from companion.errors import IllegalAnswer
from companion.requests.fields import Form, NumberField
from companion.requests.request import SingleQuestion, parse_whole_number
from companion.texts import Labelled, Say, render, say, say_list, say_n


class Die(msgspec.Struct, frozen=True):
    """One die: its name and its faces. A face that is listed twice comes up twice as often.

    `face_names`: names for faces without numbers, such as heads and tails; one for each face.
    """

    label: Say
    faces: tuple[int, ...]
    face_names: tuple[Labelled, ...] = ()

    def face_label(self, face: int) -> Labelled | int:
        """Returns the name of a face, or its number."""
        return self.face_names[self.faces.index(face)] if self.face_names else face


class Roll(SingleQuestion[tuple[int, ...]], frozen=True, eq=False):
    """Asks what real dice show, or lets Companion roll; returns one face for each die, in order.

    `await Roll(None, say("Roll"), (Die(say("tens"), (0, 25, 50, 75)), Die(say("ones"), (0, 1, 2, 3))))`. The
    rulebook draws no random numbers. `lots_to_draw`: what is drawn one after the other without replacement,
    such as names.
    """

    kind = "Roll"
    dice: tuple[Die, ...]
    lots_to_draw: tuple[Labelled, ...] = ()

    @property
    def limits_json(self) -> dict[str, Any]:
        """The dice in order with their faces and the faces' names, and the lots to draw, as JSON."""
        dice = {"dice": [_die_to_json(die) for die in self.dice]}
        return {**dice, "lots": [render(lot) for lot in self.lots_to_draw]} if self.lots_to_draw else dice

    @property
    def form(self) -> Form:
        """The form with one number field for each die, and the lots beside them; Companion may roll."""
        fields = [
            NumberField(label=die.label, values=die.faces, value_names=die.face_names) for die in self.dice
        ]
        facts = {"lots": self.lots_to_draw} if self.lots_to_draw else {}
        return Form(
            fields=tuple(fields),
            keypad_line=say("Roll {keys}"),
            is_list_answer=True,
            app_may_roll=True,
            side_facts=facts,
        )

    def parse_answer(self, json_value: object) -> tuple[int, ...]:
        """Returns the faces in a JSON list; raises `IllegalAnswer` unless there is one for each die."""
        if not isinstance(json_value, list) or len(json_value) != len(self.dice):
            raise IllegalAnswer(
                say_n(
                    "Answer with a list of {n} face.",
                    "Answer with a list of {n} faces, in the order of the dice.",
                    n=len(self.dice),
                )
            )
        return tuple([parse_whole_number(face, self.seat or say("The table")) for face in json_value])

    def answer_to_json(self, answer: tuple[int, ...]) -> list[int]:
        """Returns the rolled faces as JSON: a list, because JSON has no tuples."""
        return list(answer)

    def check_answer(self, answer: tuple[int, ...]) -> None:
        """Raises `IllegalAnswer` if a die has no such face."""
        for die, face in zip(self.dice, answer, strict=True):
            if face not in die.faces:
                faces = ", ".join(map(str, dict.fromkeys(die.faces)))
                raise IllegalAnswer(say("{die} can show only: {faces}.", die=die.label, faces=faces))

    def random_legal_answer(self, rng: Random) -> tuple[int, ...]:
        """Returns a random face of each die."""
        return tuple([rng.choice(die.faces) for die in self.dice])

    def face_labels(self, faces: Sequence[int]) -> list[Labelled | int]:
        """Returns the label of each rolled face or drawn lot; fewer faces than dice are of the first dice."""
        remaining_lots = list(self.lots_to_draw)
        return [
            remaining_lots.pop(face - 1) if remaining_lots else die.face_label(face)
            for die, face in zip(self.dice, faces, strict=False)
        ]

    def find_definition_fault(self) -> str | None:
        """Returns an error if there are no dice or if the text can't be rendered; else None."""
        return super().find_definition_fault() if self.dice else f'Roll "{render(self.question)}" has no dice'

    def describe_answer(self, answer: tuple[int, ...]) -> Say:
        """Returns a sentence that says what each die shows."""
        faces = self.face_labels(answer)
        dice = [
            say("{die} {face}", die=die.label, face=face) for die, face in zip(self.dice, faces, strict=True)
        ]
        if self.seat is None:
            return say("Rolled: {dice}", dice=say_list(dice))
        return say("{seat} rolls: {dice}", seat=self.seat, dice=say_list(dice))


def _die_to_json(die: Die) -> dict[str, Any]:
    json: dict[str, Any] = {"label": render(die.label), "faces": list(die.faces)}
    if die.face_names:
        json["names"] = [render(name) for name in die.face_names]
    return json
