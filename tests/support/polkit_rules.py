"""Runs the project's polkit rules in Duktape, the interpreter of polkit itself."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping
from pathlib import Path

POLKIT = "/usr/lib/polkit-1/polkitd"
"""Its package has the interpreter."""
RULES_FOLDER = Path(__file__).parents[2] / "systemd"
LIKE_POLKIT = """
var rules = [];
var polkit = {
    Result: {
        NO: "no", YES: "yes", AUTH_SELF: "auth_self", AUTH_SELF_KEEP: "auth_self_keep",
        AUTH_ADMIN: "auth_admin", AUTH_ADMIN_KEEP: "auth_admin_keep", NOT_HANDLED: null
    },
    addRule: function (rule) { rules.push(rule); }
};
function decide(id, details, user) {
    var action = {id: id, lookup: function (key) { return details[key]; }};
    var subject = {user: user, groups: [user], seat: "", session: "", local: false, active: false};
    for (var n = 0; n < rules.length; n++) {
        var result = rules[n](action, subject);
        if (result) { return result; }
    }
    return "not handled";
}
"""
"""polkit's functions that a rule may use. The first rule that answers decides; files are read by name."""


PEVAL_STRING_FLAGS = 0x8 | 0x80 | 0x200 | 0x400 | 0x800
"""The flags of the macro duk_peval_string of duktape.h, which evaluates a text and catches errors."""


def decide(action_id: str, user: str, details: Mapping[str, str] | None = None) -> str:
    """Returns what our rules say to an action of a user: yes, no, or not handled."""
    rules = [path.read_text("utf-8") for path in sorted(RULES_FOLDER.glob("[0-9]*-companion*.rules"))]
    scripts = [text for text in rules if "polkit.addRule" in text]
    call = f"decide({json.dumps(action_id)}, {json.dumps(details or {})}, {json.dumps(user)})"
    return _evaluate("\n".join([LIKE_POLKIT, *scripts, call]))


def _evaluate(script: str) -> str:
    """Evaluates JavaScript, and returns its last value as a text, or the error's."""
    duktape = ctypes.CDLL("libduktape.so.207")
    heap, position = ctypes.c_void_p, ctypes.c_int
    duktape.duk_create_heap.restype = heap
    duktape.duk_create_heap.argtypes = [heap] * 5
    duktape.duk_eval_raw.argtypes = [heap, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint]
    duktape.duk_safe_to_lstring.restype = ctypes.c_char_p
    duktape.duk_safe_to_lstring.argtypes = [heap, position, heap]
    duktape.duk_destroy_heap.argtypes = [heap]
    context = duktape.duk_create_heap(None, None, None, None, None)
    duktape.duk_eval_raw(context, script.encode(), 0, PEVAL_STRING_FLAGS)
    result: bytes = duktape.duk_safe_to_lstring(context, -1, None)
    duktape.duk_destroy_heap(context)
    return result.decode()
