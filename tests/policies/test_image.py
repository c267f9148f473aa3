import pytest

from policies.image import Image, read_image, registry_of


@pytest.mark.parametrize(
    ("name", "image"),
    [
        ("nginx", Image("docker.io/library/nginx", "", "")),
        ("nvidia/cuda:12.9", Image("docker.io/nvidia/cuda", "12.9", "")),
        ("nvcr.io/nvidia/pytorch:26.01-py3", Image("nvcr.io/nvidia/pytorch", "26.01-py3", "")),
        ("localhost:5000/train", Image("localhost:5000/train", "", "")),
        ("localhost/train:1", Image("localhost/train", "1", "")),
        ("ghcr.io/a/b@sha256:00", Image("ghcr.io/a/b", "", "sha256:00")),
        ("ghcr.io/a/b:1@sha256:00", Image("ghcr.io/a/b", "1", "sha256:00")),
    ],
)
def test_an_image_is_split(name: str, image: Image) -> None:
    assert read_image(name) == image


def test_a_name_too_long_to_be_kept_is_split() -> None:
    path = "a" * 10_000
    assert read_image(f"ghcr.io/{path}:1") == Image(f"ghcr.io/{path}", "1", "")


@pytest.mark.parametrize(
    ("image", "registry"), [("busybox", "docker.io"), ("localhost/a", "localhost")]
)
def test_every_image_has_a_registry(image: str, registry: str) -> None:
    assert registry_of(image) == registry
