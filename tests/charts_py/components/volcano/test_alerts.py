"""The alerts are about what the chart installs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from charts_py.components.volcano.definition import VOLCANO

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.components.component import Component
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def test_each_deployment_of_the_chart_is_watched(
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
    rendered: Callable[[Component], tuple[Document, ...]],
) -> None:
    (component,) = VOLCANO.plan(platform_of(sample("volcano")))
    installed = [
        each["metadata"]["name"] for each in rendered(component) if each["kind"] == "Deployment"
    ]
    watched = [re.findall(r'deployment="([^"]+)"', alert.expression) for alert in VOLCANO.alerts()]
    assert sorted(installed) == sorted(name for names in watched for name in names)
