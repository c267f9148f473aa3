"""Refuses a DistributedTraining that is applied as it is, since nothing would come of it."""

from charts_py.components.admission_policies.policy import Policy
from charts_py.components.distributed_training.custom_resource_definition import (
    GROUP,
    PLURAL,
    VERSION,
)
from charts_py.platform.judged_namespaces import TEAM_NAMESPACES
from gpus.platform_names import LABEL_PREFIX
from policies.in_cel.action import Action

UNEXPANDED = Policy(
    name=f"unexpanded-training.{LABEL_PREFIX}",
    namespaces=TEAM_NAMESPACES,
    rule={
        "apiGroups": [GROUP],
        "apiVersions": [VERSION],
        "operations": ["CREATE", "UPDATE"],
        "resources": [PLURAL],
    },
    body={
        "validations": [
            {
                "expression": "false",
                "message": "nothing in the cluster acts on a DistributedTraining; apply what "
                "`gpuplane expand FILE --cluster CLUSTER` prints",
            }
        ],
    },
    action=Action.WARN,
)
"""The policy, for the namespaces of teams."""
