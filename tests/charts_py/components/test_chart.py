"""The images of charts, by the values that name them."""

from typing import Any

import pytest

from charts_py.components.chart import ChartImage, known_chart, mirrored_values
from charts_py.platform.registry_mirrors import RegistryMirrors
from tests.charts_py.fixture_types import Load

DETECTOR = ChartImage(section="image", repository="registry.k8s.io/npd/npd", tag="v1")
DRIVER = ChartImage(
    section="driver",
    repository="nvcr.io/nvidia",
    name="driver",
    tag="595",
    tag_key="version",
    runs_where={"driver.enabled": True},
)
MANAGER = ChartImage(
    section="driver.manager", repository="nvcr.io/nvidia", name="manager", tag="v1"
)
DIGEST = f"sha256:{'0' * 64}"
APART = ChartImage(
    section="exporter.image",
    repository="nvcr.io/opencost/opencost",
    registry_key="registry",
    tag=f"1.0@{DIGEST}",
)
"""With the registry as a value of its own."""
NAMED_APART = ChartImage(
    section="global",
    repository="ghcr.io/kai",
    repository_key="registry",
    name="binder",
    named_at="binder.image.name",
    tag="v1",
)
"""With the name in another section than the registry."""
MIRRORS = RegistryMirrors({"nvcr.io": "registry.example.com/nvcr"})


@pytest.mark.parametrize(
    ("image", "values", "reference"),
    [
        (DETECTOR, {}, "registry.k8s.io/npd/npd:v1"),
        (DETECTOR, {"image": {"tag": ""}}, "registry.k8s.io/npd/npd:v1"),
        (DETECTOR, {"image": {"tag": "v2"}}, "registry.k8s.io/npd/npd:v2"),
        (DETECTOR, {"image": {"digest": DIGEST}}, f"registry.k8s.io/npd/npd@{DIGEST}"),
        (DRIVER, {}, "nvcr.io/nvidia/driver:595"),
        (DRIVER, {"driver": {"version": "580.1"}}, "nvcr.io/nvidia/driver:580.1"),
        (DRIVER, {"driver": {"version": DIGEST}}, f"nvcr.io/nvidia/driver@{DIGEST}"),
        (DRIVER, {"driver": {"repository": "a.example.com"}}, "a.example.com/driver:595"),
        (NAMED_APART, {}, "ghcr.io/kai/binder:v1"),
        (
            NAMED_APART,
            {"global": {"registry": "a.example.com"}, "binder": {"image": {"name": "b"}}},
            "a.example.com/b:v1",
        ),
        (APART, {}, f"nvcr.io/opencost/opencost:1.0@{DIGEST}"),
        (
            APART,
            {"exporter": {"image": {"registry": "a.example.com", "tag": "2.0"}}},
            "a.example.com/opencost/opencost:2.0",
        ),
    ],
)
def test_values_decide_what_the_chart_puts_together(
    image: ChartImage, values: dict[str, Any], reference: str
) -> None:
    assert image.reference(values) == reference


@pytest.mark.parametrize(
    ("values", "runs"),
    [({}, True), ({"driver": {"enabled": False}}, False), ({"driver": {}}, True)],
)
def test_what_is_switched_off_does_not_run(values: dict[str, Any], runs: bool) -> None:
    assert DRIVER.runs(values) is runs


def test_only_what_has_a_mirror_is_set_beside_the_other_values() -> None:
    values = {"driver": {"enabled": True, "manager": {"env": []}}, "image": {"tag": "v2"}}
    assert mirrored_values(values, (DETECTOR, DRIVER, MANAGER), MIRRORS) == {
        "driver": {
            "enabled": True,
            "repository": "registry.example.com/nvcr/nvidia",
            "manager": {"env": [], "repository": "registry.example.com/nvcr/nvidia"},
        },
        "image": {"tag": "v2"},
    }


def test_a_registry_that_is_a_value_of_its_own_is_that_of_the_mirror() -> None:
    assert mirrored_values({}, (APART,), MIRRORS) == {
        "exporter": {
            "image": {"registry": "registry.example.com", "repository": "nvcr/opencost/opencost"}
        }
    }


def test_a_repository_that_the_values_name_is_the_one_that_is_mirrored() -> None:
    values = {"driver": {"repository": "nvcr.io/other"}}
    assert mirrored_values(values, (DRIVER,), MIRRORS) == {
        "driver": {"repository": "registry.example.com/nvcr/other"}
    }


def test_without_mirrors_nothing_is_set() -> None:
    assert mirrored_values({}, (DETECTOR, DRIVER, MANAGER), RegistryMirrors({})) == {}


@pytest.mark.parametrize("name", ["cert-manager", "kueue", "opencost"])
def test_what_aks_changes_of_a_webhook_is_no_difference(name: str, example: Load) -> None:
    chart, aks = known_chart(name), example("mixed")
    (expression,) = aks.provider.webhook_differences
    kinds = [each for each in chart.cluster_kinds if "WebhookConfiguration" in each]
    group = "admissionregistration.k8s.io"
    assert list(chart.release(aks, {}).ignore_differences) == [
        {"group": group, "kind": kind.partition(".")[0], "jqPathExpressions": [expression]}
        for kind in kinds
    ]
    assert chart.release(example("training"), {}).ignore_differences == ()
