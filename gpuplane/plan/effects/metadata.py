"""What labels and annotations do that an object has itself."""

from gpuplane.plan import sources
from gpuplane.plan.effects.row import AnyRow, Row
from gpuplane.plan.verdict import Verdict

_DESCRIBING = (
    'metadata.labels["app.kubernetes.io/managed-by"]',
    'metadata.labels["app.kubernetes.io/version"]',
    'metadata.labels["app.kubernetes.io/part-of"]',
    'metadata.labels["app.kubernetes.io/component"]',
    'metadata.labels["helm.sh/chart"]',
    'metadata.annotations["kubernetes.io/description"]',
)
"""Labels and annotations that describe an object to people and tools, and select nothing."""

DESCRIBING: tuple[AnyRow, ...] = (
    Row(
        ("*",),
        Verdict.SAFE,
        "It describes the object to people and tools: {old} becomes {new}.",
        sources.DOCS_LABELS,
        fields=_DESCRIBING,
        is_noise=True,
    ),
    Row(
        ("*",),
        Verdict.SAFE,
        "It decides in which order Argo CD syncs and prunes, from now on: {old} becomes {new}.",
        sources.ARGO_CD_WAVES,
        fields=('metadata.annotations["argocd.argoproj.io/sync-wave"]',),
    ),
)
"""Of objects of any kind, before what their kind says of them."""

OTHER: tuple[AnyRow, ...] = (
    Row(
        ("*",),
        Verdict.SAFE,
        "It is the same object, written in another version of its API: {old} becomes {new}.",
        sources.DOCS_VERSIONS,
        fields=("apiVersion",),
    ),
    Row(
        ("*",),
        Verdict.SAFE,
        "The object itself stays as it is; whoever selects objects by it sees that {old} becomes "
        "{new}.",
        sources.DOCS_LABELS,
        fields=("metadata.labels", "metadata.annotations"),
        is_certain=False,
    ),
    Row(
        ("*",),
        Verdict.SAFE,
        "It decides when the object goes where somebody deletes it: {old} becomes {new}.",
        sources.DOCS_FINALIZERS,
        fields=("metadata.finalizers",),
    ),
)
"""Of objects of any kind, where their kind says nothing of it."""
