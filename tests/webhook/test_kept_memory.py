from __future__ import annotations

import pytest

from policies.own_review import MAX_MADE
from webhook.kept_memory import MOST_KEPT, USED_UP, left_of


@pytest.mark.parametrize(
    ("kept", "left"),
    [
        (0, MAX_MADE),
        (USED_UP - 1, MAX_MADE),
        (USED_UP, 8 * 2**20),
        (MOST_KEPT - 8, 1),
        (MOST_KEPT, 0),
        (MOST_KEPT + 1, -1),
    ],
)
def test_a_worker_that_is_used_up_shares_out_what_it_may_still_keep(kept: int, left: int) -> None:
    assert left_of(kept) == left
