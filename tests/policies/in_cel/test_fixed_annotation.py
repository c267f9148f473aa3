"""Which updates may change what the annotation says that fixed a pod."""

import pytest

from gpus.platform_names import FIXED
from policies.custom.expressions import Expressions
from policies.in_cel.cluster_fixes import IS_RENAMED, KEEPS_NAMES


def _values(before: str | None, after: str | None) -> tuple[object, object]:
    expressions = Expressions(("object", "oldObject"))
    given = {
        name: {"metadata": {} if said is None else {"annotations": {FIXED: said}}}
        for name, said in (("oldObject", before), ("object", after))
    }
    return tuple(
        expressions.value(expressions.compile(each), given) for each in (IS_RENAMED, KEEPS_NAMES)
    )


@pytest.mark.parametrize(
    ("before", "after", "allowed"),
    [
        (None, "tolerations", True),
        ("shared-memory", "shared-memory,tolerations,team-labels", True),
        (None, "shared-memory", False),
        ("shared-memory", "shared-memory,host-ipc", False),
        ("shared-memory", "tolerations", False),
        ("shared-memory", None, False),
        ("shared-memory", "", False),
    ],
)
def test_an_update_adds_at_most_rules_that_fix_updates(
    before: str | None, after: str | None, allowed: bool
) -> None:
    assert _values(before, after) == (True, allowed)


@pytest.mark.parametrize("said", [None, "shared-memory,tolerations"])
def test_what_stays_as_it_was_is_not_judged(said: str | None) -> None:
    assert _values(said, said)[0] is False
