"""Errors of reading `dist/`."""

from pathlib import Path

import pytest

from gpuplane.versions.dist_error import unknown


@pytest.mark.parametrize(
    ("name", "allowed", "place", "message"),
    [
        ("traning", ["training"], None, "allowed: training; nearest: training"),
        ("x", ["training", "mixed"], None, "allowed: training, mixed"),
        ("x", [], None, "allowed: none"),
    ],
)
def test_an_unknown_name_comes_with_what_is_allowed(
    name: str, allowed: list[str], place: Path | None, message: str
) -> None:
    assert str(unknown("cluster", name, allowed, place)) == f'unknown cluster "{name}"; {message}'


def test_the_place_is_named_where_it_matters() -> None:
    error = unknown("version", "1", ["2"], Path("dist/training"))
    assert str(error) == 'unknown version "1" in dist/training; allowed: 2'
