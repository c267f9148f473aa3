"""Platforms from changed samples."""

import pytest

from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import Load, PlatformWith, Sample


@pytest.fixture
def platform_after(platform_of: Load, sample: Sample) -> PlatformWith:
    """Return the function that loads the platform of a sample with pieces of it replaced."""

    def load(name: str, *replacements: tuple[str, str]) -> Platform:
        return platform_of(sample(name, *replacements))

    return load
