"""What keeps the GPUs and CPUs of a container on one NUMA node."""

from charts_py.cluster_file.pool import Numa


def numa_settings(numa: Numa | None) -> dict[str, str]:
    """Return the fields of the kubelet's configuration, which AKS has by the same names.

    The topology manager aligns CPUs only if the CPU manager gives them out, which it does to
    containers of Guaranteed pods that ask for whole ones; all others share what is left. It changes
    the cgroups of running containers, which keep their GPUs since the GPU operator's device plugin
    names their device files to the kubelet. The memory manager is left off: a kubelet starts only
    if what is reserved on each NUMA node adds up to just what it keeps of the machine, which
    follows from the machine and its image.

    - https://kubernetes.io/docs/tasks/administer-cluster/topology-manager/
    - https://kubernetes.io/docs/tasks/administer-cluster/memory-manager/
    - `PASS_DEVICE_SPECS` in https://github.com/NVIDIA/gpu-operator at v26.7.0
      (assets/state-device-plugin/0500_daemonset.yaml)
    """
    if numa is None:
        return {}
    return {"cpuManagerPolicy": "static", "topologyManagerPolicy": numa.value}
