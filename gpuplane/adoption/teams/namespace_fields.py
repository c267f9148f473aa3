"""The namespaces of a team."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from charts_py.cluster_file.pool import Purpose
from charts_py.cluster_file.team import PodSecurity
from charts_py.objects.metadata import MANAGED_BY
from gpuplane.adoption.commented import Commented
from gpuplane.adoption.found_object import FoundObject
from gpuplane.adoption.stated_label import stated
from gpuplane.adoption.teams.dealt_quotas import DealtQuota, ResourceBound
from gpuplane.adoption.teams.found_quota import FoundQuota
from gpuplane.adoption.teams.quota_fields import quota_fields
from policies.settings import NamespaceSettings

_ENFORCED = "pod-security.kubernetes.io/enforce"
"""https://kubernetes.io/docs/concepts/security/pod-security-admission/"""


@dataclass(frozen=True, slots=True)
class FoundNamespace:
    """A namespace of a team, with what bounds it."""

    found: FoundObject
    quota: FoundQuota
    limits: tuple[FoundObject, ...]
    """Its LimitRanges."""
    bindings: tuple[FoundObject, ...]
    """Its RoleBindings."""
    own: NamespaceSettings | None
    """What the settings of gpuplane's own webhook say of it."""


def bounds_of(namespace: FoundNamespace) -> Iterator[ResourceBound]:
    """Yield what a namespace may request of each extended resource, but for none of it."""
    own = namespace.own
    granted = None if own is None or own.pools is None else frozenset(own.pools)
    for resource, count in namespace.quota.requested().items():
        if count:
            yield ResourceBound(namespace.found.name, resource, count, granted)


def namespace_fields(namespace: FoundNamespace, dealt: DealtQuota) -> Commented:
    """Return a namespace, each field with who states it."""
    labels = namespace.found.labels
    own = namespace.own
    fields = {
        "purpose": stated(labels, "purpose", [one.value for one in Purpose]),
        "quota": quota_fields(namespace.quota, dealt),
        **_pod_security(labels),
    }
    if own is not None and own.spot:
        fields["spot"] = Commented(value=True, origin="settings of the webhook")
    if own is not None and own.modes:
        fields["rules"] = Commented(dict(own.modes), "settings of the webhook")
    return Commented(fields, str(namespace.found), tuple(_lost(namespace)))


def _pod_security(labels: Mapping[str, str]) -> dict[str, Commented]:
    """Return the level that is enforced, which is none without a label."""
    level = labels.get(_ENFORCED)
    if level == PodSecurity.RESTRICTED:
        return {}
    origin = f"label {_ENFORCED}" if level else f"no label {_ENFORCED}, so that all is allowed"
    return {"podSecurity": Commented(level or PodSecurity.PRIVILEGED.value, origin)}


def _lost(namespace: FoundNamespace) -> Iterator[str]:
    for limit in namespace.limits:
        if MANAGED_BY.items() - limit.labels.items():
            yield f"not carried over: {limit}; gpuplane computes limits from the pools' nodes"
