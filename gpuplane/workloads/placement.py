"""Where the pods of a workload run, which others they come before, and what may move them."""

from charts_py.cluster_file.provider import EksProvisioner
from charts_py.objects.pods import tolerations_of
from gpuplane.workloads.nvlink_domain import beside_each_other, has_domain
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpus.model import HOST_ARCHITECTURE, NVIDIA, USUAL_ARCHITECTURE
from gpus.platform_names import POOL

_ZONE = "topology.kubernetes.io/zone"


def placement(request: Request) -> dict[str, Tree]:
    pool = request.pool
    selector: dict[str, Tree] = {
        POOL: Because(pool.name, "CPUs, memory and network are those of this pool's nodes")
    }
    architecture = pool.hardware.model.host_architecture
    if architecture != USUAL_ARCHITECTURE:
        selector[HOST_ARCHITECTURE] = Because(architecture, "the image must be built for it")
    at_any_time = ", which can be taken away at any time" if pool.facts.spot_taint else ""
    why = f"the taints of the pool's nodes{at_any_time}"
    fields: dict[str, Tree] = {
        "nodeSelector": selector,
        "tolerations": Because(tolerations_of(pool.facts.taints), why),
        **priority(request),
        **_scheduler(request),
    }
    runtime_class = request.settings.runtime_class
    if runtime_class is not None and pool.vendor == NVIDIA:
        fields["runtimeClassName"] = Because(
            runtime_class, "the default runtime class of this cluster gives no GPUs"
        )
    return fields


def priority(request: Request) -> dict[str, Tree]:
    allowed = ", ".join(request.namespace.team.priorities)
    why = f"of those that team {request.namespace.team_name} may use: {allowed}"
    return {"priorityClassName": Because(request.priority, why)}


def leader_scheduler(request: Request) -> dict[str, Tree]:
    gangs = request.platform.contribution.gangs
    return _scheduler(request) if gangs is not None and gangs.counts_leaders else {}


def _scheduler(request: Request) -> dict[str, Tree]:
    scheduler = request.settings.queue_scheduler
    if scheduler is None:
        return {}
    return {"schedulerName": Because(scheduler.name, "it has the queues; others know of none")}


def together(request: Request, job_label: str) -> dict[str, Tree]:
    """Return the affinity of pods that talk to each other: those of their job, by its label."""
    job = {"labelSelector": {"matchLabels": {job_label: request.name}}}
    if has_domain(request):
        terms = beside_each_other(request, job)
        return _affinity(terms) if terms else {}
    has_zones = request.platform.provider.makes_nodes and len(request.pool.spec.zones) != 1
    if request.nodes == 1 or not has_zones:
        return {}
    preferred = Because(
        [{"weight": 100, "podAffinityTerm": {**job, "topologyKey": _ZONE}}],
        "between zones, gradients travel slowly, and traffic is billed",
    )
    return _affinity({"preferredDuringSchedulingIgnoredDuringExecution": preferred})


def undisturbed_on_pool(request: Request) -> dict[str, Tree]:
    """Return the annotations of a pod on a node of its pool.

    From spot nodes that EC2 takes back, Karpenter evicts no pod either that has its annotation.
    """
    is_told = _has_karpenter(request) and request.pool.facts.spot_taint is not None
    return {} if is_told else undisturbed(request)


def undisturbed(request: Request) -> dict[str, Tree]:
    if not request.platform.provider.makes_nodes:
        return {}
    if _has_karpenter(request):
        return {
            "karpenter.sh/do-not-disrupt": Because(
                "true", "Karpenter does not consolidate the node under a job that runs"
            )
        }
    return {
        "cluster-autoscaler.kubernetes.io/safe-to-evict": Because(
            "false", "the autoscaler does not drain the node under a job that runs"
        )
    }


def _has_karpenter(request: Request) -> bool:
    eks = request.platform.cluster.eks
    return eks is not None and eks.provisioner is EksProvisioner.KARPENTER


def _affinity(terms: Tree) -> dict[str, Tree]:
    return {"affinity": {"podAffinity": terms}}
