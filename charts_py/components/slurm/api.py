"""The API of Slinky's objects, and the names of ours.

https://github.com/SlinkyProject/slurm-operator, api/v1beta1 at v1.2.1.
"""

# The images are those that Slinky's chart `slurm` names at 1.2.1.
_REGISTRY = "ghcr.io/slinkyproject"
_TAG = "26.05-ubuntu26.04"
SLURMCTLD = f"{_REGISTRY}/slurmctld:{_TAG}"
SLURMD = f"{_REGISTRY}/slurmd:{_TAG}"
SLURMRESTD = f"{_REGISTRY}/slurmrestd:{_TAG}"
LOGIN = f"{_REGISTRY}/login:{_TAG}"
IMAGES = (SLURMCTLD, SLURMD, SLURMRESTD, LOGIN)
OPERATOR_NAMESPACE = "slinky"
"""Where its documentation installs the operator."""
SLURM_NAMESPACE = "slurm"
"""The only one whose objects the operator heeds."""
API_VERSION = "slinky.slurm.net/v1beta1"
CLUSTER = "slurm"
"""Name of the Controller, which all other objects refer to."""
CONTROLLER = f"{CLUSTER}-controller"
"""The StatefulSet and the Service that the operator makes of it."""
CONTROLLER_PORT = 6817
CONTROLLER_PORT_NAME = "slurmctld"
CONTROLLER_SELECTOR = {"app.kubernetes.io/name": "slurmctld", "app.kubernetes.io/instance": CLUSTER}
REST_PORT = 6820
SSH_PORT = 22
SLURM_KEY_SECRET = "slurm-auth-slurm"  # noqa: S105 # its name
SLURM_KEY = "slurm.key"
JWT_KEY_SECRET = "slurm-auth-jwt"  # noqa: S105 # likewise
JWT_KEY = "jwt.key"
