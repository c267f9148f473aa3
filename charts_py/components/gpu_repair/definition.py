"""Nodes that are set aside for a broken GPU are rebooted or replaced, by choice.

Every five minutes a round looks at the nodes with the taint `readiness.k8s.io/gpu-unhealthy`, and
plans one on which nothing runs any more. If that is still so, the next round deletes its NodeClaim,
or makes a pod that reboots it. What it did is an annotation of the node and an Event, and keeps it
from doing so again. Policies of the API server refuse whatever its rights allow beyond that.
"""

from collections.abc import Iterator

from charts_py.cluster_file.addons import GpuHealthAction
from charts_py.cluster_file.fault import Fault, Problem
from charts_py.components.alert_tables import alert_table
from charts_py.components.api_server_addresses import check_known_addresses
from charts_py.components.definition import Definition
from charts_py.components.gpu_health import UNHEALTHY_KEY
from charts_py.components.gpu_repair.objects import (
    OWN_NAMESPACE,
    REBOOT_NAMESPACE,
    ROUNDS,
    access,
    acts,
    limits,
    reboots,
    settings,
)
from charts_py.components.webhook.server import image_warnings, registries
from charts_py.objects.document import Document
from charts_py.platform.contribution import NOTHING, Contribution
from charts_py.platform.draft import Draft
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from charts_py.providers.registry import PROVIDERS
from gpus.model import NVIDIA
from gpus.provider import Provider

_NAME = "gpu-repair"
_PATH = ("addons", "gpuHealth", "repair")
_WHERE = 'on-prem, or on eks with provisioner "karpenter"'


def check_repair(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where nothing is set aside, or nothing repairs a node from within."""
    addons = draft.cluster.addons
    if addons.repair is None or not draft.is_read(_PATH):
        return
    refused = list(_check_remedy(draft))
    yield from refused
    if refused:
        return
    if addons.gpu_health_action is GpuHealthAction.OBSERVE:
        what = "the action is observe, which sets no node aside that could be repaired"
        yield Problem(_PATH, what, "only with the action quarantine or evict")
    yield from check_known_addresses(draft, _PATH)
    if all(pool.hardware and pool.hardware.model.vendor != NVIDIA for pool in draft.pools):
        yield Problem(_PATH, f"without effect: no pool has GPUs of {NVIDIA}; remove this line")


def _check_remedy(draft: Draft) -> Iterator[Problem]:
    if draft.provider.makes_nodes and not draft.has_provider_settings:
        return
    if PROVIDERS[draft.provider.name].provisioner(draft.cluster).remedy is not None:
        return
    what = f"nothing in a cluster on {draft.provider.name} replaces a single machine"
    if draft.provider.name is Provider.EKS:
        what = "node groups are repaired by EKS, which `eks.nodeRepair` switches on"
    yield Problem(_PATH, what, f"only {_WHERE}")


def _objects(platform: Platform) -> Iterator[Document]:
    yield from ROUNDS.objects(platform, settings(platform))
    yield from access(platform)
    yield from limits(platform)


def _warnings(platform: Platform) -> Iterator[Fault]:
    if not platform.cluster.admission.has_webhook:
        yield from image_warnings(platform)


def _contributes(platform: Platform) -> Contribution:
    return Contribution(namespaces=(REBOOT_NAMESPACE,)) if reboots(platform) else NOTHING


GPU_REPAIR = Definition(
    name=_NAME,
    description=__doc__,
    appears="where the cluster asks for it, on-prem or on EKS with Karpenter",
    is_wanted=lambda platform: platform.cluster.addons.repair is not None,
    fields=(
        "addons.gpuHealth",
        "pools.NAME.nodes",
        "eks.provisioner",
        "network.apiServer",
        "network.dnsAddress",
        "webhook.image",
        "imagePullSecrets",
        "registries",
    ),
    depends_on=("gpu-health",),
    # Last: Argo CD waits for no round that fails.
    wave=Wave.EXTENSIONS,
    namespace=OWN_NAMESPACE,
    objects=_objects,
    registries=registries,
    checks=(check_repair,),
    warnings=_warnings,
    rules=alert_table(
        _NAME,
        ROUNDS.namespace,
        __package__,
        has=lambda platform, _: acts(platform),
        namespace=ROUNDS.namespace,
        cron_job=ROUNDS.name,
        unhealthy_key=UNHEALTHY_KEY,
    ),
    contributes=_contributes,
)
