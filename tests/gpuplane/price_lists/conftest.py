from collections.abc import Iterator
from threading import Thread

import pytest

from tests.gpuplane.price_lists.cloud import Answer, Cloud


@pytest.fixture
def cloud() -> Iterator[Cloud]:
    with Cloud(("127.0.0.1", 0), Answer) as server:
        server.answers = {}
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()
