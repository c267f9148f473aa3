"""The framework of a kind that has several."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.other_names import nearest_name
from charts_py.cluster_file.training import Framework, Trainer
from charts_py.platform.platform import Platform
from charts_py.platform.training_runtime import has_launcher, runtime_images
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.kind import Kind

_OPTION = ("--framework",)
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
    """Yield what is wrong with the one that is named."""
    name, offered = asked.framework, _offered(kind, platform)
    if name is None or name in offered:
        return
    elsewhere = _OTHER_KINDS.get(name.lower(), "a trainjob")
    if not kind.frameworks:
        yield Problem(_OPTION, f"a {kind.name} has none to choose", f"none, or {elsewhere}")
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
