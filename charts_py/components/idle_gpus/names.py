"""What the objects around culling agree upon."""

from charts_py.cluster_file.team import PodSecurity
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.contribution import PlatformNamespace

NAME = "gpuplane-cull"
"""Name of its objects, where there is one of a kind."""
NAMESPACE = "gpuplane-culling"
OWN_NAMESPACE = PlatformNamespace(NAMESPACE, PodSecurity.RESTRICTED)
SELECTOR = {"app.kubernetes.io/name": NAME}
"""Labels of its pods."""
METADATA = ObjectMeta(NAME, NAMESPACE, labels=SELECTOR)
