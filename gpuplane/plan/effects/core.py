"""What changes of namespaces, volumes, classes, access and configuration do."""

from gpuplane.plan.fields import ChangedField
from gpuplane.plan.object_change import ObjectChange

_POD_SECURITY = "pod-security.kubernetes.io/"


def is_pod_security(_: ObjectChange, field: ChangedField) -> bool:
    return field.segments[-1].startswith(_POD_SECURITY)
