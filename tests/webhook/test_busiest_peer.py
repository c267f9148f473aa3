from __future__ import annotations

import pytest

from webhook.http.bounded_protocol import busiest_peer


@pytest.mark.parametrize(
    ("peers", "gone"), [("a", 0), ("ab", 0), ("abb", 1), ("babab", 0), ("abcbcb", 1)]
)
def test_the_oldest_of_the_peer_that_holds_the_most_goes_first(peers: str, gone: int) -> None:
    assert busiest_peer(dict(enumerate(peers))) == gone
