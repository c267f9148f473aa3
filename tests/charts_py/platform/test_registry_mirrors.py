import pytest

from charts_py.platform.registry_mirrors import RegistryMirrors

MIRRORS = RegistryMirrors(
    {
        "docker.io": "registry.example.com:5000/hub",
        "nvcr.io": "registry.example.com/nvcr",
        "quay.io:8443": "quay.example.com",
    }
)
DIGEST = f"sha256:{'0' * 64}"

COPIES = [
    ("nvcr.io/nvidia/driver:595.91.07", "registry.example.com/nvcr/nvidia/driver:595.91.07"),
    (f"nvcr.io/a@{DIGEST}", f"registry.example.com/nvcr/a@{DIGEST}"),
    (f"nvcr.io/a:1@{DIGEST}", f"registry.example.com/nvcr/a:1@{DIGEST}"),
    ("quay.io:8443/a/b:1", "quay.example.com/a/b:1"),
    ("docker.io/rocm/a:1", "registry.example.com:5000/hub/rocm/a:1"),
]


@pytest.mark.parametrize(("image", "copy"), COPIES)
def test_a_copy_is_below_the_mirror_and_leads_back(image: str, copy: str) -> None:
    assert (MIRRORS.of(image), MIRRORS.original(copy)) == (copy, image)


@pytest.mark.parametrize(
    ("image", "copy"),
    [
        ("rocm/a:1", "registry.example.com:5000/hub/rocm/a:1"),
        ("busybox", "registry.example.com:5000/hub/library/busybox"),
        ("nvcr.io/nvidia/cloud-native", "registry.example.com/nvcr/nvidia/cloud-native"),
    ],
)
def test_short_names_and_folders_have_a_place_there_too(image: str, copy: str) -> None:
    assert MIRRORS.of(image) == copy


@pytest.mark.parametrize(
    "image", ["ghcr.io/a/b:1", "nvcr.io.example.com/a:1", "quay.io/a:1", "example.com/nvcr.io/a"]
)
def test_what_has_no_mirror_stays_as_it_is_written(image: str) -> None:
    assert (MIRRORS.of(image), MIRRORS.original(image)) == (image, None)


def test_a_neighbour_of_a_mirror_is_a_copy_of_nothing() -> None:
    assert MIRRORS.original("registry.example.com/nvcrs/a:1") is None


def test_prefixes_of_a_registry_with_a_mirror_are_those_of_the_mirror() -> None:
    given = ("nvcr.io/nvidia/", "ghcr.io/", "registry.example.com/nvcr/nvidia/", "docker.io/")
    assert MIRRORS.allowed(given) == (
        "registry.example.com/nvcr/nvidia/",
        "ghcr.io/",
        "registry.example.com:5000/hub/",
    )
