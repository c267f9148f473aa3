from collections.abc import Iterator

import pytest

from tests.gpuplane.model_registry.recorded import Recorded, recorded_registry


@pytest.fixture
def registry() -> Iterator[Recorded]:
    with recorded_registry() as state:
        yield state
