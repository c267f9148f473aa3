"""Labels that a pod requires of its node, and that no node of its pools ever gets.

Where people make the nodes, they can label them, too. Karpenter starts none for a pod that requires
a label which its NodePool does not set, and which neither it nor its cloud knows:
https://karpenter.sh/v1.14/concepts/scheduling/#labels
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from gpus.nearest import nearest
from gpus.platform_names import LABEL_PREFIX
from policies.document import shown, text
from policies.node_terms import expressions
from policies.pod import Pod
from policies.settings import PoolSettings
from policies.unmet_label import UnmetLabel, unmet_label

_OF_KARPENTER = "karpenter.sh/nodepool"
_SET_BY_IT = ("karpenter.sh/initialized", "karpenter.sh/registered")
_LABELLING = (
    *("beta.kubernetes.io/", "failure-domain.beta.kubernetes.io/", "kubernetes.io/"),
    *("node.kubernetes.io/", "topology.kubernetes.io/", "topology.ebs.csi.aws.com/"),
    *("karpenter.k8s.aws/", "k8s.io/", "topology.k8s.aws/"),
    *("amd.com/", "feature.node.kubernetes.io/", "nvidia.com/"),
)
"""What labels begin with that the kubelet, the cloud, or what finds devices sets on nodes."""


def unset_labels(pod: Pod, pools: Sequence[PoolSettings]) -> list[UnmetLabel]:
    """Return such requirements; none where others than Karpenter make nodes."""
    if not pools or not all(_OF_KARPENTER in pool.certain_labels for pool in pools):
        return []
    unset = sorted({key for key, _ in _required(pod) if not _may_be_set(key, pools)})
    certain = [pool.certain_labels for pool in pools]
    # Of terms of which one suffices, all may miss a label, and each another one.
    keys = [unset, *([key] for key in unset)] if unset else []
    found = (unmet_label(pod, certain, set(each)) for each in keys)
    return [*dict.fromkeys(each for each in found if each is not None)]


def instead_of(label: UnmetLabel, pod: Pod, pools: Sequence[PoolSettings]) -> str:
    """Return a label of these pools that may be meant, with its value if that is the one."""
    known = {
        (key, value)
        for pool in pools
        for key, values in _labels(pool)
        for value in values
        if key.startswith(LABEL_PREFIX)
    }
    wanted = {value.lower() for key, value in _required(pod) if value and shown(key) == label.key}
    same = sorted(f"{key}: {value}" for key, value in known if value.lower() in wanted)
    name = label.key.rpartition("/")[2]
    close = nearest(name, sorted({key.rpartition("/")[2] for key, _ in known}))
    return next(iter(same), "") or "".join(f"{LABEL_PREFIX}/{each}" for each in close[:1])


def _required(pod: Pod) -> Iterator[tuple[str, str]]:
    """Yield each label that the pod requires with its values; empty where it states none."""
    for key, value in pod.node_selector.items():
        yield key, text(value)
    for key, _, values in chain.from_iterable(map(expressions, pod.node_terms)):
        yield from ((key, text(value)) for value in values or ("",))


def _may_be_set(key: str, pools: Sequence[PoolSettings]) -> bool:
    is_known = key in _SET_BY_IT or key.startswith(_LABELLING)
    return is_known or any(key == known for pool in pools for known, _ in _labels(pool))


def _labels(pool: PoolSettings) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield from pool.certain_labels.items()
    yield from pool.passing_labels.items()
