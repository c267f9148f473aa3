"""An alert on quotas of GPUs: what it reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from charts_py.components.team.definition import TEAM
from charts_py.constructs.render import render

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


@pytest.mark.parametrize("cluster", ["training", "onprem"])
def test_it_reads_the_gpus_of_a_quota_and_nothing_else(
    example: Callable[[str], Platform], cluster: str
) -> None:
    nearly_full, _ = TEAM.alerts()
    (selector,) = set(re.findall(r'resource=~"(.*?)"', nearly_full.expression))
    platform = example(cluster)
    quotas = [
        document["spec"]["hard"]
        for documents in render(platform).folders.values()
        for document in documents
        if document["kind"] == "ResourceQuota" and document["metadata"]["name"] == "quota"
    ]
    read = {name for hard in quotas for name in hard if re.fullmatch(selector, name)}
    assert read == {f"requests.{resource}" for resource in platform.offered_resources}
