"""Versions of a platform and when they go live, and what minors of Kubernetes introduced."""

import datetime as dt
import re
from enum import StrEnum
from typing import Annotated

import semver
from pydantic import AfterValidator, Field

from charts_py.cluster_file.strict_model import Refused, StrictModel, Unique
from charts_py.cluster_file.text_forms import MailAddress
from upstream.kubernetes_version import KubernetesVersion

_INSTANT_FORMAT = "YYYY-MM-DDThh:mm[:ss] with Z or an offset, as 2026-12-18T18:00:00+01:00"
_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d)?(?P<zone>[Zz]|[+-]\d\d:\d\d)?")


def parse_instant(text: str) -> dt.datetime:
    """Return a point in time; raise ValueError where it is none, or has no time zone."""
    instant = dt.datetime.fromisoformat(text.upper())
    if instant.tzinfo is None:
        raise ValueError(f"{text} has no time zone")
    return instant


def _instant(text: str) -> str:
    written = _RFC_3339.fullmatch(text)
    if written is None:
        raise Refused(f'"{text}" is not a point in time', _INSTANT_FORMAT)
    if written["zone"] is None:
        raise Refused(f'"{text}" has no time zone', _INSTANT_FORMAT, (f"{text}Z",))
    try:
        parse_instant(text)
    except ValueError as error:
        raise Refused(f'"{text}": {error}', _INSTANT_FORMAT) from error
    return text


Instant = Annotated[str, AfterValidator(_instant), Field(examples=["2026-12-18T18:00:00+01:00"])]
"""A date and time with its zone (https://www.rfc-editor.org/rfc/rfc3339), seconds or none."""
_HOURS_OF_A_YEAR = 24 * 365


class Freeze(StrictModel):
    """A time in which no version goes live."""

    from_: Instant = Field(alias="from")
    """When it begins."""
    to: Instant = Field(examples=["2027-01-04T08:00:00+01:00"])
    """When it ends."""
    reason: str = Field(min_length=8)
    """What it is for."""
    clusters: Annotated[tuple[str, ...], Unique()] = Field(default=(), examples=[["training"]])
    """The clusters that it holds for; all by default."""

    @property
    def begins(self) -> dt.datetime:
        return parse_instant(self.from_)

    @property
    def ends(self) -> dt.datetime:
        """When it ends; by then versions may go live again."""
        return parse_instant(self.to)

    def holds(self, cluster: str, now: dt.datetime) -> bool:
        return cluster in (self.clusters or (cluster,)) and self.begins <= now < self.ends


class Hold(StrictModel):
    """Why a cluster stays on the version that is live."""

    reason: str = Field(min_length=8)
    """What has to be done first."""
    owner: MailAddress
    """Email address of the person who asked for it."""
    until: dt.date
    """Last day of it, in UTC; afterwards `gpuplane synth` warns of it."""

    @property
    def ends(self) -> dt.datetime:
        """When versions may go live again."""
        next_day = self.until + dt.timedelta(days=1)
        return dt.datetime.combine(next_day, dt.time(), dt.UTC)


class Promotion(StrictModel):
    """When a version may go live, as `gpuplane promote` sees to it (docs/versions.md).

    Stated in `fleet.yaml`, it holds for every cluster; a cluster file may state a part otherwise.
    """

    chain: Annotated[tuple[str, ...], Unique()] = Field(
        default=(), examples=[["staging", "training"]]
    )
    """Clusters in the order in which they take a change of what they share: versions of gpuplane
    and of charts, and `fleet.yaml`. Those that it does not name wait for none."""
    soak_hours: int = Field(default=24, ge=0, le=_HOURS_OF_A_YEAR)
    """Hours that the cluster before must have run a change until it goes live on the next."""
    freezes: tuple[Freeze, ...] = ()
    """Times in which nothing goes live."""
    hold: Hold | None = None
    """Keeps the live version; in the file of a cluster, that of this one alone."""
    keep: int | None = Field(default=None, ge=0, le=1000, examples=[3])
    """Released versions that `gpuplane release` leaves in `dist/` besides the new one, what is
    live, and what was live before. It deletes older ones in the same step; git keeps them. By
    default all stay."""

    def before(self, cluster: str) -> str | None:
        """Return the cluster that has to run a change before another; None where none has."""
        if cluster not in self.chain[1:]:
            return None
        return self.chain[self.chain.index(cluster) - 1]


