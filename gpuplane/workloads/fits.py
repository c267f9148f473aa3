"""Whether as many pods with as many GPUs as are asked for fit where they are to run."""

from collections.abc import Iterator
from typing import NamedTuple

from charts_py.cluster_file.fault import Problem, counted
from charts_py.cluster_file.other_names import nearest_name
from charts_py.cluster_file.training import Framework, Trainer
from charts_py.platform.fabric import has_launcher, runtime_images
from charts_py.platform.platform import Platform
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.capacity import Capacity, too_many
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.place import Place, granted_pools
from gpuplane.workloads.serving.fit import Split
from gpuplane.workloads.surge import SURGE_OF_ROLES

_OPTION = ("--framework",)
_ROLES = 2
_OTHER_KINDS = {
    "deepspeed": "a trainjob",
    "jax": "a trainjob",
    "mpi": "a trainjob or an mpijob",
    "pytorch": "a jobset, pytorchjob or trainjob",
    "ray": "a rayjob",
    "tensorflow": "a tfjob",
    "torch": "a jobset, pytorchjob or trainjob",
}
"""Which kinds run what somebody may name here."""


class Copies(NamedTuple):
    """How many replicas there are at most, and the option that says so."""

    most: int
    option: str
    prefill: int = 0
    """How many of them compute prompts alone."""
    states_gpus: bool = False
    """Whether the GPUs of each are asked for, rather than as few as it takes."""


def left_out(option: str, why: str) -> Problem:
    return Problem((), f"leave out {option}: {why}")


def number_problems(
    kind: Kind, place: Place, framework: Framework | None, split: Split, copies: Copies
) -> Iterator[Problem]:
    """Yield what is wrong with so many pods that compute, each with so many GPUs."""
    pool, gpus, nodes = place.pool, split.gpus, split.nodes
    if pool not in kind.pools(place.platform):
        yield _other_pool(kind, place)
        return
    yield from _check_gpus(kind, place, gpus)
    yield from _check_nodes(kind, nodes, framework)
    if kind.only_whole_nodes and gpus != pool.hardware.gpus:
        what = f"a {kind.name} takes all GPUs of a node of pool {pool.name}"
        yield Problem(("--gpus",), what, str(pool.hardware.gpus))
    if gpus > 0:
        yield from _check_capacity(place, gpus, nodes, copies)


def _other_pool(kind: Kind, place: Place) -> Problem:
    allowed = kind.pools(place.platform)
    granted = granted_pools(place.platform, place.namespace)
    names = [pool.name for pool in granted if pool in allowed]
    what = f"no {kind.name} can be on pool {place.pool.name}: {kind.why_pools}"
    return Problem(("--pool",), what, ", ".join((*names, "another kind")))


def _check_gpus(kind: Kind, place: Place, gpus: int) -> Iterator[Problem]:
    most = place.most_gpus
    if 1 <= gpus <= most:
        return
    part = "one part of a GPU" if place.takes_parts else "the GPUs of one node"
    can = f"a pod can use {most} at most, {part} of pool {place.pool.name}"
    why = can if gpus > 0 else "each pod that computes has some"
    allowed = f"1 to {most}" if most > 1 else "1"
    more = "; more by --nodes" if kind.spreads and gpus > most else ""
    yield Problem(("--gpus",), f"{gpus} is out of bounds: {why}", f"{allowed}{more}")


def _check_nodes(kind: Kind, nodes: int, framework: Framework | None) -> Iterator[Problem]:
    if nodes < 1:
        yield Problem(("--nodes",), f"{nodes} is out of bounds", "at least 1")
    elif nodes > 1 and not kind.spreads:
        yield Problem(("--nodes",), f"a {kind.name} is one pod", "1")
    elif nodes < kind.least_nodes:
        what = f"a {kind.name} is between nodes"
        yield Problem(("--nodes",), what, f"at least {kind.least_nodes}")
    elif nodes < least_nodes(framework):
        what = f"beside the pod of {framework} that launches, and computes, is a worker"
        yield Problem(("--nodes",), what, f"at least {least_nodes(framework)}")


