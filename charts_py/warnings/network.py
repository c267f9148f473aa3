"""What enforces NetworkPolicies, and variables of the network between nodes."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from charts_py.cluster_file.fault import counted
from charts_py.platform.platform import Platform
from charts_py.warnings.cluster_warning import ClusterWarning
from gpus.instance_type import Interconnect
from gpus.nearest import is_one_typo

_NOT_USED: Mapping[tuple[str, str], tuple[Interconnect, ...]] = {
    ("NCCL_IB_DISABLE", "1"): (Interconnect.INFINIBAND, Interconnect.ROCE),
    ("NCCL_NET", "Socket"): tuple(set(Interconnect) - {Interconnect.ETHERNET}),
}
"""Values by which NCCL leaves a network unused
(https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html)."""


def warn_of_ignored_policies(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning where nothing is known to enforce the NetworkPolicies of teams."""
    if platform.cluster.network.policy_engine is None and platform.namespaces:
        what = (
            f"not stated, so that the NetworkPolicies of "
            f"{counted(len(platform.namespaces), 'namespace')} may be ignored, and the pods of all "
            "teams reach each other"
        )
        allowed = f"what enforces them here: {', '.join(platform.provider.network_policy_engines)}"
        yield ClusterWarning(platform.fault(("network", "policyEngine"), what, allowed))


def warn_of_variables(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for each variable that is misspelled, or turns a pool's network off."""
    for pool in platform.pools:
        for name, value in pool.spec.network_environment.items():
            path = ("pools", pool.name, "networkEnvironment", name)
            network = pool.hardware.interconnect
            if near := _meant(name):
                what = f"NCCL reads no {name}, and says nothing of it"
                yield ClusterWarning(platform.fault(path, what, "one of NCCL's", near))
            elif network in _NOT_USED.get((name, value), ()):
                what = f'"{value}" leaves the {network} of this pool unused: NCCL talks over TCP'
                allowed = f"no {name}, or interconnect: {Interconnect.ETHERNET}"
                yield ClusterWarning(platform.fault(path, what, allowed))


def _meant(name: str) -> tuple[str, ...]:
    """Return the variables that a name is a typo of; others may be of another version."""
    known = _nccl_variables()
    return () if name in known else tuple(each for each in known if is_one_typo(name, each))


@cache
def _nccl_variables() -> frozenset[str]:
    """Return the variables that NCCL reads, but for those of its logs, profilers and inspectors.

    `nccl_variables.txt` lists what `NCCL_PARAM`, `ncclGetEnv` and `getenv` name in `src` and
    `plugins` of https://github.com/NVIDIA/nccl at 5067397c, of version 2.30.7.
    """
    text = (files(__package__) / "nccl_variables.txt").read_text(encoding="utf-8")
    return frozenset(text.split())
