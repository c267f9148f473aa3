from typing import Any

import pytest

from policies.rules.image_registry import RULE
from tests.policies.conftest import found, gpu_pod, image_volumes, message, messages

REGISTRIES = ("ghcr.io/acme", "nvcr.io/nvidia/")


@pytest.mark.parametrize("image", ["nginx", "ghcr.io/acme-evil/a:1", "ghcr.io.evil/acme/a:1"])
def test_an_image_from_elsewhere_is_refused(image: str) -> None:
    assert message(found(RULE, gpu_pod({"image": image}), registries=REGISTRIES)) == (
        f"/spec/containers/0/image The container train runs {image}, which is not from an "
        "allowed registry. Use an image below one of: ghcr.io/acme, nvcr.io/nvidia/."
    )


@pytest.mark.parametrize("image", ["ghcr.io/acme/a:1", "nvcr.io/nvidia/pytorch:1", None])
def test_an_image_passes(image: Any) -> None:
    assert found(RULE, gpu_pod({"image": image}), registries=REGISTRIES) == []
    assert found(RULE, gpu_pod({"image": "nginx"})) == []


def test_an_image_that_is_mounted_as_a_volume_is_refused_too() -> None:
    volumes = image_volumes("docker.io/acme/model:1", "a:1")
    assert messages(found(RULE, gpu_pod(volumes=volumes), registries=REGISTRIES)) == [
        (
            "/spec/volumes/1/image/reference The volume weights mounts docker.io/acme/model:1, "
            "which is not from an allowed registry. Use an image below one of: ghcr.io/acme, "
            "nvcr.io/nvidia/."
        ),
        (
            "/spec/volumes/2/image/reference The volume spec.volumes[2] mounts a:1, which is not "
            "from an allowed registry. Use an image below one of: ghcr.io/acme, nvcr.io/nvidia/."
        ),
    ]
