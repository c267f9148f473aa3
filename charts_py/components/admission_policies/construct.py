"""Policies of the API server, each with its binding."""

from collections.abc import Iterable, Iterator

from constructs import Construct

from charts_py.components.admission_policies.mutating_policy import MutatingPolicy
from charts_py.components.admission_policies.policy import Policy
from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_documents
from charts_py.objects.metadata import ObjectMeta, object_of

_API_VERSION = "admissionregistration.k8s.io/v1"


class AdmissionPolicies(Construct):
    """Policies, each bound to the namespaces that it is about."""

    def __init__(
        self, scope: Construct, id: str, policies: Iterable[Policy | MutatingPolicy]
    ) -> None:
        super().__init__(scope, id)
        add_documents(self, (each for policy in policies for each in _objects(policy)))


def _objects(policy: Policy | MutatingPolicy) -> Iterator[Document]:
    for kind, spec in (
        (policy.kind, policy.spec()),
        (f"{policy.kind}Binding", policy.binding_spec()),
    ):
        metadata = ObjectMeta(policy.name, annotations=policy.annotations)
        yield object_of(_API_VERSION, kind, metadata, {"spec": spec})
