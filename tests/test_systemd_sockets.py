"""Sockets that systemd has opened for this process."""

from __future__ import annotations

import os

import pytest

from companion.systemd_sockets import find_socket_of_systemd


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"LISTEN_PID": "1", "LISTEN_FDNAMES": "ours"},
        {"LISTEN_PID": str(os.getpid())},
        {"LISTEN_PID": str(os.getpid()), "LISTEN_FDNAMES": "other"},
    ],
)
def test_without_a_socket_of_that_name_for_this_process_there_is_none(environ: dict[str, str]) -> None:
    """The variables may be those of a parent, or name other sockets."""
    assert find_socket_of_systemd("ours", environ) is None
