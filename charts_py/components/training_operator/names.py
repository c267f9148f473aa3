"""Names by which the objects of the training operator find each other.

Taken from manifests/base of https://github.com/kubeflow/trainer at v1.9.4, its last branch with
the kinds of version 1.
"""

from charts_py.cluster_file.team import PodSecurity
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.contribution import PlatformNamespace

TRAINING_OPERATOR = "training-operator"
"""Name of the component, and of its objects where there is one of a kind."""
NAMESPACE = "training-operator"
OWN_NAMESPACE = PlatformNamespace(NAMESPACE, PodSecurity.RESTRICTED, goes_last=True)
SELECTOR = {"app.kubernetes.io/name": TRAINING_OPERATOR}
"""Labels of its Service and its pods."""
METADATA = ObjectMeta(TRAINING_OPERATOR, NAMESPACE, labels=SELECTOR)

IMAGE = "ghcr.io/kubeflow/training-v1/training-operator:v1-93c5489"
"""The one of its overlay `standalone`."""
INIT_IMAGE = "docker.io/library/busybox:1.36"
"""In which workers of a PyTorchJob wait until the name of its master resolves."""
KUBECTL_IMAGE = "ghcr.io/kubeflow/training-v1/kubectl-delivery:v1-93c5489"
"""Which brings `kubectl` to the launcher of an MPIJob; by default its tag is `latest`."""

KINDS = ("MPIJob", "PyTorchJob", "TFJob", "XGBoostJob")
"""The kinds that it runs here."""
VALIDATED_KINDS = ("PyTorchJob", "TFJob", "XGBoostJob")
"""Those of which it judges each object itself."""

WEBHOOK_SECRET = "training-operator-webhook-cert"  # noqa: S105 # a name
WEBHOOK_CONFIGURATION = "validator.training-operator.kubeflow.org"
"""The name by which it finds the configuration, to write its authority into
(`webhookConfigurationName` in cmd/training-operator.v1/main.go)."""
INIT_CONFIG_MAP = "training-operator-init-container"
METRICS_PORT = 8080
METRICS_PORT_NAME = "metrics"
