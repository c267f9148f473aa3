"""An alert on GPUs that could not be partitioned: nothing tries that again by itself."""

from charts_py.components.gpu_sharing.config_maps import NAMESPACE, partitions_here
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.platform import Platform
from charts_py.platform.rule_group import RuleGroup
from gpus.vendor import NVIDIA

# As kube-state-metrics names the node label, which it serves only where it is told to.
LAYOUT_FAILED = Alert(
    name="GpuplaneMigLayoutFailed",
    expression='max by (node) (kube_node_labels{label_nvidia_com_mig_config_state="failed"}) == 1',
    lasting="5m",
    severity=Severity.WARNING,
    summary="The GPUs of node {{ $labels.node }} are not partitioned as its pool says, most likely"
    " because something used them.",
    remedy="Drain the node and delete its pod of nvidia-mig-manager, which tries again.",
    source="The MIG manager has given up when it says `failed`"
    " (https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-operator-mig.html).",
)

_GROUP = RuleGroup("gpu-sharing", NAMESPACE, (LAYOUT_FAILED,), reads_other_namespaces=True)


def sharing_rules(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return the alert where the MIG manager has GPUs to partition, or to make whole again."""
    can_be_cut = any(pool.hardware.model.mig for pool in platform.pools_of(NVIDIA))
    return (_GROUP,) if partitions_here(platform) and can_be_cut else ()
