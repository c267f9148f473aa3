"""The API of Slinky's objects, and the names of ours.

https://github.com/SlinkyProject/slurm-operator, api/v1beta1 at v1.2.1.
"""

from typing import Any

from charts_py.components.slurm_operator.namespaces import SLURM_NAMESPACE
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of

API_VERSION = "slinky.slurm.net/v1beta1"
CLUSTER = "slurm"
"""Name of the Controller, which all other objects refer to."""

CONTROLLER = f"{CLUSTER}-controller"
"""The StatefulSet and the Service that the operator makes of it."""
CONTROLLER_PORT = 6817
CONTROLLER_PORT_NAME = "slurmctld"
CONTROLLER_SELECTOR = {
    "app.kubernetes.io/name": "slurmctld",
    "app.kubernetes.io/instance": CLUSTER,
}
REST_PORT = 6820
SSH_PORT = 22

SLURM_KEY_SECRET = "slurm-auth-slurm"  # noqa: S105 # its name
SLURM_KEY = "slurm.key"
JWT_KEY_SECRET = "slurm-auth-jwt"  # noqa: S105 # likewise
JWT_KEY = "jwt.key"


def slinky_object(kind: str, name: str, spec: dict[str, Any]) -> Document:
    """Return an object of the operator's API in the namespace of Slurm."""
    return object_of(API_VERSION, kind, ObjectMeta(name, SLURM_NAMESPACE), {"spec": spec})
