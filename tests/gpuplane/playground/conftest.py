"""Clusters that answer about manifests."""

import datetime as dt
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

from charts_py.load import load_platform
from gpuplane.playground.answer import Answer
from gpuplane.playground.cluster_facts import PlaygroundFacts, playground_cluster
from gpuplane.playground.local_server import LocalServer
from gpuplane.playground.platform_facts import platform_facts
from gpuplane.playground.playground_answer import playground_answer

CLUSTERS = Path(__file__).parents[3] / "clusters"
SAMPLES = Path(__file__).parents[2] / "charts_py" / "samples"
TODAY = dt.date(2026, 10, 1)

Ask: TypeAlias = Callable[..., Answer]


@pytest.fixture(scope="session")
def training_facts() -> PlaygroundFacts:
    return platform_facts(load_platform(CLUSTERS / "training.yaml", CLUSTERS / "fleet.yaml"))


@pytest.fixture(scope="session")
def training(training_facts: PlaygroundFacts) -> Ask:
    """Return the function that asks the cluster `training` about a manifest."""
    cluster = playground_cluster(training_facts)
    return lambda manifest, namespace=None: playground_answer(cluster, manifest, namespace, TODAY)


@contextmanager
def serving(facts: PlaygroundFacts, examples: Path = Path("/nowhere")) -> Iterator[LocalServer]:
    """Serve the page of a cluster, with the examples of a folder, on a free port."""
    with LocalServer((facts,), examples, port=0) as server:
        thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01))
        thread.start()
        yield server
        server.shutdown()
        thread.join()
