from fractions import Fraction

import pytest

from gpuplane.fleet_report.pool_use import Costs, Holder, added_up, pool_uses
from tests.charts_py.fixture_types import PlatformWith

ON = "nodes: {min: 2, max: 4"


@pytest.mark.parametrize(
    ("replacement", "parts"),
    [
        (("", ""), {"research": 16, "serving": 8, Holder.NOBODY: 8}),
        ((ON, f"{ON}, warm: 1, spare: 1"), {"research": 16, "serving": 8, Holder.SPARE: 8}),
    ],
)
def test_a_spare_node_is_in_no_quota_and_is_not_nobodys(
    platform_after: PlatformWith, replacement: tuple[str, str], parts: dict[str, int]
) -> None:
    replacements = [replacement] if replacement[0] else []
    uses = {each.pool.name: each for each in pool_uses(platform_after("queues", *replacements))}
    assert {each.team or each.holder: each.gpus for each in uses["h100"].parts} == parts
    assert [uses["h100"].most, uses["h100"].kept] == [32, 16]


def test_what_a_mig_layout_leaves_is_lost_and_not_nobodys(platform_after: PlatformWith) -> None:
    layout = ("{1g.5gb: 2, 2g.10gb: 1, 3g.20gb: 1}", "{2g.10gb: 3}")
    uses = {each.pool.name: each for each in pool_uses(platform_after("queues", layout))}
    assert [(each.team or each.holder, each.gpus) for each in uses["a100-mixed"].parts] == [
        ("serving", Fraction(32, 7)),
        (Holder.NOBODY, Fraction(64, 7)),
        (Holder.LOST, Fraction(16, 7)),
    ]


def test_sums_say_how_many_gpus_they_leave_out() -> None:
    known, unknown = Costs((("USD", 2.0),)), Costs(without=Fraction(8))
    assert added_up((known, unknown, known)) == Costs((("USD", 4.0),), Fraction(8))
