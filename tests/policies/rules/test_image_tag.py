from typing import Any

import pytest

from policies.rules.image_tag import RULE
from tests.policies.conftest import found, gpu_pod, image_volumes, message, messages


@pytest.mark.parametrize(
    ("image", "said"),
    [("nginx", "no tag"), ("a:5000/b", "no tag"), ("nginx:latest", "the tag latest")],
)
def test_an_image_that_can_change_is_refused(image: str, said: str) -> None:
    assert message(found(RULE, gpu_pod({"image": image}))) == (
        f"/spec/containers/0/image The container train runs {image} with {said}, which can be "
        "another image tomorrow. Name a version or a digest."
    )


@pytest.mark.parametrize("image", ["nginx:1.29", "nginx@sha256:0", "nginx:latest@sha256:0", None])
def test_an_image_passes(image: Any) -> None:
    assert found(RULE, gpu_pod({"image": image})) == []


def test_an_image_that_is_mounted_as_a_volume_is_refused_too() -> None:
    volumes = image_volumes("acme/model", "a:latest")
    assert messages(found(RULE, gpu_pod(volumes=volumes))) == [
        (
            "/spec/volumes/1/image/reference The volume weights mounts acme/model with no tag, "
            "which can be another image tomorrow. Name a version or a digest."
        ),
        (
            "/spec/volumes/2/image/reference The volume spec.volumes[2] mounts a:latest with the "
            "tag latest, which can be another image tomorrow. Name a version or a digest."
        ),
    ]
