"""Every component there is, in the order of their waves."""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter

from charts_py.cluster_file.fault import Fault, Problem
from charts_py.components.admission_policies.definition import ADMISSION_POLICIES
from charts_py.components.agentgateway import AGENTGATEWAY_DEFINITION
from charts_py.components.amd_gpu_operator import AMD_DEVICE_CONFIG, AMD_GPU_OPERATOR
from charts_py.components.argo_rollouts.definition import ARGO_ROLLOUTS_DEFINITION
from charts_py.components.argo_rollouts.rights import ARGO_ROLLOUTS_ACCESS
from charts_py.components.cert_manager import CERT_MANAGER
from charts_py.components.chart_versions import check_chart_versions, older_charts
from charts_py.components.component import Component
from charts_py.components.compute_domains import COMPUTE_DOMAINS
from charts_py.components.controller_availability import CONTROLLER_AVAILABILITY
from charts_py.components.controller_checks import check_replicas, too_small_controllers
from charts_py.components.controller_sizes import sized_controllers
from charts_py.components.custom_constructs import CUSTOM_CONSTRUCTS
from charts_py.components.dashboards.definition import DASHBOARDS
from charts_py.components.definition import Definition
from charts_py.components.distributed_training import DISTRIBUTED_TRAINING
from charts_py.components.dra_driver_nvidia_gpu import DRA_DRIVER_NVIDIA_GPU
from charts_py.components.efa_device_plugin import EFA_DEVICE_PLUGIN
from charts_py.components.gateway.definition import GATEWAY_DEFINITION
from charts_py.components.gpu_burn_in.definition import GPU_BURN_IN
from charts_py.components.gpu_health import GPU_HEALTH
from charts_py.components.gpu_metrics import GPU_METRICS
from charts_py.components.gpu_operator.definition import GPU_OPERATOR, GPU_OPERATOR_QUOTA
from charts_py.components.gpu_repair.definition import GPU_REPAIR
from charts_py.components.gpu_roles import GPU_ROLES
from charts_py.components.gpu_sharing import GPU_SHARING
from charts_py.components.gpu_usage.definition import GPU_USAGE
from charts_py.components.idle_gpus.definition import IDLE_GPUS
from charts_py.components.image_registries import check_unused_registries
from charts_py.components.inference_pools import INFERENCE_POOLS_DEFINITION
from charts_py.components.intel_gpu_device_plugin import INTEL_GPU_DEVICE_PLUGIN
from charts_py.components.jobset import JOBSET
from charts_py.components.jupyterhub.definition import JUPYTERHUB_DEFINITION
from charts_py.components.kai_scheduler.definition import KAI_SCHEDULER
from charts_py.components.kai_scheduler.queues import KAI_QUEUES
from charts_py.components.keda import KEDA
from charts_py.components.keda_http_add_on.definition import KEDA_HTTP_ADD_ON_DEFINITION
from charts_py.components.kubeflow_trainer import KUBEFLOW_TRAINER
from charts_py.components.kuberay_operator import KUBERAY
from charts_py.components.kueue.definition import KUEUE, NAMESPACE_OF_KUEUE
from charts_py.components.kueue.queues import KUEUE_QUEUES
from charts_py.components.leader_worker_set import LEADER_WORKER_SET_DEFINITION
from charts_py.components.manifests import MANIFESTS
from charts_py.components.metrics_server import METRICS_SERVER
from charts_py.components.mlflow.access import MODEL_REGISTRY
from charts_py.components.mlflow.definition import MLFLOW_DEFINITION
from charts_py.components.monitoring import MONITORING
from charts_py.components.namespaces import LASTING_NAMESPACES, NAMESPACES
from charts_py.components.node_cache.definition import NODE_CACHE_DEFINITION
from charts_py.components.node_feature_discovery import NODE_FEATURE_DISCOVERY
from charts_py.components.node_network import NODE_NETWORK
from charts_py.components.node_pools import NODE_POOLS
from charts_py.components.node_problem_detector.definition import NODE_PROBLEM_DETECTOR
from charts_py.components.node_readiness.controller import (
    NAMESPACE_OF_READINESS_CONTROLLER,
    NODE_READINESS_CONTROLLER,
)
from charts_py.components.node_readiness.definition import NODE_READINESS
from charts_py.components.opencost import OPENCOST
from charts_py.components.priority_classes import PRIORITY_CLASSES
from charts_py.components.slurm.definition import SLURM, SLURM_OPERATOR
from charts_py.components.team.definition import TEAM
from charts_py.components.topograph import TOPOGRAPH
from charts_py.components.training_operator.definition import TRAINING_OPERATOR_DEFINITION
from charts_py.components.training_operator.rights import TRAINING_OPERATOR_ACCESS
from charts_py.components.training_runtimes.definition import TRAINING_RUNTIMES
from charts_py.components.volcano.definition import VOLCANO
from charts_py.components.volcano.queues import VOLCANO_QUEUES
from charts_py.components.warm_nodes import WARM_NODES
from charts_py.components.webhook.configuration import WEBHOOK_CONFIGURATION
from charts_py.components.webhook.definition import WEBHOOK
from charts_py.platform.contribution import NOTHING, Contribution, Watched
from charts_py.platform.draft import Draft
from charts_py.platform.platform import Platform

