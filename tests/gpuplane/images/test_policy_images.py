"""The images of a rendered ClusterPolicy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from gpuplane.images.policy_images import PolicyImage, is_cluster_policy, policy_images

if TYPE_CHECKING:
    from charts_py.objects.document import Document

DRIVER = {"repository": "nvcr.io/nvidia", "image": "driver", "version": "595.91.07"}
MANAGER = {"repository": "m.example.com", "image": "manager", "version": "v1"}


def _policy(**spec: Any) -> Document:
    return {"kind": "ClusterPolicy", "metadata": {"name": "a"}, "spec": spec}


@pytest.mark.parametrize(
    ("policy", "images"),
    [
        (
            _policy(driver={"enabled": True, **DRIVER}),
            [PolicyImage("nvcr.io/nvidia/driver:595.91.07", has_os_tag=True)],
        ),
        (_policy(driver={"enabled": False, **DRIVER}), []),
        (
            _policy(ccManager={"enabled": True, **MANAGER}, sandboxWorkloads={"enabled": True}),
            [PolicyImage("m.example.com/manager:v1", has_os_tag=False)],
        ),
        (_policy(ccManager={"enabled": True, **MANAGER}, sandboxWorkloads={"enabled": False}), []),
        (
            _policy(unknown=MANAGER),
            [PolicyImage("m.example.com/manager:v1", has_os_tag=False)],
        ),
    ],
)
def test_it_names_those_that_run(policy: Document, images: list[PolicyImage]) -> None:
    assert list(policy_images(policy)) == images


@pytest.mark.parametrize(
    ("api_version", "is_of_nvidia"), [("nvidia.com/v1", True), ("kyverno.io/v1", False)]
)
def test_kyvernos_policies_are_not_taken_for_it(api_version: str, is_of_nvidia: bool) -> None:
    assert is_cluster_policy({"apiVersion": api_version, **_policy()}) is is_of_nvidia
