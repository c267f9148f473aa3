"""The Namespace of a team: whose it is, what for, who pays, and which pods it takes."""

from collections.abc import Mapping

from charts_py.cluster_file.team import PodSecurity
from charts_py.objects.confirmed_removal import CONFIRMED_REMOVAL
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pod_security import pod_security_labels
from charts_py.platform.platform import TeamNamespace
from charts_py.platform.team_labels import team_labels
from gpus.platform_names import OWNER, PURPOSE
from upstream.kubernetes_version import KubernetesVersion


def labelled_namespace(
    namespace: TeamNamespace, version: KubernetesVersion, annotations: Mapping[str, str]
) -> Document:
    """Return a Namespace that says whose it is, and which pods it takes by this version's rules.

    At every enforced level, pods that would break the restricted level are audited and warned of.
    """
    security = pod_security_labels(
        version, enforced=namespace.spec.pod_security, reported=PodSecurity.RESTRICTED
    )
    metadata = ObjectMeta(
        name=namespace.name,
        labels={**security, **team_labels(namespace), PURPOSE: namespace.spec.purpose.value},
        # A mail address is not a label value; the team's volumes go with the namespace.
        annotations={OWNER: namespace.team.owner, **CONFIRMED_REMOVAL, **annotations},
    )
    return object_of("v1", "Namespace", metadata, {})