DEFINITIONS: tuple[Definition, ...] = (
    NAMESPACE_OF_KUEUE,
    NAMESPACE_OF_READINESS_CONTROLLER,
    LASTING_NAMESPACES,
    NAMESPACES,
    PRIORITY_CLASSES,
    GPU_ROLES,
    GPU_SHARING,
    GPU_METRICS,
    DISTRIBUTED_TRAINING,
    GPU_OPERATOR_QUOTA,
    NODE_FEATURE_DISCOVERY,
    GPU_OPERATOR,
    DRA_DRIVER_NVIDIA_GPU,
    INTEL_GPU_DEVICE_PLUGIN,
    EFA_DEVICE_PLUGIN,
    NODE_PROBLEM_DETECTOR,
    NODE_READINESS_CONTROLLER,
    CERT_MANAGER,
    KUEUE,
    JOBSET,
    VOLCANO,
    KAI_SCHEDULER,
    LEADER_WORKER_SET_DEFINITION,
    KUBERAY,
    KEDA,
    INFERENCE_POOLS_DEFINITION,
    ARGO_ROLLOUTS_DEFINITION,
    AGENTGATEWAY_DEFINITION,
    TRAINING_OPERATOR_DEFINITION,
    SLURM_OPERATOR,
    AMD_GPU_OPERATOR,
    KEDA_HTTP_ADD_ON_DEFINITION,
    COMPUTE_DOMAINS,
    NODE_READINESS,
    GPU_BURN_IN,
    GPU_HEALTH,
    TOPOGRAPH,
    KUEUE_QUEUES,
    SLURM,
    VOLCANO_QUEUES,
    KAI_QUEUES,
    KUBEFLOW_TRAINER,
    NODE_POOLS,
    TRAINING_RUNTIMES,
    AMD_DEVICE_CONFIG,
    WARM_NODES,
    TEAM,
    MODEL_REGISTRY,
    METRICS_SERVER,
    WEBHOOK,
    ADMISSION_POLICIES,
    WEBHOOK_CONFIGURATION,
    TRAINING_OPERATOR_ACCESS,
    ARGO_ROLLOUTS_ACCESS,
    GPU_USAGE,
    CONTROLLER_AVAILABILITY,
    NODE_NETWORK,
    OPENCOST,
    NODE_CACHE_DEFINITION,
    GATEWAY_DEFINITION,
    JUPYTERHUB_DEFINITION,
    MLFLOW_DEFINITION,
    MONITORING,
    DASHBOARDS,
    IDLE_GPUS,
    GPU_REPAIR,
    MANIFESTS,
    CUSTOM_CONSTRUCTS,
)


def plan_components(
    platform: Platform, definitions: Iterable[Definition] = DEFINITIONS
) -> tuple[Component, ...]:
    """Return the components of a platform, sorted by wave; those of one definition may differ."""
    planned = (component for definition in definitions for component in definition.plan(platform))
    return tuple(sorted(planned, key=attrgetter("wave")))


def component_checks() -> Iterable[Callable[[Draft], Iterable[Problem]]]:
    yield from (check for definition in DEFINITIONS for check in definition.checks)
    yield lambda draft: check_unused_registries(draft, DEFINITIONS)
    yield lambda draft: check_chart_versions(draft, known_charts())
    yield check_replicas


def worker_checks() -> Iterable[Callable[[Draft, Sequence[Platform]], Iterable[Problem]]]:
    return (check for definition in DEFINITIONS for check in definition.worker_checks)


def component_warnings(platform: Platform) -> tuple[Fault, ...]:
    wanted = (definition for definition in DEFINITIONS if definition.is_wanted(platform))
    of_components = (each for definition in wanted for each in definition.warnings(platform))
    found = (*of_components, *older_charts(platform))
    if not platform.cluster.controllers:
        return found
    return (*found, *too_small_controllers(platform, installed_controllers(platform)))


def known_charts(platform: Platform | None = None) -> tuple[str, ...]:
    """Return the names of the charts that a platform may install; None is any platform."""
    wanted = (each for each in DEFINITIONS if platform is None or each.is_wanted(platform))
    return tuple(dict.fromkeys(chart.name for each in wanted for chart in each.charts))


def installed_controllers(platform: Platform) -> frozenset[str]:
    planned = plan_components(platform)
    charts = {each.helm.chart for each in planned if each.helm}
    names = {each.name for each in planned}
    return frozenset(
        name for name, row in sized_controllers().items() if charts & row.at.keys() or name in names
    )


def component_namespaces(definitions: Iterable[Definition] = DEFINITIONS) -> frozenset[str]:
    """Return the namespaces that are some component's own, whether a platform has it or not."""
    return frozenset(own.name for each in definitions for own in each.added.namespaces)


def contribution_of(
    platform: Platform, definitions: Iterable[Definition] = DEFINITIONS
) -> Contribution:
    """Return the sum of the additions of a platform's components to objects of others.

    A component that only reads the sum, as `namespaces` does, is not asked for its part.
    """
    added = NOTHING
    for each in definitions:
        if each.adds_to_others and each.is_wanted(platform):
            added += each.added
            if each.contributes is not None:
                added += each.contributes(platform)
    return added


def watched_of(platform: Platform, definitions: Iterable[Definition] = DEFINITIONS) -> Watched:
    """Return what Prometheus reads of the components of a platform, if the cluster has any."""
    if platform.monitoring.prometheus is None:
        return Watched()
    wanted = [each for each in definitions if each.is_wanted(platform)]
    return Watched(
        scraped=tuple(target for each in wanted for target in each.scraped(platform)),
        rules=tuple(group for each in wanted for group in each.rules.groups(platform)),
    )
