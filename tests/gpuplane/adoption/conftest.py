"""Inventories from text, and from the exports beside the tests."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from gpuplane.adoption.export_files import read_exports
from gpuplane.adoption.found_object import Inventory

Reading: TypeAlias = Callable[[str], Inventory]
"""What reads an inventory by the name of its exports, or from their text."""

EXPORTS = Path(__file__).parent / "exports"
"""What clusters could hold, a folder each."""


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> Reading:
    """Return the function that reads the exports of a cluster by its name."""
    monkeypatch.chdir(EXPORTS)
    return lambda name: read_exports([Path(name)])


@pytest.fixture
def inventory_of(tmp_path: Path) -> Reading:
    """Return the function that reads the text of an exported file."""

    def read(text: str) -> Inventory:
        file = tmp_path / "export.yaml"
        file.write_text(text, encoding="utf-8")
        return read_exports([file])

    return read
