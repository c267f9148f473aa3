"""The definitions of the training operator's kinds, from its repository."""

from charts_py.components.component import PinnedManifests
from charts_py.components.training_operator.names import KINDS
from charts_py.objects.document import EmittedKind

DEFINITIONS = PinnedManifests(
    folder="crds/trainer-1.9.4",
    files=tuple(f"kubeflow.org_{kind.lower()}s.yaml" for kind in KINDS),
    kinds=(EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False),),
)
"""Too large to be written here, and not ours."""
