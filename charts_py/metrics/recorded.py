"""The series that the platform's rules record: facts of the cluster file, and figures.

Facts are constants, which give figures their pool and team. Every figure in GPUs counts a MIG
instance, or one share of a GPU, as its part of the GPU.
"""

from charts_py.metrics.recorded_series import RecordedSeries

_GPU = (
    *("node", "UUID", "GPU_I_ID", "GPU_I_PROFILE", "gpu_id"),
    *("pool", "namespace", "pod", "team"),
)
"""NVIDIA's GPUs have a UUID, and a MIG instance its identifier and profile; AMD's have `gpu_id`."""
_POD = ("namespace", "pod", "node", "pool", "team")

POOL_INFO = RecordedSeries(
    "gpuplane_pool_info",
    ("pool", "model", "vendor", "purpose", "purchase", "instance_type"),
    "pool",
    "1; what the pool is",
)
NAMESPACE_INFO = RecordedSeries(
    "gpuplane_namespace_info",
    ("namespace", "team", "cost_center", "project", "purpose"),
    "namespace of a team",
    "1; whose the namespace is",
)
GPUS_PER_NODE = RecordedSeries(
    "gpuplane_pool_gpus_per_node",
    ("pool", "allocator", "sharing"),
    "pool",
    "GPUs that a node of the pool has",
)
GPUS_PER_ALLOCATION = RecordedSeries(
    "gpuplane_pool_gpus_per_allocation",
    ("pool", "resource"),
    "resource of a pool",
    "GPUs that one allocation of the resource is: 1, or a part of it where GPUs are shared",
)
GPUS_PER_INSTANCE = RecordedSeries(
    "gpuplane_pool_gpus_per_instance",
    ("pool", "GPU_I_PROFILE"),
    "pool, and each MIG profile of its model where it partitions GPUs",
    "GPUs that one row of the exporter is of: 1 without a profile, else its part of a GPU",
)
LEAST_REQUEST = RecordedSeries(
    "gpuplane_pool_least_request",
    ("pool", "resource"),
    "pool, twice",
    "CPUs, and bytes of memory, that a pod gets on the pool whose only container states none",
)
QUOTA = RecordedSeries(
    "gpuplane_namespace_quota",
    ("namespace", "pool", "resource"),
    "resource of each pool that the namespace may use",
    "allocations that the quota of the namespace allows",
)
GPU_HOUR_PRICE = RecordedSeries(
    "gpuplane_pool_gpu_hour_price",
    ("pool", "purchase", "currency"),
    "pool whose price is known",
    "price of one GPU for an hour, with its part of the node",
)
TEAM_BUDGET = RecordedSeries(
    "gpuplane_team_budget",
    ("team", "currency"),
    "team with a budget",
    "what a month may cost of the GPUs that its pods hold",
)

THRESHOLD = RecordedSeries(
    "gpuplane_pool_threshold",
    ("pool", "threshold"),
    "pool, and threshold that is compared there with what is measured",
    "where alerts on the pool fire, by the field of its `alerts` and in the unit of that",
)

NODE_POOL = RecordedSeries(
    "node:gpuplane_pool:info", ("node", "pool"), "node of a pool", "1; the pool of the node"
)
NAMESPACE_TEAM = RecordedSeries(
    "namespace:gpuplane_team:info",
    ("namespace", "team"),
    "namespace that has pods, or is a team's; and one without labels",
    "1; the team of the namespace, none where no team has it",
)

POD_ALLOCATIONS = RecordedSeries(
    "pod:gpuplane_allocations:sum",
    ("namespace", "pod", "node", "pool", "resource"),
    "pod with GPUs, and resource",
    "allocations that the pod holds",
)
NODE_ALLOCATIONS = RecordedSeries(
    "node:gpuplane_allocatable:sum",
    ("node", "pool", "resource"),
    "resource of a node",
    "allocations that the node offers, held or not",
)
POD_ALLOCATED = RecordedSeries(
    "pod:gpuplane_allocated_gpus:sum", _POD, "pod with GPUs", "GPUs that the pod holds"
)
NAMESPACE_ALLOCATED = RecordedSeries(
    "namespace:gpuplane_allocated_gpus:sum",
    ("namespace", "team"),
    "namespace of a team, or with such pods",
    "GPUs that its pods hold",
)
TEAM_ALLOCATED = RecordedSeries(
    "team:gpuplane_allocated_gpus:sum", ("team",), "team", "GPUs that its pods hold"
)
POOL_ALLOCATED = RecordedSeries(
    "pool:gpuplane_allocated_gpus:sum", ("pool",), "pool", "GPUs of it that pods hold"
)
POOL_CAPACITY = RecordedSeries(
    "pool:gpuplane_capacity_gpus:sum", ("pool",), "pool", "GPUs that its nodes have"
)
POOL_ALLOCATABLE = RecordedSeries(
    "pool:gpuplane_allocatable_gpus:sum",
    ("pool",),
    "pool",
    "GPUs that its nodes offer: those that are well, advertised, and part of the layout",
)
NAMESPACE_GPU_SECONDS = RecordedSeries(
    "namespace:gpuplane_gpu_seconds:sum1h",
    ("namespace", "team"),
    "namespace of a team, or with such pods",
    "GPU-seconds that its pods held in the last hour",
)
TEAM_GPU_SECONDS = RecordedSeries(
    "team:gpuplane_gpu_seconds:sum1h",
    ("team",),
    "team",
    "GPU-seconds that its pods held in the last hour",
)

