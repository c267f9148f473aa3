"""What changes of classes of devices do, by which pods claim GPUs."""

from gpuplane.plan import sources
from gpuplane.plan.effects.row import ADDED, REMOVED, AnyRow, Row
from gpuplane.plan.verdict import Verdict

_CLASS = ("DeviceClass.resource.k8s.io",)

ROWS: tuple[AnyRow, ...] = (
    Row(
        _CLASS,
        Verdict.SAFE,
        "Claims can name it from now on.",
        sources.DEVICE_CLASS_TYPES,
        changes=ADDED,
    ),
    Row(
        _CLASS,
        Verdict.DISRUPTIVE,
        "{old} becomes {new}: running pods keep their devices; new ones that ask for the old "
        "resource get none of this class.",
        sources.DEVICE_CLASS_TYPES,
        fields=("spec.extendedResourceName",),
        field_condition=lambda _, field: not field.is_added,
        is_certain=False,
    ),
    Row(
        _CLASS,
        Verdict.SAFE,
        "Allocated claims keep their devices as they are: a class is read once, when a claim is "
        "allocated.",
        sources.DEVICE_CLASS_TYPES,
        fields=("spec",),
    ),
    Row(
        _CLASS,
        Verdict.DISRUPTIVE,
        "Allocated claims keep their devices; other ones that name it are not allocated, and their "
        "pods stay Pending.",
        sources.DEVICE_CLASS_TYPES,
        changes=REMOVED,
        is_certain=False,
    ),
)
