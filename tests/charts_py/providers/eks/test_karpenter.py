"""What Karpenter needs of each pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

    PlatformWith = Callable[..., Platform]
    ObjectsOf = Callable[[Platform], Mapping[str, Document]]

G5 = "instanceType: g5.12xlarge, purpose: notebooks"


@pytest.mark.parametrize(
    ("fields", "added"),
    [
        ("nodes: {max: 6}", set()),
        ("nodes: {min: 2, max: 6}", {"NodePool pool.minimum"}),
        ("nodes: {max: 6, warm: 2}", {"CapacityBuffer warm-pool", "PodTemplate warm-pool"}),
        ("nodes: {max: 6}, sharing: {timeSlicing: 4}", {"NodeOverlay pool"}),
    ],
)
def test_a_pool_has_what_its_features_need_and_nothing_else(
    platform_with: PlatformWith, objects_of: ObjectsOf, fields: str, added: set[str]
) -> None:
    objects = objects_of(platform_with("eks", f"{{{G5}, {fields}}}"))
    assert set(objects) == {"EC2NodeClass pool", "NodePool pool", *added}
