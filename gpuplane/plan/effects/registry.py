"""All rows of the table, in the order in which they are asked.

The first one that covers a field says what its change does.
"""

from gpuplane.plan.effects import (
    admission,
    argo_cd,
    cloud_pools,
    core,
    definitions,
    device_classes,
    feature_rules,
    gpu_operator,
    immutable,
    karpenter,
    karpenter_machines,
    metadata,
    monitoring,
    multikueue,
    node_labels,
    queues,
    quotas,
    rule_settings,
    schedulers,
    sharing,
    slurm,
    sync_options,
    training_runtimes,
    workloads,
)
from gpuplane.plan.effects.row import AnyRow

ROWS: tuple[AnyRow, ...] = (
    *metadata.DESCRIBING,
    *sync_options.ROWS,
    *immutable.ROWS,
    *karpenter.ROWS,
    *karpenter_machines.ROWS,
    *node_labels.ROWS,
    *cloud_pools.ROWS,
    *feature_rules.ROWS,
    *gpu_operator.ROWS,
    *sharing.ROWS,
    *admission.ROWS,
    *rule_settings.ROWS,
    *argo_cd.ROWS,
    # Of some ConfigMaps, as some of the above; before those of any ConfigMap.
    *monitoring.ROWS,
    *core.ROWS,
    *workloads.ROWS,
    *quotas.ROWS,
    *multikueue.ROWS,
    *queues.ROWS,
    *schedulers.ROWS,
    *training_runtimes.ROWS,
    *slurm.ROWS,
    *device_classes.ROWS,
    *definitions.ROWS,
    *metadata.OTHER,
)