def _check_capacity(place: Place, gpus: int, nodes: int, copies: Copies) -> Iterator[Problem]:
    namespace, pool, quota = place.namespace.name, place.pool.name, place.capacity.quota
    named = f" {place.resource.name}" if place.has_others else ""
    if gpus > quota:
        has = f"{namespace} may use {quota}{named} of pool {pool}"
        allowed = f"at most {quota}, or another pool" if quota else "another resource, or pool"
        yield Problem(("--gpus",), f"{has}, fewer than a pod asks for", allowed)
    elif copies.prefill:
        if copies.most > place.capacity.most_pods(gpus):
            yield _too_many_roles(place, gpus, copies)
    elif nodes * copies.most > (most := place.capacity.most_pods(gpus)):
        what = too_many(nodes * copies.most, f"{gpus}{named}", (pool,), namespace)
        is_one = copies.most == 1 or nodes > most
        option, most = ("--nodes", most) if is_one else (copies.option, most // nodes)
        yield Problem((option,), what, f"1 to {most}")


def _too_many_roles(place: Place, gpus: int, copies: Copies) -> Problem:
    """Say so with the arithmetic, since a rollout without room for it never ends."""
    has, pool, namespace = place.capacity, place.pool.name, place.namespace.name
    decode = copies.most - copies.prefill - SURGE_OF_ROLES
    what = (
        f"{copies.prefill} of prefill, {decode} of decode, and one more of each that a rollout "
        f"starts before old ones go, are {copies.most} pods with {gpus} {place.resource.name} "
        f"each, {copies.most * gpus} in all: the {has.quota} of pool {pool} that {namespace} may "
        f"use, and the nodes of the pool, hold {counted(has.most_pods(gpus), 'such pod')}"
    )
    return Problem((copies.option,), what, _fitting(has, gpus, copies))


def _fitting(has: Capacity, gpus: int, copies: Copies) -> str:
    """Return what would fit: fewer replicas, fewer GPUs, or else how large the quota must be."""
    least = _ROLES + SURGE_OF_ROLES
    left = has.most_pods(gpus) - SURGE_OF_ROLES
    if left >= _ROLES:
        return f"--prefill-replicas and --replicas of {left} together"
    smaller = range(gpus - 1, 0, -1) if copies.states_gpus else ()
    fits = (f"--gpus {each}, or " for each in smaller if has.most_pods(each) >= least)
    return f"{next(fits, '')}{least * gpus} of the pool for one of each"


def least_nodes(framework: Framework | None) -> int:
    """Return the pods that it starts at least.

    Trainer makes a worker beside the launcher even where one node is asked for (`EnforceMLPolicy`
    in https://github.com/kubeflow/trainer, pkg/runtime/framework/plugins/mpi/mpi.go at v2.3.0).
    """
    return 2 if has_launcher(framework) else 1


def chosen_framework(asked: Asked, kind: Kind, platform: Platform) -> Framework | None:
    """Return the one that is named, or else the first; None of kinds that have none."""
    offered = _offered(kind, platform)
    if asked.framework is None:
        return next(iter(offered.values()), None)
    return offered.get(asked.framework)


def framework_problems(asked: Asked, kind: Kind, platform: Platform) -> Iterator[Problem]:
    name, offered = asked.framework, _offered(kind, platform)
    if name is None or name in offered:
        return
    elsewhere = _OTHER_KINDS.get(name.lower(), "a trainjob")
    if not kind.frameworks:
        yield left_out(_OPTION[0], f"only {elsewhere} has one")
    elif name in kind.frameworks:
        allowed = f"once training.trainer.images has an image of it; now {', '.join(offered)}"
        yield Problem(_OPTION, f"no pool has a runtime of {name}", allowed)
    else:
        nearest = nearest_name(name, list(offered))
        other = f"; {elsewhere} runs it" if name.lower() in _OTHER_KINDS and not nearest else ""
        what = f'unknown framework "{name}"{other}'
        yield Problem(_OPTION, what, ", ".join(offered), nearest)


def _offered(kind: Kind, platform: Platform) -> dict[str, Framework]:
    with_image = runtime_images(platform.cluster.training.trainer or Trainer())
    return {each.value: each for each in kind.frameworks if each in with_image}
