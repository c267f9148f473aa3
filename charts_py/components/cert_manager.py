"""cert-manager, which issues certificates, that of the admission webhook first.

Its ClusterRoles are not aggregated into `admin`, `edit` and `view`: teams have the roles of the
platform. https://cert-manager.io/docs/installation/helm/
"""

from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.wave import Wave
from policies.settings import PodSecurity

CERT_MANAGER_NAME = "cert-manager"
"""Name of its chart, its namespace and its Application."""


CERT_MANAGER = Definition(
    name=CERT_MANAGER_NAME,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.addons.cert_manager,
    fields=("addons.certManager",),
    wave=Wave.OPERATORS,
    namespace=PlatformNamespace(CERT_MANAGER_NAME, PodSecurity.RESTRICTED, goes_last=True),
    charts=(known_chart(CERT_MANAGER_NAME),),
)
