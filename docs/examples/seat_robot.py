"""A robot that plays a seat at random: python seat_robot.py 'http://192.168.4.1:8080/seat/2#SECRET'."""

import base64
import json
import random
import sys
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection
from itertools import count
from typing import Any

from nacl.bindings import crypto_hash_sha512 as sha512
from nacl.bindings import crypto_scalarmult
from nacl.public import PrivateKey
from nacl.secret import SecretBox
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


class Robot:
    def __init__(self, address: str) -> None:  # pairs with the seat
        self.page, _, secret = address.partition("#")
        self.origin, self.address = self.page.rpartition("/seat/")[0], f"ws{self.page[4:]}/socket"
        code = SecretBox(sha512(b"companion pairing" + base64.urlsafe_b64decode(secret + "=="))[:32])
        self.own, once = PrivateKey.generate(), PrivateKey.generate()
        reply, _ = self.post(1, code.encrypt(bytes(self.own.public_key) + bytes(once.public_key)))
        self.box_public, box_once_public = code.decrypt(reply)[:32], code.decrypt(reply)[32:]
        keys = self.connection_keys(once, box_once_public)
        print(f"Compare the digits: {int.from_bytes(sha512(b'companion digits' + keys)[:4], 'big') % 100:02}")
        _, self.cookie = self.post(2, SecretBox(keys[32:]).encrypt(b"paired", bytes(24)).ciphertext)

    def post(self, step: int, body: bytes) -> tuple[bytes, str]:
        path, connection = self.page.removeprefix(self.origin), HTTPConnection(self.origin[7:])
        connection.request("POST", f"{path}/pair/{step}", body, {"Origin": self.origin})
        reply = connection.getresponse()
        return reply.read(), reply.getheader("Set-Cookie", "").partition(";")[0]

    def connection_keys(self, once: PrivateKey, box_once_public: bytes) -> bytes:
        pairs = ((self.own, box_once_public), (once, self.box_public), (once, box_once_public))
        shared = b"".join(crypto_scalarmult(bytes(private), public) for private, public in pairs)
        return sha512(b"companion channel" + shared + bytes(once.public_key) + box_once_public)

    def play(self) -> str:  # until the game is over; returns its result
        headers, code = {"Cookie": self.cookie, "Origin": self.origin}, 0
        while code not in {4001, 4002}:
            with suppress(ConnectionClosed), connect(self.address, additional_headers=headers) as self.socket:
                once, table, message = PrivateKey.generate(), dict[str, Any](), dict[str, Any]()
                self.socket.send(bytes(once.public_key))
                self.keys, self.sent = self.connection_keys(once, self.socket.recv(decode=False)), count()
                self.send({"language": "en"})
                for number in count():
                    public, question, private = self.read(self.socket.recv(decode=False), number)
                    table = public["table"] if "table" in public else table | public["changed"]
                    if table.get("result"):
                        return str(table["result"]["text"])
                    if "confirm" in private["feedback"]:
                        self.send(message | {"confirmed": True})
                    elif question and (table["n"] != message.get("n") or "refused" in private["feedback"]):
                        message = {"n": table["n"], "answer": answer_at_random(question)}
                        self.send(message)
            code = self.socket.close_code or 0
        return "Another phone has this seat."

    def send(self, message: dict[str, Any]) -> None:
        content, nonce = json.dumps(message).encode(), next(self.sent).to_bytes(24, "big")
        padded = (len(content).to_bytes(4, "big") + content).ljust(4096, b"\0")
        self.socket.send(SecretBox(self.keys[32:]).encrypt(padded, nonce).ciphertext)

    def read(self, encrypted: bytes, number: int) -> Iterator[Any]:
        rest = SecretBox(self.keys[:32]).decrypt(encrypted, number.to_bytes(24, "big"))
        for size in (1024, 1024, 4096):
            end = 4 + int.from_bytes(rest[:4], "big")
            yield json.loads(rest[4:end])
            rest = rest[-(-end // size) * size :]


def answer_at_random(question: dict[str, Any]) -> object:
    form, cards = question["form"], question.get("cards", [])
    if not form["fields"] or (random.random() < 0.3 and "barred" not in form.get("decline", {"barred": ""})):
        return form["decline"]["answer"]
    values = [value_at_random(field, cards) for field in form["fields"]]
    return values if form.get("many") else values[0]


def value_at_random(field: dict[str, Any], cards: list[dict[str, Any]]) -> object:
    if field["type"] == "number":
        most = field.get("most") or field.get("least", 0) + 20
        return random.choice(field.get("values") or range(int(field["least"]), int(most) + 1))
    if field["type"] == "option":
        return random.choice(list(field["options"]))
    if field["type"] == "quantities":
        return {part["key"]: random.choice((0, value_at_random(part, []))) for part in field["parts"]}
    if field["type"] == "cards":
        items = [card["item"] for card in cards for _ in range(card["copies"])]
        return random.sample(items, random.randint(field["least"], min(field["most"], len(items))))
    return "robot" if field["type"] == "text" else field.get("answer", True)


print(Robot(sys.argv[1]).play())
