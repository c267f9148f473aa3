"""What namespaces are for, which their pools are not."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import FieldPath
from charts_py.cluster_file.pool import Purpose
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.warnings.cluster_warning import ClusterWarning
from policies.rule_name import Mode, RuleName
from policies.rules.time_sliced_inference import TIME_SLICED

_IN_TURNS = RuleName.TIME_SLICED_INFERENCE


def warn_of_purposes_without_pool(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for each namespace with GPUs of pools that are all for something else."""
    purposes = {pool.spec.purpose: None for pool in platform.pools}
    for namespace in platform.namespaces:
        purpose, names = namespace.spec.purpose, namespace.spec.quota.pools
        if names and purpose not in purposes:
            what = f'no pool is for "{purpose}", and this namespace has GPUs of {", ".join(names)}'
            allowed = f"{', '.join(purposes)}, or a pool for {purpose}"
            path = (*_path(namespace), "purpose")
            yield ClusterWarning(platform.fault(path, what, allowed))


def warn_of_services_that_take_turns(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for each namespace of whose every pod `time-sliced-inference` warns."""
    for namespace in platform.namespaces:
        pools = [platform.pool(name) for name in namespace.spec.quota.pools]
        kinds = {pool.facts.sharing.kind for pool in pools}
        is_serving = namespace.spec.purpose is Purpose.INFERENCE
        if is_serving and kinds and kinds <= TIME_SLICED and _is_told(platform, namespace):
            names = ", ".join(pool.name for pool in pools)
            what = (
                f"all GPUs of this namespace for {Purpose.INFERENCE} are time-sliced ({names}): "
                "pods delay each other, and may take each other's memory"
            )
            allowed = f"a pool of whole GPUs or MIG, or rules: {{{_IN_TURNS}: off}}"
            path = (*_path(namespace), "quota", "gpus")
            yield ClusterWarning(platform.fault(path, what, allowed))


def _is_told(platform: Platform, namespace: TeamNamespace) -> bool:
    policies = platform.cluster.policies
    of_cluster = policies.rules.get(_IN_TURNS, policies.mode)
    return namespace.spec.rules.get(_IN_TURNS, of_cluster) is not Mode.OFF


def _path(namespace: TeamNamespace) -> FieldPath:
    return ("teams", namespace.team_name, "namespaces", namespace.name)
