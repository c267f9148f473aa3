"""KubeRay, where a cluster asks for it."""

from charts_py.components.kuberay_operator import KUBERAY, KUBERAY_OPERATOR, NAMESPACE, SELECTOR
from charts_py.platform.contribution import TeamAdditions
from tests.charts_py.components.opened import in_namespace, ingress, tcp
from tests.charts_py.fixture_types import PlatformWith

ON_GKE = ("provider: eks\n", "provider: eks\naddons: {monitoring: {serviceMonitors: false}}\n")


def test_the_operator_reaches_the_pods_of_ray_clusters_in_namespaces_of_teams(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after("operators")
    operator = in_namespace(NAMESPACE) | {"podSelector": {"matchLabels": SELECTOR}}
    assert platform.contribution.teams["research-training"][KUBERAY_OPERATOR] == TeamAdditions(
        network_policies={
            "allow-ray-operator": ingress(
                {"from": [operator], "ports": tcp(8265, 8000)},
                pods={"matchExpressions": [{"key": "ray.io/cluster", "operator": "Exists"}]},
            )
        }
    )


def test_where_others_scrape_it_is_not_said_how(platform_after: PlatformWith) -> None:
    platform = platform_after("operators", ON_GKE)
    assert KUBERAY.scraped(platform) == ()
