"""What is written for the oldest supported Kubernetes runs on it."""

import pytest

from tests.binaries.control_plane import OLDEST, PinnedKubernetes


@pytest.fixture(scope="session")
def kubernetes() -> PinnedKubernetes:
    """What the control planes of this folder are of."""
    return OLDEST
