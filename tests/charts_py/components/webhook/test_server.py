"""What the admission webhook's server knows of its cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.webhook.server import settings_config_map
from charts_py.platform.policy_settings import policy_settings
from policies.settings_json import read_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


@pytest.mark.parametrize("name", ["training", "inference", "mixed", "onprem"])
def test_the_server_reads_the_settings_of_its_cluster(
    example: Callable[[str], Platform], name: str
) -> None:
    settings = policy_settings(example(name))
    config_map = settings_config_map(settings)
    assert config_map["metadata"]["name"] == "gpuplane-webhook-settings"
    assert read_settings(config_map["data"]["settings.json"]) == settings