NODE_SPARE = RecordedSeries(
    "node:gpuplane_spare:sum",
    ("node", "pool", "resource"),
    "node of a pool, twice",
    "CPUs, and bytes of memory, of the node that no pod has requested",
)
POOL_STRANDED = RecordedSeries(
    "pool:gpuplane_stranded_gpus:sum",
    ("pool",),
    "pool",
    "GPUs that no pod holds, and for which their node has no CPU or memory left",
)

GPU_SIZE = RecordedSeries(
    "gpu:gpuplane_size:gpus",
    _GPU,
    "GPU that is measured, or MIG instance of it",
    "GPUs that it is, 1 or a part; with the pod that holds it alone",
)
GPU_USED = RecordedSeries(
    "gpu:gpuplane_used:ratio",
    _GPU,
    "GPU that is measured, or MIG instance of it",
    "part of the time in which it was busy, from 0 to 1",
)
GPU_LAST_USED = RecordedSeries(
    "gpu:gpuplane_last_used:timestamp_seconds",
    _GPU,
    "such a GPU that a pod holds alone",
    "when the pod last kept it busy, or got it; in seconds since 1970",
)
POOL_USED = RecordedSeries(
    "pool:gpuplane_used_gpus:sum",
    ("pool",),
    "pool whose GPUs are measured",
    "GPUs of it that were busy",
)
NAMESPACE_USED = RecordedSeries(
    "namespace:gpuplane_used_gpus:sum",
    ("namespace", "team"),
    "namespace of a team, or with such pods",
    "GPUs that its pods kept busy",
)
TEAM_USED = RecordedSeries(
    "team:gpuplane_used_gpus:sum", ("team",), "team", "GPUs that its pods kept busy"
)
TEAM_TENSOR_ACTIVE = RecordedSeries(
    "team:gpuplane_tensor_active:avg",
    ("team",),
    "team",
    "part of the cycles, from 0 to 1, in which the tensor pipes of its NVIDIA GPUs worked",
)
TEAM_SM_ACTIVE = RecordedSeries(
    "team:gpuplane_sm_active:avg",
    ("team",),
    "team",
    "part of the cycles, from 0 to 1, in which the multiprocessors of its NVIDIA GPUs had work",
)

