from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policies.document import Document
from policies.finding import Finding
from policies.rules.image_tag import RULE

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def _messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.message} {finding.remedy}" for finding in findings]


@pytest.mark.parametrize(
    ("image", "said"),
    [("nginx", "no tag"), ("a:5000/b", "no tag"), ("nginx:latest", "the tag latest")],
)
def test_an_image_that_can_change_is_refused(
    found: Found, gpu_pod: MakePod, image: str, said: str
) -> None:
    assert _messages(found(RULE, gpu_pod({"image": image}))) == [
        (
            f"/spec/containers/0/image The container train runs {image} with {said}, which can be "
            "another image tomorrow. Name a version or a digest."
        )
    ]


@pytest.mark.parametrize("image", ["nginx:1.29", "nginx@sha256:0", "nginx:latest@sha256:0", None])
def test_an_image_passes(found: Found, gpu_pod: MakePod, image: Any) -> None:
    assert found(RULE, gpu_pod({"image": image})) == []
