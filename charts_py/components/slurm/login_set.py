"""A machine to log in to, from which jobs are submitted."""

from charts_py.cluster_file.slurm import Login
from charts_py.components.slurm.api import CLUSTER, slinky_object
from charts_py.components.slurm.images import LOGIN
from charts_py.components.slurm.pod import container, log_reader, template
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform

LOGIN_NAME = "slurm-login"


def login_set(platform: Platform, login: Login) -> Document:
    """Return the LoginSet, whose Service is reached from within the cluster alone."""
    spec = {
        "controllerRef": {"name": CLUSTER},
        "replicas": 1,
        "sssdConfRef": {"name": login.sssd_secret, "key": "sssd.conf"},
        "login": container(platform, LOGIN, cpu="500m", memory="1Gi"),
        "initconf": log_reader(platform, LOGIN),
        "service": {"spec": {"type": "ClusterIP"}},
        "template": template(platform),
    }
    return slinky_object("LoginSet", LOGIN_NAME, spec)