POOL_COST = RecordedSeries(
    "pool:gpuplane_cost:per_hour",
    ("pool", "purchase", "currency"),
    "pool whose price is known",
    "what its nodes cost an hour",
)
NAMESPACE_RESERVED_COST = RecordedSeries(
    "namespace:gpuplane_reserved_cost:per_hour",
    ("namespace", "team", "currency"),
    "namespace of a team with a quota on such a pool",
    "what an hour of all GPUs costs that its quota allows",
)
TEAM_RESERVED_COST = RecordedSeries(
    "team:gpuplane_reserved_cost:per_hour",
    ("team", "currency"),
    "team with a quota on such a pool",
    "what an hour of all GPUs costs that its quotas allow",
)
NAMESPACE_ALLOCATED_COST = RecordedSeries(
    "namespace:gpuplane_allocated_cost:per_hour",
    ("namespace", "team", "currency"),
    "namespace with such a quota, or with pods on such a pool",
    "what an hour of the GPUs costs that its pods hold on pools with a price",
)
TEAM_ALLOCATED_COST = RecordedSeries(
    "team:gpuplane_allocated_cost:per_hour",
    ("team", "currency"),
    "team with such a quota",
    "what an hour of the GPUs costs that its pods hold on pools with a price",
)
TEAM_UNPRICED = RecordedSeries(
    "team:gpuplane_unpriced_gpus:sum",
    ("team",),
    "team, where the price of some pool is known",
    "GPUs that its pods hold on pools without a price, which are in no cost",
)
NAMESPACE_USED_COST = RecordedSeries(
    "namespace:gpuplane_used_cost:per_hour",
    ("namespace", "team", "currency"),
    "namespace with such a quota, or with pods on such a pool",
    "what an hour of the GPUs costs that its pods keep busy on pools with a price",
)
TEAM_USED_COST = RecordedSeries(
    "team:gpuplane_used_cost:per_hour",
    ("team", "currency"),
    "team with such a quota",
    "what an hour of the GPUs costs that its pods keep busy on pools with a price",
)
NAMESPACE_RESERVED_COST_OF_HOUR = RecordedSeries(
    "namespace:gpuplane_reserved_cost:sum1h",
    ("namespace", "team", "currency"),
    "namespace of a team with a quota on such a pool",
    "what the GPUs cost in the last hour that its quota allows",
)
TEAM_RESERVED_COST_OF_HOUR = RecordedSeries(
    "team:gpuplane_reserved_cost:sum1h",
    ("team", "currency"),
    "team with a quota on such a pool",
    "what the GPUs cost in the last hour that its quotas allow",
)
NAMESPACE_ALLOCATED_COST_OF_HOUR = RecordedSeries(
    "namespace:gpuplane_allocated_cost:sum1h",
    ("namespace", "team", "currency"),
    "namespace with such a quota, or with pods on such a pool",
    "what the GPUs cost that its pods held in the last hour",
)
TEAM_ALLOCATED_COST_OF_HOUR = RecordedSeries(
    "team:gpuplane_allocated_cost:sum1h",
    ("team", "currency"),
    "team with such a quota",
    "what the GPUs cost that its pods held in the last hour",
)
NAMESPACE_USED_COST_OF_HOUR = RecordedSeries(
    "namespace:gpuplane_used_cost:sum1h",
    ("namespace", "team", "currency"),
    "namespace with such a quota, or with pods on such a pool",
    "what the GPUs cost that its pods kept busy in the last hour",
)
TEAM_USED_COST_OF_HOUR = RecordedSeries(
    "team:gpuplane_used_cost:sum1h",
    ("team", "currency"),
    "team with such a quota",
    "what the GPUs cost that its pods kept busy in the last hour",
)
TEAM_MONTH_COST = RecordedSeries(
    "team:gpuplane_allocated_cost:per_month",
    ("team", "currency"),
    "team with such a quota, where some team has a budget",
    "what 730 hours cost that are like the last seven days, of the GPUs that its pods hold",
)

FACTS = (
    POOL_INFO,
    NAMESPACE_INFO,
    GPUS_PER_NODE,
    GPUS_PER_ALLOCATION,
    GPUS_PER_INSTANCE,
    LEAST_REQUEST,
    QUOTA,
    GPU_HOUR_PRICE,
    TEAM_BUDGET,
    THRESHOLD,
)
"""Constants, as the cluster file says."""

FIGURES = (
    NODE_POOL,
    NAMESPACE_TEAM,
    POD_ALLOCATIONS,
    NODE_ALLOCATIONS,
    POD_ALLOCATED,
    NAMESPACE_ALLOCATED,
    TEAM_ALLOCATED,
    POOL_ALLOCATED,
    POOL_CAPACITY,
    POOL_ALLOCATABLE,
    NAMESPACE_GPU_SECONDS,
    TEAM_GPU_SECONDS,
    NODE_SPARE,
    POOL_STRANDED,
    GPU_SIZE,
    GPU_USED,
    GPU_LAST_USED,
    POOL_USED,
    NAMESPACE_USED,
    TEAM_USED,
    TEAM_TENSOR_ACTIVE,
    TEAM_SM_ACTIVE,
    POOL_COST,
    NAMESPACE_RESERVED_COST,
    TEAM_RESERVED_COST,
    NAMESPACE_ALLOCATED_COST,
    TEAM_ALLOCATED_COST,
    TEAM_UNPRICED,
    NAMESPACE_USED_COST,
    TEAM_USED_COST,
    NAMESPACE_RESERVED_COST_OF_HOUR,
    TEAM_RESERVED_COST_OF_HOUR,
    NAMESPACE_ALLOCATED_COST_OF_HOUR,
    TEAM_ALLOCATED_COST_OF_HOUR,
    NAMESPACE_USED_COST_OF_HOUR,
    TEAM_USED_COST_OF_HOUR,
    TEAM_MONTH_COST,
)
"""What follows from facts and measurements."""
