"""How many inputs property tests try, what processes share, and how often garbage is collected."""

import gc
import os
import pickle
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.pinned_definitions import PinnedDefinitions, read_definitions
from tests.written_once import written_once

# The same examples on every run: what fails in a pull request fails on the author's machine too.
settings.register_profile("repeatable", max_examples=20, derandomize=True, deadline=None)
# New examples on every run, and many: `make fuzz`.
settings.register_profile(
    "fuzz", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_collection_finish() -> None:
    """Keep the collector from what is imported, and from each look at what is being parsed.

    With Python's own thresholds it takes a sixth of the tests' time.
    """
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


@pytest.fixture(scope="session")
def folder_of_run(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return the folder that all processes share that run these tests at the same time."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


@pytest.fixture(scope="session")
def pinned_definitions(
    tmp_path_factory: pytest.TempPathFactory, folder_of_run: Path
) -> PinnedDefinitions:
    """Return the definitions of the mirror, read once in a run; skip where there is no mirror."""
    if (mirror := os.environ.get("GPUPLANE_MIRROR")) is None:
        pytest.skip("GPUPLANE_MIRROR does not name a folder with upstream files")
    file, own = folder_of_run / "definitions.pickle", tmp_path_factory.mktemp("definitions")
    read = written_once(file, own, lambda: pickle.dumps(read_definitions(Path(mirror))))
    found: PinnedDefinitions = pickle.loads(read)  # noqa: S301 # this run's own
    return found