NOT_LIVE = "none"
"""Stands in the place of a live version where Argo CD syncs none."""
_FORMAT = "MAJOR.MINOR.PATCH[-PRERELEASE]"


def _semantic_version(text: str) -> str:
    if not semver.Version.is_valid(text):
        raise Refused(f'"{text}" is not a semantic version', _FORMAT, _nearest(text))
    if semver.Version.parse(text).build is not None:
        raise Refused(f'"{text}" has build metadata', _FORMAT)
    return text


def _nearest(text: str) -> tuple[str, ...]:
    """Return the version that a tag such as `v1.2.0`, or `1.2`, stands for."""
    numbers = re.fullmatch(r"v?([0-9]+)(\.[0-9]+)?(\.[0-9]+)?(-[0-9A-Za-z.-]+)?", text)
    if numbers is None:
        return ()
    major, minor, patch, prerelease = numbers.groups()
    near = f"{major}{minor or '.0'}{patch or '.0'}{prerelease or ''}"
    return (near,) if semver.Version.is_valid(near) else ()


def _live_version(text: str) -> str:
    if text == NOT_LIVE:
        return text
    try:
        return _semantic_version(text)
    except Refused as refused:
        raise Refused(refused.what, f"{_FORMAT}, or {NOT_LIVE}", refused.nearest) from None


SemanticVersion = Annotated[
    str, AfterValidator(_semantic_version), Field(examples=["1.2.0", "1.3.0-rc.1"])
]
"""https://semver.org, without build metadata, which comparisons ignore."""
LiveVersion = Annotated[
    str, AfterValidator(_live_version), Field(examples=["1.2.0", "1.3.0-rc.1", NOT_LIVE])
]
"""The same, or `none`."""


class Feature(StrEnum):
    """What is emitted only where the API server supports it; the value is its name."""

    RESOURCE_CLAIMS = "resource claims (resource.k8s.io/v1)"
    COMPUTE_CLASS_SHARING = "sharing of GPUs in a ComputeClass"
    ACCELERATOR_NETWORKS = "networks that GKE makes for a ComputeClass"
    EXTENDED_RESOURCES_BY_DRA = "stable DRA of extended resources (KEP-5004)"
    MUTATING_POLICIES = "policies that fix pods (MutatingAdmissionPolicy v1)"
    SAFE_POLICIES = "policies that cannot crash the API server (kubernetes#135757)"
    IMAGE_VOLUMES = "volumes of images"


_SINCE = {
    # https://github.com/kubernetes/enhancements/tree/master/keps/sig-node/4381-dra-structured-parameters
    Feature.RESOURCE_CLAIMS: KubernetesVersion.V1_34,
    # gpuSharing, https://cloud.google.com/kubernetes-engine/docs/reference/crds/computeclass
    Feature.COMPUTE_CLASS_SHARING: KubernetesVersion.V1_35,
    # 1.34.1-gke.1829001, https://cloud.google.com/kubernetes-engine/docs/how-to/allocate-network-resources-dra
    Feature.ACCELERATOR_NETWORKS: KubernetesVersion.V1_34,
    # On by default from 1.36, where whoever runs the cluster can still switch it off: the gate
    # DRAExtendedResource, https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/features/kube_features.go
    Feature.EXTENDED_RESOURCES_BY_DRA: KubernetesVersion.V1_37,
    # https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
    Feature.MUTATING_POLICIES: KubernetesVersion.V1_36,
    # https://github.com/kubernetes/kubernetes/pull/135759
    Feature.SAFE_POLICIES: KubernetesVersion.V1_36,
    # https://kubernetes.io/docs/tasks/configure-pod-container/image-volumes/
    Feature.IMAGE_VOLUMES: KubernetesVersion.V1_35,
}


def since(feature: Feature) -> KubernetesVersion:
    return _SINCE[feature]


def has(version: KubernetesVersion, feature: Feature) -> bool:
    order = tuple(KubernetesVersion)
    return order.index(version) >= order.index(since(feature))
