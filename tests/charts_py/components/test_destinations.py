"""Where Argo CD may put what a chart renders."""

from collections.abc import Callable, Iterable

import pytest

from charts_py.argocd.permissions import permissions_of
from charts_py.components import efa_device_plugin, gpu_operator, node_feature_discovery
from charts_py.components.component import Component
from charts_py.objects.document import Document, key_of
from charts_py.platform.platform import Platform


@pytest.mark.parametrize(
    ("cluster", "plan"),
    [
        *((cluster, gpu_operator.plan) for cluster in ("training", "inference", "mixed", "onprem")),
        ("training", efa_device_plugin.plan),
        ("intel", node_feature_discovery.plan),
    ],
)
def test_every_namespace_that_a_chart_names_is_a_destination(
    cluster: str,
    plan: Callable[[Platform], Iterable[Component]],
    example: Callable[[str], Platform],
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
    rendered: Callable[[Component], tuple[Document, ...]],
) -> None:
    platform = platform_of(sample("intel")) if cluster == "intel" else example(cluster)
    components = tuple(plan(platform))
    (release,) = (component for component in components if component.helm is not None)
    named = {key_of(document).namespace for document in rendered(release)} - {""}
    allowed = permissions_of(components, {}, platform.cluster.gitops).destinations
    assert named <= {each.namespace for each in allowed}
