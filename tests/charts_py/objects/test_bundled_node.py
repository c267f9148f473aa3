import os
from pathlib import Path

import pytest

from charts_py.objects.bundled_node import use_bundled_node


def test_the_bundled_node_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JSII_NODE", raising=False)
    use_bundled_node()
    assert Path(os.environ["JSII_NODE"]).name == "node"
    assert Path(os.environ["JSII_NODE"]).is_file()


def test_another_node_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JSII_NODE", "/usr/bin/other-node")
    use_bundled_node()
    assert os.environ["JSII_NODE"] == "/usr/bin/other-node"
