"""What Amazon Linux does at boot beside what Karpenter or eksctl has it do.

Both hand it over beside a NodeConfig of their own, and nodeadm merges them.

- https://awslabs.github.io/amazon-eks-ami/nodeadm/doc/api/
- https://github.com/aws/karpenter-provider-aws at v1.14.1
  (pkg/providers/amifamily/bootstrap/nodeadm.go)
- https://github.com/eksctl-io/eksctl at v0.230.0 (pkg/nodebootstrap/al2023.go)
"""

from charts_py.cluster_file.pool import Numa
from charts_py.providers.numa import numa_settings

JOINED = "RAID0"
"""What nodeadm and Karpenter call joining the local disks into one file system.

https://awslabs.github.io/amazon-eks-ami/nodeadm/doc/api/#localstoragestrategy
"""
_HEAD = """\
apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
"""
_LOCAL_DISKS = f"""\
  instance:
    localStorage:
      strategy: {JOINED}
"""
_KUBELET = """\
  kubelet:
    config:
"""


def node_config(numa: Numa | None, *, joins_disks: bool = False) -> str | None:
    """Return the NodeConfig of a pool, in YAML; None where it would say nothing.

    Without a strategy nodeadm leaves the local disks alone
    (https://github.com/awslabs/amazon-eks-ami, nodeadm/internal/system/local_disk.go).
    """
    kubelet = [f"      {name}: {value}\n" for name, value in numa_settings(numa).items()]
    parts = [_LOCAL_DISKS] if joins_disks else []
    parts += [_KUBELET, *kubelet] if kubelet else []
    return "".join([_HEAD, *parts]) if parts else None
