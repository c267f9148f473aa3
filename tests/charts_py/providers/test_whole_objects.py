import json
from pathlib import Path

import pytest
import yaml

from tests.charts_py.fixture_types import ObjectsOf, PlatformWith

WHOLE = {file.stem: file for file in sorted((Path(__file__).parent / "whole").glob("*.yaml"))}
"""By provisioner, a pool and the one object that its nodes are made from."""


@pytest.mark.parametrize("provisioner", WHOLE)
def test_what_nodes_are_made_from_as_a_whole(
    platform_with: PlatformWith, objects_of: ObjectsOf, provisioner: str
) -> None:
    given = yaml.safe_load(WHOLE[provisioner].read_text(encoding="utf-8"))
    (made,) = objects_of(platform_with(provisioner, json.dumps(given["pool"]))).values()
    assert made == given["object"]
