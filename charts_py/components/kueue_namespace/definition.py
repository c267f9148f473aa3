"""The namespace of Kueue, which goes after Kueue, and that after the last of its queues.

Kueue has to release the queues.
"""

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.team import PodSecurity
from charts_py.components.namespaces import lasting_namespace
from charts_py.platform.contribution import PlatformNamespace

KUEUE_NAMESPACE = "kueue-system"
"""Where its documentation installs it, and what its visibility API expects."""

NAMESPACE_OF_KUEUE = lasting_namespace(
    name="kueue-namespace",
    description=__doc__,
    own=PlatformNamespace(KUEUE_NAMESPACE, PodSecurity.RESTRICTED),
    appears="where the cluster has queues of Kueue",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.KUEUE,
    fields=("queues",),
)
