"""What the rules read of a pod, as far down as they do."""

from gpuplane.admission.shape import ANY, FLAG, TEXT, Shape, items, values

_TEXTS = values(TEXT)
_CONTAINERS = items(
    {
        "name": TEXT,
        "image": TEXT,
        "env": items({"name": TEXT, "value": TEXT, "valueFrom": ANY}),
        "envFrom": items({"prefix": TEXT}),
        "resources": {"limits": ANY, "requests": ANY, "claims": items()},
        "restartPolicy": TEXT,
        "securityContext": {"privileged": FLAG, "capabilities": {"add": items(TEXT)}},
        "volumeMounts": items({"name": TEXT, "mountPath": TEXT, "readOnly": FLAG}),
        "volumeDevices": items({"name": TEXT, "devicePath": TEXT}),
    }
)
_EXPRESSIONS = items({"key": TEXT, "operator": TEXT, "values": items(TEXT)})
_NODE_TERMS = items({"matchExpressions": _EXPRESSIONS, "matchFields": _EXPRESSIONS})
_VOLUME: Shape = {
    "name": TEXT,
    "emptyDir": {"medium": TEXT},
    "hostPath": {"path": TEXT},
    "image": {"reference": TEXT},
}
METADATA: Shape = {
    "name": TEXT,
    "generateName": TEXT,
    "namespace": TEXT,
    "labels": _TEXTS,
    "annotations": _TEXTS,
}
"""That of every object."""
TEMPLATE: Shape = {
    "metadata": METADATA,
    "spec": {
        "containers": _CONTAINERS,
        "initContainers": _CONTAINERS,
        "ephemeralContainers": _CONTAINERS,
        "resourceClaims": items(),
        "resources": {"limits": ANY, "requests": ANY},
        "overhead": ANY,
        "nodeName": TEXT,
        "nodeSelector": _TEXTS,
        "affinity": {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": _NODE_TERMS}
            },
            "podAntiAffinity": ANY,
        },
        "topologySpreadConstraints": items(),
        "tolerations": items({"key": TEXT, "operator": TEXT, "value": TEXT, "effect": TEXT}),
        "volumes": items(_VOLUME),
        "hostIPC": FLAG,
        "priorityClassName": TEXT,
        "runtimeClassName": TEXT,
        "serviceAccountName": TEXT,
    },
}
