"""What a queue reads in the template of a job, before admission mends the pods.

Kueue holds it against the taint of spot nodes; its flavors bring what all other taints take
(`checkFlavorForPodSets` in pkg/scheduler/flavorassigner/flavorassigner.go of
https://github.com/kubernetes-sigs/kueue at v0.19.2).
"""

from charts_py.components.kueue.api import PRIORITY
from charts_py.objects.document import Document
from policies.engine import Engine
from policies.finding import Finding
from policies.manifest_admission import PodAdmission
from policies.manifest_pod import ManifestPod
from policies.pod import Pod
from policies.reach import usable
from policies.rule_name import RuleName
from policies.toleration import is_spot, untolerated

NEVER_STARTS = "The queue reads the template as it is written, so the job never starts."
_OF_KUBERNETES = {"CronJob", "Job", "StatefulSet"}
_OTHERS = {each.kind for each in PRIORITY.jobs} - _OF_KUBERNETES


def waits_for_ever(
    admitted: PodAdmission, finding: Finding, template: Document, engine: Engine
) -> bool:
    """Whether a toleration of spot nodes, the only ones for its pods, comes too late for a job."""
    if finding.rule != RuleName.TOLERATIONS or not finding.fix or not _waits(admitted.pod):
        return False
    namespace = engine.settings.namespaces.get(admitted.pod.namespace)
    if namespace is None or engine.settings.queue_priority != PRIORITY:
        return False
    is_gpu, offer = engine.offer.names.is_gpu, engine.offer
    pools = usable(offer.reach(Pod(admitted.admission.document, is_gpu)).pools, namespace)
    taints = [each for pool in pools for each in pool.taints if each.key in offer.spot_labels]
    late = untolerated(taints, Pod(template, is_gpu).tolerations)
    return bool(late) and all(map(is_spot, pools))


def _waits(pod: ManifestPod) -> bool:
    return pod.made_in in _OF_KUBERNETES or pod.kind in _OTHERS
