"""The readiness controller, which puts taints on nodes and takes them off by their conditions.

Node readiness has it take off the taint that nodes start with, and `addons.gpuHealth` taint those
whose GPUs are broken. It must outlive the rules of both: it takes off the taint of a rule that is
deleted.
"""

from charts_py.components.definition import Definition
from charts_py.components.node_readiness_controller.controller import (
    CONTROLLER,
    controller_values,
)
from charts_py.components.node_readiness_controller_namespace.definition import (
    CONTROLLER_NAME,
    NAMESPACE_OF_READINESS_CONTROLLER,
)
from charts_py.platform.wave import Wave

NODE_READINESS_CONTROLLER = Definition(
    name=CONTROLLER_NAME,
    description=__doc__,
    appears="where the cluster asks for node readiness, or for GPU health that does more than "
    "observe",
    is_wanted=lambda platform: platform.cluster.addons.taints_nodes,
    fields=(
        "addons.nodeReadiness",
        "addons.gpuHealth",
        "imagePullSecrets",
        "registries",
        "charts",
    ),
    depends_on=(NAMESPACE_OF_READINESS_CONTROLLER.name,),
    wave=Wave.OPERATORS,
    namespace=CONTROLLER_NAME,
    charts=(CONTROLLER,),
    values=controller_values,
)
