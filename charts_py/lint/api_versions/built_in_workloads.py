"""Which `apiVersion` has each kind of workload of Kubernetes itself."""

from policies.workloads.kubernetes_kinds import KUBERNETES_KINDS

BUILT_IN_GROUPS = frozenset({"", "apps", "batch", "extensions"})
"""No custom resource can be in them: their kinds are those of Kubernetes."""

_BUILT_IN = {
    kind.kind.casefold(): (f"{kind.group}/v1" if kind.group else "v1", kind.kind)
    for kind in KUBERNETES_KINDS
    if kind.group in BUILT_IN_GROUPS
}


def served_instead(api_version: str, kind: str) -> tuple[str, str] | None:
    """Return the `apiVersion` and `kind` that an object of a group of Kubernetes should state.

    None if it states them, is of another group, or its kind is none of a workload's. Letters that
    differ in case alone are another name to the API server.
    """
    group = api_version.rpartition("/")[0].casefold()
    meant = _BUILT_IN.get(kind.casefold()) if group in BUILT_IN_GROUPS else None
    return None if meant == (api_version, kind) else meant
