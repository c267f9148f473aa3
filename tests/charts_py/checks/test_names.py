from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.cluster_file.fault import SpecError
from charts_py.load import load_platform

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_a_cluster_has_a_name_of_its_own(sample: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "fleet.yaml"
    file.write_text(sample("eks"), encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        load_platform(file, None)
    assert str(caught.value) == (
        f'{file}:1: "fleet" is the name of the folder dist/fleet; allowed: another file name'
    )
