"""What the API server fills into a new pod before its policies judge it.

`SetDefaults_PodSpec` and `SetDefaults_Container` in https://github.com/kubernetes/kubernetes,
pkg/apis/core/v1/defaults.go at v1.37.1, and its plugins ServiceAccount, Priority and LimitRanger.
"""

from collections.abc import Mapping

from charts_py.objects.document import Document
from policies.document import Json, elements, members, text

_SPEC: Mapping[str, Json] = {
    "dnsPolicy": "ClusterFirst",
    "enableServiceLinks": True,
    "preemptionPolicy": "PreemptLowerPriority",
    "priority": 0,
    "restartPolicy": "Always",
    "schedulerName": "default-scheduler",
    "securityContext": {},
    "serviceAccount": "default",
    "serviceAccountName": "default",
    "terminationGracePeriodSeconds": 30,
    "tolerations": [],
    "volumes": [],
}
_CONTAINER: Mapping[str, Json] = {
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
    "volumeMounts": [],
}
_LIMITED: Mapping[str, Json] = {"cpu": "1", "memory": "1Gi"}
"""In the place of what the LimitRange of a team says."""


def with_defaults(pod: Document, *, is_limited: bool) -> Document:
    """Return a pod with the defaults of what it does not state.

    `is_limited`: whether a LimitRange of its namespace gives its containers resources.
    """
    spec: dict[str, Json] = {**_SPEC, **members(pod.get("spec"))}
    for field in ("containers", "initContainers"):
        if field in spec:
            containers = map(members, elements(spec[field]))
            spec[field] = [_filled(each, is_limited=is_limited) for each in containers]
    return {**pod, "spec": spec}


def _filled(container: Mapping[str, Json], *, is_limited: bool) -> Json:
    _, _, tag = text(container.get("image")).rpartition("/")[2].partition(":")
    policy = "IfNotPresent" if tag not in ("", "latest") else "Always"
    resources: dict[str, Json] = {**members(container.get("resources"))}
    for amounts in ("limits", "requests") if is_limited else ():
        resources[amounts] = {**_LIMITED, **members(resources.get(amounts))}
    return {**_CONTAINER, "imagePullPolicy": policy, **container, "resources": resources}
