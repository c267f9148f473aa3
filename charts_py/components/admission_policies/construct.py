"""ValidatingAdmissionPolicies, each with its binding."""

from constructs import Construct

from charts_py.components.admission_policies.granted_pools import (
    NAME,
    binding_spec,
    policy_spec,
)
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from policies.settings import Settings

_API_VERSION = "admissionregistration.k8s.io/v1"


class AdmissionPolicies(Construct):
    """The policy on granted pools, bound to the namespaces that it is about.

    https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
    """

    def __init__(self, scope: Construct, id: str, settings: Settings) -> None:
        super().__init__(scope, id)
        for kind, spec in (
            ("ValidatingAdmissionPolicy", policy_spec(settings)),
            ("ValidatingAdmissionPolicyBinding", binding_spec(settings)),
        ):
            add_object(self, _API_VERSION, kind, ObjectMeta(NAME), {"spec": spec})
