"""The policies of a cluster's API server that no rule of `policies` stands beside.

What judges manifests evaluates them as they are rendered.
"""

from collections.abc import Iterator

from charts_py.components.admission_policies.definition import unruled_policies
from charts_py.components.admission_policy import Policy, policy_objects
from charts_py.components.argo_rollouts.definition import ARGO_ROLLOUTS_DEFINITION
from charts_py.components.distributed_training import DISTRIBUTED_TRAINING
from charts_py.components.gateway.definition import GATEWAY_DEFINITION
from charts_py.components.kai_scheduler.queues import KAI_QUEUES
from charts_py.components.keda import KEDA
from charts_py.components.keda_http_add_on.definition import KEDA_HTTP_ADD_ON_DEFINITION
from charts_py.components.kueue.queues import KUEUE_QUEUES
from charts_py.components.manifests import MANIFESTS
from charts_py.components.node_cache.definition import NODE_CACHE_DEFINITION
from charts_py.components.volcano.queues import VOLCANO_QUEUES
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform

HAVE_POLICIES = (
    DISTRIBUTED_TRAINING,
    KUEUE_QUEUES,
    VOLCANO_QUEUES,
    KAI_QUEUES,
    GATEWAY_DEFINITION,
    KEDA,
    KEDA_HTTP_ADD_ON_DEFINITION,
    ARGO_ROLLOUTS_DEFINITION,
    NODE_CACHE_DEFINITION,
    MANIFESTS,
)
"""Components with such policies, besides `admission-policies`, whose others follow from rules."""


def object_policies(platform: Platform) -> Iterator[Document]:
    """Yield policies and bindings; raises SpecError for faults in manifests of the cluster."""
    yield from policy_objects(unruled_policies(platform))
    for component in (each for one in HAVE_POLICIES for each in one.plan(platform)):
        for document in component.objects() if component.objects else ():
            if document["kind"] in (Policy.kind, f"{Policy.kind}Binding"):
                yield document
