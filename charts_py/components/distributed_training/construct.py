"""The resource DistributedTraining, and the warning that nothing acts on it."""

from constructs import Construct

from charts_py.components.admission_policies.construct import AdmissionPolicies
from charts_py.components.distributed_training.custom_resource_definition import (
    custom_resource_definition,
)
from charts_py.components.distributed_training.unexpanded import UNEXPANDED
from charts_py.objects.kube_object import add_documents


class DistributedTrainings(Construct):
    """Its CustomResourceDefinition, and the policy that warns."""

    def __init__(self, scope: Construct, id: str) -> None:
        super().__init__(scope, id)
        add_documents(self, [custom_resource_definition()])
        AdmissionPolicies(self, "policies", (UNEXPANDED,))
