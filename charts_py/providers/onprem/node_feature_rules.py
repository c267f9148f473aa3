"""Machines that are there: Node Feature Discovery labels and taints what it finds in them.

NFD makes no node: a pool's size is what stands in the racks, and `maxPods` is for whoever
configures the kubelets. The NFD master must have `enableTaints` on, or it leaves the taints out.
"""

from collections.abc import Callable

from constructs import Construct

from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.objects.tolerations import taint_objects
from charts_py.platform.platform import Platform, PlatformPool
from gpus.catalog import load_catalog


class NodeFeatureRules(Construct):
    """One NodeFeatureRule per pool: the PCI device of its GPU, on machines of the pool's names.

    https://kubernetes-sigs.github.io/node-feature-discovery/v0.19/usage/customization-guide.html
    """

    def __init__(self, scope: Construct, id: str, platform: Platform) -> None:
        super().__init__(scope, id)
        for pool in platform.pools:
            rule = {
                "name": pool.name,
                "labels": dict(pool.facts.labels),
                "taints": taint_objects(pool.own_taints),
                "matchFeatures": _features(pool),
            }
            metadata = ObjectMeta(pool.name)
            body = {"spec": {"rules": [rule]}}
            add_object(self, "nfd.k8s-sigs.io/v1alpha1", "NodeFeatureRule", metadata, body)


def _features(pool: PlatformPool) -> list[dict[str, object]]:
    model = pool.hardware.model
    device = {
        "vendor": {"op": "In", "value": [load_catalog().vendor_of(model).pci_vendor]},
        "device": {"op": "In", "value": [model.pci_device]},
    }
    features: list[dict[str, object]] = [{"feature": "pci.device", "matchExpressions": device}]
    if pool.spec.match.hostnames:
        name = {"nodename": {"op": "InRegexp", "value": list(pool.spec.match.hostnames)}}
        features.append({"feature": "system.name", "matchExpressions": name})
    return features


def construct(platform: Platform) -> Callable[[Construct], object]:
    """Return what adds the rules."""
    return lambda scope: NodeFeatureRules(scope, "node-feature-rules", platform)
