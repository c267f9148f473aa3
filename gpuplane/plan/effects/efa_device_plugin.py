"""Judges on which nodes the device plugin of EFA runs."""

from collections.abc import Iterator

from charts_py.objects.document import Document
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.fields import ChangedField
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.sources import source
from policies.document import value_at
from policies.settings import EFA_RESOURCE

_TYPES = ("spec", "source", "helm", "valuesObject", "supportedInstanceLabels", "values")
_PATH = ".".join(_TYPES)


def efa_instance_types(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterator[Effect]:
    """Yield what a list of types does, which the chart makes a required node affinity of."""
    before, after = (_types(side) for side in (change.before, change.after))
    if after and (lost := sorted(before - after)):
        yield Effect(
            Verdict.DEFERRED,
            _PATH,
            f"The plugin leaves nodes of {', '.join(lost)}, whose {EFA_RESOURCE} goes: what runs "
            "there stays, and pods that ask for it and restart there wait.",
            source("efa_affinity"),
            is_certain=False,
        )
    yield Effect(
        Verdict.ROLLING,
        _PATH,
        "What the chart makes of its values is rolled out, which restarts its pods.",
        source("argo_cd_pruning"),
        is_certain=False,
    )


def _types(application: Document | None) -> set[str]:
    return set(value_at(application, _TYPES) or ())
