"""Node Feature Discovery labels and taints the machines of on-premises pools.

NFD makes no node: a pool's size is what stands in the racks, and `maxPods` is for whoever
configures the kubelets. The NFD master must have `enableTaints` on, or it leaves the taints out.
"""

from collections.abc import Iterator

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import taint_objects
from charts_py.platform.platform import Platform, PlatformPool
from gpus.catalog import load_catalog


def node_feature_rules(platform: Platform) -> Iterator[Document]:
    """Yield a NodeFeatureRule for each pool: the PCI device of its GPU, on machines of its names.

    https://kubernetes-sigs.github.io/node-feature-discovery/v0.19/usage/customization-guide.html
    """
    for pool in platform.pools:
        rule = {
            "name": pool.name,
            "labels": dict(pool.facts.labels),
            "taints": taint_objects(pool.own_taints),
            "matchFeatures": _features(pool),
        }
        body = {"spec": {"rules": [rule]}}
        api_version = "nfd.k8s-sigs.io/v1alpha1"
        yield object_of(api_version, "NodeFeatureRule", ObjectMeta(pool.name), body)


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
