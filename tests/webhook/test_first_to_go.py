from __future__ import annotations

import pytest

from webhook.first_to_go import first_to_go


@pytest.mark.parametrize(
    ("peers", "gone"), [("a", 0), ("ab", 0), ("abb", 1), ("babab", 0), ("abcbcb", 1)]
)
def test_the_oldest_of_the_peer_that_holds_the_most_goes_first(peers: str, gone: int) -> None:
    assert first_to_go(dict(enumerate(peers))) == gone
