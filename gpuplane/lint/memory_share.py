"""The memory limit that leaves each of the other GPUs of a node its part."""

from policies.engine import Engine
from policies.finding import Finding
from policies.manifest_admission import PodAdmission
from policies.pod import Pod
from policies.quantity import format_most
from policies.reach import usable
from policies.rule_name import RuleName
from policies.rules.node_resources import ADVISED_PERCENT


def with_share(finding: Finding, admitted: PodAdmission, engine: Engine) -> Finding:
    """Name the share of the pod's GPUs where it lacks a limit, on the pool where that is least."""
    if finding.rule != RuleName.MEMORY_LIMIT:
        return finding
    pod = Pod(admitted.admission.document, engine.offer.names.is_gpu)
    namespace = engine.settings.namespaces.get(admitted.pod.namespace)
    pools = [each for each in usable(engine.offer.reach(pod).pools, namespace) if each.allocations]
    if not all(each.states_whole_gpus for each in pod.gpu_containers):
        return finding
    gpus = sum(amount for amount in pod.gpus.values() if type(amount) is int)
    shares = [each.memory * min(gpus, each.allocations) // each.allocations for each in pools]
    if not shares or not min(shares):
        return finding
    of_pod = "" if len(pod.gpu_containers) == 1 else " for all its containers together"
    most = format_most("memory", min(shares) * ADVISED_PERCENT["memory"] // 100)
    said = f"to at most {most}{of_pod}, the share of its GPUs."
    return finding._replace(remedy=f"{finding.remedy.removesuffix('.')} {said}")
