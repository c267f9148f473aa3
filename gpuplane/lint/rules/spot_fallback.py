"""A service can run on GPUs that stay, too.

Spot nodes go with a notice of seconds to minutes, all of a kind at once when the provider needs
them, and may not come back for hours. A job resumes from its checkpoint; a service is down.
"""

from collections.abc import Iterator, Mapping, Sequence

from gpuplane.lint.rule import GpuPod, LintContext, LintObject, LintRule, RuleFinding
from gpuplane.lint.served_pods import served_pods
from policies.document import Json, elements, listed, members, pointer, text
from policies.reach import usable
from policies.settings import PoolSettings
from policies.toleration import is_spot

_TERMS = (
    "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms"
)


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    """Find services that require spot nodes, or whose pools are spot alone.

    What can run on no pool of the namespace is refused, and told what it can select.
    """
    for served in served_pods(one, context):
        able = context.able_pools(served.pod)
        place = _required_by(served, context.offer.spot_labels) or _selected_by(served, able)
        if able and place:
            yield RuleFinding(
                f"{served.pointer}{place}",
                "The service can run on spot GPUs alone, and is down when they are taken away.",
                _remedy(served, context),
            )


def _required_by(served: GpuPod, labels: Mapping[str, str]) -> str:
    """Return the JSON Pointer to what requires a spot node; empty where nothing does."""
    for key, value in served.pod.node_selector.items():
        if labels.get(key, not value) == value:
            return f"/spec/nodeSelector{pointer(key)}"
    terms = served.pod.node_terms
    return _TERMS if terms and all(_requires_spot(term, labels) for term in terms) else ""


def _requires_spot(term: Json, labels: Mapping[str, str]) -> bool:
    for each in map(members, elements(members(term).get("matchExpressions"))):
        key, values = text(each.get("key")), elements(each.get("values"))
        if each.get("operator") == "In" and key in labels and values == [labels[key]]:
            return True
    return False


def _selected_by(served: GpuPod, able: Sequence[PoolSettings]) -> str:
    """Return the pointer to what selects pools of spot nodes alone; empty where nothing does.

    Admission keeps the pod to the pools of its namespace that can hold it.
    """
    if not (able and all(map(is_spot, able))):
        return ""
    is_selected = served.pod.node_selector or not served.pod.node_terms
    return "/spec/nodeSelector" if is_selected else _TERMS


def _remedy(served: GpuPod, context: LintContext) -> str:
    lasting = [
        pool.name
        for pool in usable(context.settings.pools, context.known_namespace)
        if not is_spot(pool) and {*served.pod.gpus} <= {each.name for each in pool.resources}
    ]
    if not lasting:
        return "Serve it from on-demand or reserved GPUs as well, of another pool or cluster."
    return f"Prefer spot nodes rather than require them; such GPUs that stay: {listed(lasting)}."


RULE = LintRule("spot-fallback", "A service on spot GPUs can run on others, too.", check)
