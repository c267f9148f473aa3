"""The objects of repair: its rights, what limits them, the pod that reboots, and its settings."""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.queues import NODE_CRITICAL
from charts_py.components.access import cluster_role, policy_rule, role_binding
from charts_py.components.gpu_health import OWN_CONDITIONS, UNHEALTHY_KEY, most_a_day
from charts_py.components.node_problem_detector.monitors import reason_of
from charts_py.components.object_table import read_objects
from charts_py.components.rounds import Rounds
from charts_py.components.webhook.server import webhook_image
from charts_py.metrics.table import read_table
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta
from charts_py.objects.pods import secret_references
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.platform import Platform
from charts_py.providers.registry import PROVIDERS
from gpus.platform_names import LABEL_PREFIX, POOL
from gpus.xid import Xid, XidClass, xids_of
from policies.cel.text import quote, texts, texts_in_order
from policies.settings import PodSecurity
from repair.names import ANNOTATIONS, VARIABLES
from repair.settings import Remedy, RepairAction, Settings

ROUNDS = Rounds("repair", "gpuplane-repair", minutes=5)
OWN_NAMESPACE = PlatformNamespace(ROUNDS.namespace, PodSecurity.RESTRICTED)
REBOOT_NAMESPACE = PlatformNamespace("gpuplane-reboot", PodSecurity.PRIVILEGED)
"""Nothing else stands in it."""
_UNPLUGGED = "CHECK_MECHANICALS"
"""The bucket of errors that somebody has to go to the machine for."""
_FIELDS_OF_POD = (
    *("dnsPolicy", "imagePullSecrets", "nodeName", "nodeSelector", "preemptionPolicy", "priority"),
    *("schedulerName", "securityContext", "serviceAccount", "serviceAccountName"),
    "terminationGracePeriodSeconds",
)
"""What a round or the API server adds to the pod that reboots."""
_FIELDS_OF_CONTAINER = ("env", "imagePullPolicy", "terminationMessagePolicy")
"""The same of its container."""
_DAYS_OF_HARDWARE = 30
"""A reboot often clears an error of hardware, and one that is back within a month did not go."""


def remedy_of(platform: Platform) -> Remedy | None:
    return PROVIDERS[platform.provider.name].provisioner(platform.cluster).remedy


def acts(platform: Platform) -> bool:
    return platform.cluster.addons.repair is RepairAction.ACT


def reboots(platform: Platform) -> bool:
    return acts(platform) and remedy_of(platform) is Remedy.REBOOT


def settings(platform: Platform) -> Settings:
    """Return the settings of repair, which the cluster has asked for."""
    remedy, health = remedy_of(platform), platform.cluster.addons.gpu_health
    if remedy is None or health is None or health.repair is None:
        raise RenderError("addons.gpuHealth.repair needs a remedy of the provider")
    return Settings(
        action=health.repair,
        remedy=remedy,
        taint=UNHEALTHY_KEY,
        conditions=tuple(each.type for each in OWN_CONDITIONS),
        most=most_a_day(platform),
        days=dict(_days(remedy)),
        pod=reboot_pod(platform) if reboots(platform) else None,
    )


def _days(remedy: Remedy) -> Iterator[tuple[str, int]]:
    """Yield the reasons that a remedy may cure, each with the days until it may be tried again."""
    for xid in xids_of(XidClass.HARDWARE, XidClass.DRIVER):
        if remedy is Remedy.REPLACE:
            yield reason_of(xid), 1
        elif xid.bucket != _UNPLUGGED:
            yield reason_of(xid), _days_of_reboot(xid)


def _days_of_reboot(xid: Xid) -> int:
    return _DAYS_OF_HARDWARE if xid.xid_class is XidClass.HARDWARE else 1


def reboot_pod(platform: Platform) -> dict[str, Any]:
    (pod,) = read_objects(
        __package__,
        "reboot_pod",
        namespace=REBOOT_NAMESPACE.name,
        labels={"app.kubernetes.io/name": REBOOT_NAMESPACE.name},
        image=platform.mirrors.of(webhook_image(platform.cluster)),
        pull_secrets=secret_references(platform.cluster.pull_secret_names),
        priority_class=NODE_CRITICAL,
    )
    return dict(pod)


def access(platform: Platform) -> Iterator[Document]:
    """Yield its rights: to read, to tell and, where it acts, what its remedy takes."""
    seen = [policy_rule("", ("nodes", "pods"), "list")]
    if acts(platform):
        seen.append(policy_rule("", ("nodes",), "patch"))
        if remedy_of(platform) is Remedy.REPLACE:
            seen.append(policy_rule("karpenter.sh", ("nodeclaims",), "delete"))
    yield from _granted(ROUNDS.name, None, seen)
    yield from _granted(
        f"{ROUNDS.name}-events", "default", [policy_rule("", ("events",), "create")]
    )
    if reboots(platform):
        made = [policy_rule("", ("pods",), "create", "delete", "list")]
        yield from _granted(f"{ROUNDS.name}-pods", REBOOT_NAMESPACE.name, made)


def _granted(name: str, namespace: str | None, rules: list[dict[str, Any]]) -> Iterator[Document]:
    yield cluster_role(name, rules)
    yield role_binding(ObjectMeta(name, namespace), name, [ROUNDS.subject])


def limits(platform: Platform) -> Iterator[Document]:
    """Yield policies of the API server for what its rights allow beyond what it needs."""
    if not acts(platform):
        return
    resource = "pods" if reboots(platform) else "nodeclaims"
    known = _limits(platform)
    for each in ("nodes", resource):
        row = known[each]
        yield from read_objects(
            __package__,
            "limit",
            name=f"{each}.gpu-repair.{LABEL_PREFIX}",
            user=ROUNDS.user,
            rule={
                "apiGroups": [row["group"]],
                "apiVersions": ["*"],
                "operations": [row["operation"]],
                "resources": [each],
            },
            expression=row["expression"],
            message=row["message"],
        )


def _limits(platform: Platform) -> Mapping[str, Mapping[str, str]]:
    spec = reboot_pod(platform)["spec"]
    (container,) = spec["containers"]
    rows: Mapping[str, Mapping[str, str]] = read_table(
        files(__package__) / "limits.yaml",
        pool_label=POOL,
        annotations=texts(ANNOTATIONS),
        pod_fields=texts({*spec, *_FIELDS_OF_POD}),
        seconds=spec["activeDeadlineSeconds"],
        container_fields=texts({*container, *_FIELDS_OF_CONTAINER}),
        image=quote(container["image"]),
        command=texts_in_order(container["command"]),
        variables=texts(VARIABLES),
    )
    return rows
