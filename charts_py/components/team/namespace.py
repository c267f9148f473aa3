"""The Namespace of a team: whose it is, what for, who pays, and which pods it takes."""

from dataclasses import dataclass

from constructs import Construct

from charts_py.objects.confirmed_removal import CONFIRMED_REMOVAL
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.objects.pod_security import pod_security_labels
from charts_py.platform.platform import TeamNamespace
from charts_py.platform.team_labels import OWNER_LABEL, team_labels
from charts_py.spec.kubernetes_version import KubernetesVersion
from charts_py.spec.team import PodSecurity
from gpus.platform_names import PURPOSE


@dataclass(frozen=True, slots=True)
class LabelledNamespaceProps:
    """A namespace, and the Kubernetes version whose rules judge its pods."""

    namespace: TeamNamespace
    kubernetes: KubernetesVersion


class LabelledNamespace(Construct):
    """A Namespace that says whose it is, and which pods it takes.

    Whatever is enforced, pods that would break the restricted level are audited and warned of.
    """

    def __init__(self, scope: Construct, id: str, props: LabelledNamespaceProps) -> None:
        super().__init__(scope, id)
        namespace = props.namespace
        security = pod_security_labels(
            props.kubernetes,
            enforced=namespace.spec.pod_security,
            reported=PodSecurity.RESTRICTED,
        )
        metadata = ObjectMeta(
            name=namespace.name,
            labels={
                **security,
                **team_labels(namespace),
                PURPOSE: namespace.spec.purpose.value,
            },
            # A mail address is no label value; the team's volumes go with the namespace.
            annotations={OWNER_LABEL: namespace.team.owner, **CONFIRMED_REMOVAL},
        )
        add_object(self, "v1", "Namespace", metadata, {})
