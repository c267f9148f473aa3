"""On-premises machines, which Node Feature Discovery labels and taints.

NFD makes no node: a pool's size is what stands in the racks, and `maxPods` is for whoever
configures the kubelets. The NFD master must have `enableTaints` on, or it leaves the taints out.
"""

from collections.abc import Iterable, Iterator

from charts_py.cluster_file.cluster import NetworkPolicyEngine
from charts_py.cluster_file.fault import Problem
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import taint_objects
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.name_rule import label_value_rule
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.provider_facts import CALICO, CILIUM, EngineSign
from charts_py.platform.wave import CONFIRMED_REMOVAL, Wave
from charts_py.providers.definition import ProviderDefinition, Provisioner, facts_of
from gpus.catalog import load_catalog
from gpus.provider import Provider
from repair.settings import Remedy


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
        metadata = ObjectMeta(pool.name, annotations=CONFIRMED_REMOVAL)
        yield object_of("nfd.k8s-sigs.io/v1alpha1", "NodeFeatureRule", metadata, body)


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


def check_match(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for pools that claim the same nodes.

    Two pools do so for certain when they have the same GPU and one of them names no machine, or
    both name one by the same expression; whether two expressions overlap cannot be known.
    """
    for pool in draft.pools:
        if draft.is_whole((*pool.path, "match")):
            yield from _check_rivals(pool, draft.pools)


def _check_rivals(pool: DraftPool, pools: Iterable[DraftPool]) -> Iterator[Problem]:
    others = [other for other in pools if other.name != pool.name and _same_gpu(pool, other)]
    if pool.spec.match.hostnames:
        for other in (other for other in others if other.name < pool.name):
            yield from _check_shared_expressions(pool, other)
    elif others:
        names = ", ".join(other.name for other in others)
        yield Problem(
            (*pool.path, "match"),
            f"it names no machines, so it also claims those of {names}, which have the same GPU",
            "hostnames: regular expressions on the names of its nodes",
        )


def _check_shared_expressions(pool: DraftPool, other: DraftPool) -> Iterator[Problem]:
    for index, expression in enumerate(pool.spec.match.hostnames):
        if expression in other.spec.match.hostnames:
            yield Problem(
                (*pool.path, "match", "hostnames", index),
                f'"{expression}" already belongs to {other.name}, which has the same GPU',
                "an expression of its own",
            )


def _same_gpu(pool: DraftPool, other: DraftPool) -> bool:
    """Return whether NFD cannot tell the GPUs of two pools apart."""
    if pool.hardware is None or other.hardware is None:
        return False
    model, rival = pool.hardware.model, other.hardware.model
    return (model.vendor, model.pci_device) == (rival.vendor, rival.pci_device)


ONPREM = ProviderDefinition(
    **facts_of(Provider.ONPREM),
    pool_name=lambda _draft, _pool: label_value_rule("a node label"),
    # The kind of the rules comes with the GPU operator, so that they follow it.
    provisioners={
        None: Provisioner(
            objects=node_feature_rules,
            wave=Wave.NODE_FEATURES,
            namespace="default",
            remedy=Remedy.REBOOT,
        )
    },
    network_policy_engines={
        NetworkPolicyEngine.CILIUM: CILIUM,
        NetworkPolicyEngine.CALICO: CALICO,
        NetworkPolicyEngine.ANTREA: (EngineSign("antrea-agent"),),
        # k3s runs it within its agent, where no object shows it.
        NetworkPolicyEngine.KUBE_ROUTER: (EngineSign("kube-router"),),
    },
    checks=(check_match,),
)
